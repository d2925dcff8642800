#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <optional>
#include <utility>
#include <variant>

#include "voigt/io/scene_sections.h"

namespace voigt {
namespace {

// Two numbers; where they are bad, two that nothing else complains about.
Vec2 ReadTwo(ObjectReader* reader, std::string_view key) {
  const size_t before = reader->CountProblems();
  const std::vector<double> numbers = reader->RequiredNumbers(key, "two numbers");
  if (reader->CountProblems() > before) return Vec2::Ones();
  if (numbers.size() == 2) return {numbers[0], numbers[1]};
  const YamlValue& value = *reader->Find(key);
  reader->Fail(value, key, value.Describe() + ", expected two numbers");
  return Vec2::Ones();
}

// A count too large or no whole number becomes 0, which the shape's own check refuses.
int ToCount(double number) {
  return number >= 0 && number <= 1e9 && number == std::round(number) ? static_cast<int>(number)
                                                                      : 0;
}

Shape ReadFoundation(ObjectReader* reader) {
  Foundation foundation;
  foundation.size = ReadTwo(reader, "size");
  const Vec2 counts = ReadTwo(reader, "counts");
  foundation.nx = ToCount(counts[0]);
  foundation.ny = ToCount(counts[1]);
  if (reader->Has("depth")) foundation.depth = reader->Number("depth", 1);
  if (reader->Has("stiffness")) foundation.stiffness = reader->Number("stiffness", 1);
  foundation.damping = reader->Number("damping", 0);
  return foundation;
}

// foundation: {…} of a solid.
std::optional<ElasticLayer> ReadLayer(ObjectReader* owner) {
  const YamlValue* value = owner->Find("foundation");
  if (value == nullptr) return std::nullopt;
  ObjectReader reader(*value, owner->path() + ".foundation", owner->context());
  if (!value->IsMap()) return std::nullopt;  // reported already
  const size_t before = reader.CountProblems();
  ElasticLayer layer;
  const auto optional_number = [&](const char* key) {
    return reader.Has(key) ? std::optional<double>(reader.Number(key, 1)) : std::nullopt;
  };
  if (const auto count = optional_number("elements")) layer.elements = ToCount(*count);
  layer.resolution = optional_number("resolution");
  layer.depth = optional_number("depth");
  layer.stiffness = optional_number("stiffness");
  layer.shear_stiffness = optional_number("shear_stiffness");
  layer.damping = reader.Number("damping", 0);
  reader.Finish();
  // One mistake is reported once.
  return reader.CountProblems() > before ? std::nullopt : std::optional(layer);
}

using ShapeReader = Shape (*)(ObjectReader*);

// Every shape by its name, with what reads its sizes.
std::vector<std::pair<std::string_view, ShapeReader>> ShapeReaders() {
  return {
      {"sphere", [](ObjectReader* r) -> Shape { return Sphere{r->RequiredNumber("radius", 1)}; }},
      {"box",
       [](ObjectReader* r) -> Shape { return Box{r->RequiredVector("size", Vec3::Ones())}; }},
      {"capsule",
       [](ObjectReader* r) -> Shape {
         return Capsule{r->RequiredNumber("radius", 1), r->RequiredNumber("length", 1)};
       }},
      {"cylinder",
       [](ObjectReader* r) -> Shape {
         return Cylinder{r->RequiredNumber("radius", 1), r->RequiredNumber("length", 1)};
       }},
      {"ellipsoid",
       [](ObjectReader* r) -> Shape {
         return Ellipsoid{r->RequiredVector("radii", Vec3::Ones())};
       }},
      {"half-space", [](ObjectReader*) -> Shape { return HalfSpace{}; }},
      {"hull", ReadHull},
      {"mesh", ReadMesh},
      {"points", ReadContactPoints},
      {"foundation", ReadFoundation},
      {"height-field", ReadHeightField},
  };
}

// Where a shape cannot be read, a sphere stands for it: nothing else is to complain. So it is with
// points of which some are bad: the others need not enclose anything.
Shape ReadShape(ObjectReader* reader) {
  const size_t before = reader->CountProblems();
  const bool is_named = !reader->RequiredText("shape").empty();
  const auto read = is_named ? reader->Choice("shape", ShapeReaders()) : std::nullopt;
  if (read) {
    Shape shape = (*read)(reader);
    const bool has_points =
        std::holds_alternative<ConvexHull>(shape) || std::holds_alternative<TriangleMesh>(shape) ||
        std::holds_alternative<ContactPoints>(shape) || std::holds_alternative<HeightField>(shape);
    return has_points && reader->CountProblems() > before ? Sphere{1} : shape;
  }
  // Which of these are meant is unknown now; calling them unknown would only confuse.
  for (const char* key : {"radius", "size", "length", "radii", "points", "vertices", "triangles",
                          "positions", "counts", "depth", "stiffness", "damping", "file", "scale",
                          "convex", "spacing", "heights"}) {
    reader->Find(key);
  }
  return Sphere{1};
}

// Any inertia will do where it cannot be read: nothing else is to complain.
Mat3 ReadInertia(ObjectReader* reader, const YamlValue& value) {
  const Mat3 R = reader->RotationUnder("inertia_axes");
  const size_t size = value.items.size();
  if (size != 3 && size != 6) {
    reader->Fail(value, "inertia",
                 value.Describe() + ", expected point, [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]");
    return Mat3::Identity();
  }
  const size_t before = reader->CountProblems();
  std::vector<double> list = reader->ToNumbers(value, "inertia");
  if (reader->CountProblems() > before) return Mat3::Identity();
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
    geometry.material = reader.Text("material", "");
    geometry.groups = reader.Texts("groups").value_or(std::vector<std::string>());
    geometry.touches = reader.Texts("touches");
    geometry.foundation = ReadLayer(&reader);
    geometry.surface_velocity = reader.Vector("surface_velocity", Vec3::Zero());
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
