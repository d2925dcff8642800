#include <fmt/format.h>

#include <array>
#include <cmath>
#include <initializer_list>

#include "voigt/io/scene_sections.h"

namespace voigt {
namespace {

TriangleMesh ReadMesh(ObjectReader* reader) {
  TriangleMesh mesh;
  mesh.vertices = reader->Points("vertices");
  const std::vector<Vec3> triangles = reader->Points("triangles");
  for (size_t i = 0; i < triangles.size(); ++i) {
    std::array<int, 3>& corners = mesh.triangles.emplace_back();
    for (int k = 0; k < 3; ++k) {
      const double index = triangles[i][k];
      if (std::abs(index) <= 1e9 && index == std::round(index)) {
        corners[k] = static_cast<int>(index);
      } else {
        reader->Fail(reader->Find("triangles")->items[i], "triangles",
                     fmt::format("{}, expected whole numbers that count vertices from 0", index));
      }
    }
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
    reader->Fail(*reader->Find("shape"), "shape",
                 fmt::format("'{}', expected sphere, box, capsule, cylinder, ellipsoid, "
                             "half-space, hull or mesh",
                             name));
  }
  // Which of these are meant is unknown now; calling them unknown would only confuse.
  for (const char* key : {"radius", "size", "length", "radii", "points", "vertices", "triangles"}) {
    reader->Find(key);
  }
  return Sphere{1};
}

// Any inertia will do where it cannot be read: nothing else is to complain.
Mat3 ReadInertia(ObjectReader* reader, const YamlValue& value) {
  const Mat3 R = reader->PoseUnder("inertia_axes").R;
  const size_t size = value.items.size();
  if (size != 3 && size != 6) {
    reader->Fail(value, "inertia",
                 value.Describe() + ", expected point, [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]");
    return Mat3::Identity();
  }
  const auto& problems = reader->context()->problems.problems();
  const size_t before = problems.size();
  std::vector<double> list = reader->ToNumbers(value, "inertia");
  if (problems.size() > before) return Mat3::Identity();
  list.resize(6, 0.0);
  Mat3 I;
  I << list[0], list[3], list[4], list[3], list[1], list[5], list[4], list[5], list[2];
  return R * I * R.transpose();
}

// Complains about keys that mean something only beside others.
void RejectKeys(ObjectReader* reader, std::initializer_list<const char*> keys, const char* why) {
  for (const char* key : keys) {
    if (const YamlValue* value = reader->Find(key)) reader->Fail(*value, key, why);
  }
}

// Which of the ways to give mass the body uses: docs/scenes.md lists them.
MassSource ReadMass(ObjectReader* reader, MassProperties* mass) {
  if (reader->Flag("massless", false)) {
    RejectKeys(reader, {"mass", "com", "inertia", "inertia_axes"}, "given for a massless body");
    return MassSource::kMassless;
  }
  if (!reader->Has("mass")) {
    RejectKeys(reader, {"com", "inertia", "inertia_axes"}, "needs 'mass' beside it");
    return MassSource::kGeometry;
  }
  mass->mass = reader->Number("mass", 1);
  const YamlValue* inertia = reader->Find("inertia");
  if (inertia == nullptr) {
    RejectKeys(reader, {"com", "inertia_axes"}, "needs 'inertia' beside it");
    return MassSource::kScaled;
  }
  mass->com = reader->Vector("com", Vec3::Zero());
  if (inertia->text == "point") {
    RejectKeys(reader, {"inertia_axes"}, "given for a point mass");
    return MassSource::kPoint;
  }
  mass->inertia = ReadInertia(reader, *inertia);
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
  body.name = reader->RequiredName();
  body.where = reader->where();
  body.mass_source = ReadMass(reader, &body.mass);
  body.geometry = ReadGeometry(reader);
  return body;
}

}  // namespace voigt
