#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>

#include "voigt/io/mesh_file.h"
#include "voigt/io/package_path.h"
#include "voigt/io/urdf_parts.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

// Mass and inertia about the centre of mass, in axes of the inertial frame.
void ReadUrdfInertial(const XmlElement& element, UrdfContext* context, BodySpec* body) {
  const XmlReader inertial(element, &context->problems);
  const Pose X_BI = ReadUrdfOrigin(inertial);
  const XmlElement* mass = inertial.Child("mass");
  const XmlElement* inertia = inertial.Child("inertia");
  if (mass == nullptr) inertial.Fail("'mass' is missing, expected <mass value=\"...\"/>");
  if (inertia == nullptr) {
    inertial.Fail("'inertia' is missing, expected its elements ixx, ixy, ixz, iyy, iyz, izz");
  }
  if (mass == nullptr || inertia == nullptr) return;
  const XmlReader mass_reader(*mass, &context->problems);
  const XmlReader reader(*inertia, &context->problems);
  const size_t before = context->problems.problems().size();
  const double m = mass_reader.RequiredNumber("value", 1);
  const double xx = reader.RequiredNumber("ixx", 1), xy = reader.RequiredNumber("ixy", 0),
               xz = reader.RequiredNumber("ixz", 0), yy = reader.RequiredNumber("iyy", 1),
               yz = reader.RequiredNumber("iyz", 0), zz = reader.RequiredNumber("izz", 1);
  if (context->problems.problems().size() > before) return;
  Mat3 I;
  I << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  const bool has_inertia = I != Mat3::Zero();
  if (m < 0 || (m == 0 && has_inertia)) {
    mass_reader.Fail(*mass_reader.Find("value"),
                     fmt::format("{}, expected a mass > 0 in kg, or 0 beside an inertia of zeros "
                                 "for a link without mass",
                                 m));
    return;
  }
  if (m == 0) return;
  body->mass = {m, X_BI.p, X_BI.R * I * X_BI.R.transpose()};
  body->mass_source = has_inertia ? MassSource::kExplicit : MassSource::kPoint;
}

TriangleMesh LoadUrdfMesh(const std::filesystem::path& path, const Vec3& scale,
                          const std::string& element, UrdfContext* context) {
  const std::string key = fmt::format("{} {} {} {}", path.string(), scale[0], scale[1], scale[2]);
  const auto [entry, is_new] = context->meshes.try_emplace(key);
  if (!is_new) return entry->second;
  try {
    MeshFile file = LoadMesh(path, scale);
    entry->second = std::move(file.mesh);
    for (const Problem& notice : file.notices) {
      context->Note(NoteKind::kApproximated, notice.where, element, notice.message);
    }
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) {
      context->problems.Add(problem.where, element, problem.message);
    }
  }
  return entry->second;
}

std::string LowerCase(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// Nothing where the file cannot be used; problems and notes say why.
std::optional<Shape> ReadUrdfMesh(const XmlElement& element, const std::string& owner,
                                  UrdfContext* context) {
  const XmlReader reader(element, &context->problems);
  const Vec3 scale = reader.Vector("scale", Vec3::Ones());
  const std::string uri = reader.RequiredText("filename");
  if (uri.empty()) return std::nullopt;
  const XmlAttribute& attribute = *reader.Find("filename");
  const std::string ending = LowerCase(std::filesystem::path(uri).extension().string());
  if (ending != ".stl" && ending != ".obj") {
    context->Note(NoteKind::kUnsupported, attribute.where, owner,
                  fmt::format("the mesh '{}' is left out and touches nothing: STL and OBJ files "
                              "are read",
                              uri));
    return std::nullopt;
  }
  const FoundFile found = FindRobotFile(uri, context->file, context->options.packages);
  if (!found.path) {
    std::string places;
    for (const std::string& place : found.looked_at) places += "\n    " + place;
    reader.Fail(attribute,
                fmt::format("'{}' is not found{}{}", uri,
                            places.empty() ? ", expected package://name/path" : ", at:", places));
    return std::nullopt;
  }
  const size_t before = context->problems.problems().size();
  TriangleMesh mesh = LoadUrdfMesh(*found.path, scale, owner, context);
  if (context->problems.problems().size() > before || mesh.triangles.empty()) return std::nullopt;
  return mesh;
}

// The one shape of an element `geometry`.
std::optional<Shape> ReadUrdfShape(const XmlElement& geometry, const std::string& owner,
                                   UrdfContext* context) {
  geometry.was_read = true;
  if (geometry.children.size() != 1) {
    context->problems.Add(geometry.where, owner,
                          fmt::format("geometry has {} shapes, expected one of box, cylinder, "
                                      "sphere, capsule or mesh",
                                      geometry.children.size()));
    for (const XmlElement& child : geometry.children) child.MarkAllAsRead();
    return std::nullopt;
  }
  const XmlElement& shape = geometry.children[0];
  const XmlReader reader(shape, &context->problems);
  const auto has_all = [&](std::initializer_list<const char*> names) {
    const size_t before = context->problems.problems().size();
    for (const char* name : names) reader.RequiredText(name);
    return context->problems.problems().size() == before;
  };
  if (shape.name == "box") {
    if (!has_all({"size"})) return std::nullopt;
    return Box{reader.Vector("size", Vec3::Ones())};
  }
  if (shape.name == "sphere") return Sphere{reader.RequiredNumber("radius", 1)};
  if (shape.name == "cylinder") {
    return Cylinder{reader.RequiredNumber("radius", 1), reader.RequiredNumber("length", 1)};
  }
  if (shape.name == "capsule") {
    return Capsule{reader.RequiredNumber("radius", 1), reader.RequiredNumber("length", 1)};
  }
  if (shape.name == "mesh") return ReadUrdfMesh(shape, owner, context);
  shape.MarkAllAsRead();
  context->Note(NoteKind::kUnsupported, shape.where, owner,
                fmt::format("the shape '{}' is left out and touches nothing: box, cylinder, "
                            "sphere, capsule and mesh are known",
                            shape.name));
  return std::nullopt;
}

void ReadUrdfCollision(const XmlElement& element, UrdfContext* context, BodySpec* body) {
  const XmlReader reader(element, &context->problems);
  Geometry geometry;
  geometry.name = reader.Text("name");
  geometry.where = element.where;
  geometry.X_BG = ReadUrdfOrigin(reader);
  const XmlElement* shape = reader.Child("geometry");
  const std::string owner = fmt::format("link '{}': {}", body->name, element.Describe());
  if (shape == nullptr) return reader.Fail("'geometry' is missing, expected a shape in it");
  auto read = ReadUrdfShape(*shape, owner, context);
  if (!read) return;
  geometry.shape = std::move(*read);
  body->geometry.push_back(std::move(geometry));
}

// A text that two elements share only if they say the same.
void AppendXml(const XmlElement& element, std::string* out) {
  constexpr char kEnd = '\0';  // in no name and no value
  (*out += element.name) += kEnd;
  for (const XmlAttribute& attribute : element.attributes) {
    ((*out += attribute.name) += kEnd) += attribute.value + kEnd;
  }
  *out += kEnd;
  for (const XmlElement& child : element.children) AppendXml(child, out);
  *out += kEnd;
}

const XmlElement* FindXmlChild(const XmlElement& element, std::string_view name) {
  for (const XmlElement& child : element.children) {
    if (child.name == name) return &child;
  }
  return nullptr;
}

// Shape and place of a visual or collision element.
std::string DescribeShape(const XmlElement& element) {
  std::string out;
  for (const char* name : {"origin", "geometry"}) {
    const XmlElement* part = FindXmlChild(element, name);
    if (part != nullptr) AppendXml(*part, &out);
  }
  return out;
}

}  // namespace

void UrdfContext::Note(NoteKind kind, const SourceLocation& where, std::string element,
                       std::string consequence) {
  notes.push_back(
      {kind, where, ShortenMessage(std::move(element)), ShortenMessage(std::move(consequence))});
}

Pose ReadUrdfOrigin(const XmlReader& owner) {
  const XmlElement* origin = owner.Child("origin");
  if (origin == nullptr) return {};
  const XmlReader reader(*origin, owner.problems());
  const Vec3 p = reader.Vector("xyz", Vec3::Zero());
  return {RotationFromRollPitchYaw(reader.Vector("rpy", Vec3::Zero())), p};
}

BodySpec ReadUrdfLink(const XmlElement& element, UrdfContext* context) {
  const XmlReader reader(element, &context->problems);
  BodySpec body;
  body.name = reader.RequiredText("name");
  body.where = element.where;
  body.mass_source = MassSource::kMassless;
  if (const XmlElement* inertial = reader.Child("inertial")) {
    ReadUrdfInertial(*inertial, context, &body);
  }
  const std::vector<const XmlElement*> collisions = element.Children("collision");
  std::set<std::string> touching;  // shapes
  for (const XmlElement* collision : collisions) {
    ReadUrdfCollision(*collision, context, &body);
    touching.insert(DescribeShape(*collision));
  }
  for (const XmlElement* visual : element.Children("visual")) {
    visual->MarkAllAsRead();
    if (touching.contains(DescribeShape(*visual))) continue;  // what is seen touches there
    context->Note(NoteKind::kIgnored, visual->where,
                  fmt::format("link '{}': {}", body.name, visual->Describe()),
                  collisions.empty() ? "is seen only: the link touches nothing"
                                     : "is seen only: the link touches by other shapes");
  }
  return body;
}

}  // namespace voigt
