#include <fmt/format.h>

#include "voigt/io/scene_sections.h"

namespace voigt {
namespace {

TriangleMesh ReadMesh(ObjectReader* reader) {
  TriangleMesh mesh;
  mesh.vertices = reader->Points("vertices");
  for (const Vec3& triangle : reader->Points("triangles")) {
    mesh.triangles.push_back({static_cast<int>(triangle[0]), static_cast<int>(triangle[1]),
                              static_cast<int>(triangle[2])});
    const auto& t = mesh.triangles.back();
    if (Vec3(t[0], t[1], t[2]) != triangle) reader->Fail("triangles must hold whole numbers");
  }
  return mesh;
}

Shape ReadShape(ObjectReader* reader) {
  const std::string name = reader->RequiredText("shape");
  if (name == "sphere") return Sphere{reader->RequiredNumber("radius", 1)};
  if (name == "box") return Box{reader->RequiredVector("size", Vec3::Ones())};
  if (name == "capsule") {
    return Capsule{reader->RequiredNumber("radius", 1), reader->RequiredNumber("length", 1)};
  }
  if (name == "cylinder") {
    return Cylinder{reader->RequiredNumber("radius", 1), reader->RequiredNumber("length", 1)};
  }
  if (name == "ellipsoid") return Ellipsoid{reader->RequiredVector("radii", Vec3::Ones())};
  if (name == "half-space") return HalfSpace{};
  if (name == "hull") return ConvexHull{reader->Points("points")};
  if (name == "mesh") return ReadMesh(reader);
  if (!name.empty()) {
    reader->Fail(fmt::format("shape '{}', expected sphere, box, capsule, cylinder, ellipsoid, "
                             "half-space, hull or mesh",
                             name));
  }
  return Sphere{1};
}

Mat3 ReadInertia(ObjectReader* reader) {
  const std::vector<double> list = reader->Numbers("inertia");
  Mat3 I = Mat3::Identity();
  if (list.size() == 3) {
    I = Vec3(list.data()).asDiagonal();
  } else if (list.size() == 6) {
    I << list[0], list[3], list[4], list[3], list[1], list[5], list[4], list[5], list[2];
  } else {
    reader->Fail(*reader->Find("inertia"), "inertia",
                 "expected 'point', [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]");
  }
  const Mat3 R = reader->PoseUnder("inertia_axes").R;
  return R * I * R.transpose();
}

// Which of the ways to give mass the body uses: docs/scenes.md lists them.
MassSource ReadMass(ObjectReader* reader, MassProperties* mass) {
  if (reader->Flag("massless", false)) {
    for (const char* key : {"mass", "com", "inertia"}) {
      if (reader->Has(key)) reader->Fail(fmt::format("is massless, but gives '{}'", key));
    }
    return MassSource::kMassless;
  }
  if (!reader->Has("mass")) {
    for (const char* key : {"com", "inertia"}) {
      if (reader->Has(key)) reader->Fail(fmt::format("'{}' needs 'mass' beside it", key));
    }
    return MassSource::kGeometry;
  }
  mass->mass = reader->Number("mass", 1);
  const YamlValue* inertia = reader->Find("inertia");
  if (inertia == nullptr) {
    if (reader->Has("com")) reader->Fail("'com' needs 'inertia' beside it");
    return MassSource::kScaled;
  }
  mass->com = reader->Vector("com", Vec3::Zero());
  if (inertia->text == "point") return MassSource::kPoint;
  mass->inertia = ReadInertia(reader);
  return MassSource::kExplicit;
}

}  // namespace

std::vector<Geometry> ReadGeometry(ObjectReader* owner) {
  std::vector<Geometry> out;
  ReadList(owner, "geometry", [&](ObjectReader& reader) {
    Geometry geometry;
    geometry.name = reader.Text("name", "");
    geometry.shape = ReadShape(&reader);
    geometry.X_BG = reader.OwnPose();
    if (reader.Has("density")) geometry.density = reader.Number("density", 1);
    geometry.where = reader.where();
    out.push_back(std::move(geometry));
  });
  return out;
}

BodySpec ReadBody(ObjectReader* reader) {
  BodySpec body;
  body.name = reader->RequiredText("name");
  body.where = reader->where();
  body.mass_source = ReadMass(reader, &body.mass);
  body.geometry = ReadGeometry(reader);
  return body;
}

}  // namespace voigt
