#include "voigt/io/recording_model.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "voigt/math/rotation.h"
#include "voigt/model/convex_hull.h"
#include "voigt/sim/force_report.h"
#include "voigt/sim/friction_element.h"

namespace voigt {
namespace {

struct PartName {
  const char *name, *unit;
};
using PartNames = std::vector<PartName>;

PartNames NameCoordinates(JointType type) {
  const PartNames quaternion = {{"qw", "1"}, {"qx", "1"}, {"qy", "1"}, {"qz", "1"}};
  switch (type) {
    case JointType::kFixed:
      return {};
    case JointType::kRevolute:
    case JointType::kScrew:
      return {{"", "rad"}};
    case JointType::kPrismatic:
      return {{"", "m"}};
    case JointType::kCylindrical:
      return {{"angle", "rad"}, {"z", "m"}};
    case JointType::kUniversal:
      return {{"angle1", "rad"}, {"angle2", "rad"}};
    case JointType::kPlanar:
      return {{"x", "m"}, {"y", "m"}, {"angle", "rad"}};
    case JointType::kBall:
      return quaternion;
    case JointType::kFree: {
      PartNames out = {{"x", "m"}, {"y", "m"}, {"z", "m"}};
      out.insert(out.end(), quaternion.begin(), quaternion.end());
      return out;
    }
  }
  return {};
}

PartNames NameRates(JointType type) {
  const PartNames rotation = {{"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"}};
  if (type == JointType::kBall) return rotation;
  if (type == JointType::kFree) {
    PartNames out = {{"vx", "m/s"}, {"vy", "m/s"}, {"vz", "m/s"}};
    out.insert(out.end(), rotation.begin(), rotation.end());
    return out;
  }
  PartNames out = NameCoordinates(type);
  for (int k = 0; k < static_cast<int>(out.size()); ++k) {
    out[k].unit = IsAngularDof(type, k) ? "rad/s" : "m/s";
  }
  return out;
}

NumberNames ListNumbers(const Model& model, PartNames (*name_parts)(JointType)) {
  NumberNames out;
  for (int b = 1; b < model.nb(); ++b) {
    for (const PartName& part : name_parts(model.tree().type[b])) {
      const std::string joint = model.joint(b).name;
      out.names.push_back(*part.name == '\0' ? joint : joint + "." + part.name);
      out.units.emplace_back(part.unit);
    }
  }
  return out;
}

std::int64_t ToSize(size_t count) { return static_cast<std::int64_t>(count); }

void AppendPose(const Pose& pose, std::vector<double>* out) {
  const Vec4 q = MatrixToQuaternion(pose.R);
  out->insert(out->end(), {pose.p[0], pose.p[1], pose.p[2], q[0], q[1], q[2], q[3]});
}

void WriteBodies(const Model& model, Hdf5File* file) {
  std::vector<std::string> names;
  std::vector<double> mass, com, inertia;
  for (int b = 0; b < model.nb(); ++b) {
    const Body& body = model.body(b);
    names.push_back(b == 0 ? "world" : body.name);
    mass.push_back(body.mass.mass);
    com.insert(com.end(), body.mass.com.begin(), body.mass.com.end());
    inertia.insert(inertia.end(), body.mass.inertia.data(), body.mass.inertia.data() + 9);
  }
  const std::int64_t nb = model.nb();
  file->WriteTexts("/model/bodies/name", names);
  file->WriteDoubles("/model/bodies/mass", {nb}, mass);
  file->WriteDoubles("/model/bodies/com", {nb, 3}, com);
  file->WriteDoubles("/model/bodies/inertia", {nb, 3, 3}, inertia);
}

void WriteJoints(const Model& model, Hdf5File* file) {
  std::vector<std::string> names, types;
  std::vector<std::int64_t> parent, child, q_start, v_start;
  std::vector<double> X_PF, X_CM;
  const auto add = [&](const Joint& joint, int q, int v) {
    names.push_back(joint.name);
    types.emplace_back(ToString(joint.type));
    parent.push_back(joint.parent);
    child.push_back(joint.child);
    q_start.push_back(q);
    v_start.push_back(v);
    AppendPose(joint.X_PF, &X_PF);
    AppendPose(joint.X_CM, &X_CM);
  };
  for (int b = 1; b < model.nb(); ++b) {
    add(model.joint(b), model.tree().q_start[b], model.tree().v_start[b]);
  }
  for (const Joint& loop : model.loops()) add(loop, -1, -1);
  file->WriteTexts("/model/joints/name", names);
  file->WriteTexts("/model/joints/type", types);
  file->WriteIntegers("/model/joints/parent", parent);
  file->WriteIntegers("/model/joints/child", child);
  file->WriteIntegers("/model/joints/q_start", q_start);
  file->WriteIntegers("/model/joints/v_start", v_start);
  file->WriteDoubles("/model/joints/frame_in_parent", {ToSize(names.size()), 7}, X_PF);
  file->WriteDoubles("/model/joints/frame_in_child", {ToSize(names.size()), 7}, X_CM);
}

// The lengths that tell a shape of its kind from another; NaN for the rest.
Vec3 ListLengths(const Shape& shape) {
  struct {
    Vec3 operator()(const Sphere& s) const { return {s.radius, kNaN, kNaN}; }
    Vec3 operator()(const Box& s) const { return s.size; }
    Vec3 operator()(const Capsule& s) const { return {s.radius, s.length, kNaN}; }
    Vec3 operator()(const Cylinder& s) const { return {s.radius, s.length, kNaN}; }
    Vec3 operator()(const Ellipsoid& s) const { return s.radii; }
    Vec3 operator()(const Foundation& s) const { return {s.size[0], s.size[1], kNaN}; }
    Vec3 operator()(const HeightField& s) const { return {s.spacing[0], s.spacing[1], kNaN}; }
    Vec3 operator()(const HalfSpace&) const { return Vec3::Constant(kNaN); }
    Vec3 operator()(const ConvexHull&) const { return Vec3::Constant(kNaN); }
    Vec3 operator()(const TriangleMesh&) const { return Vec3::Constant(kNaN); }
    Vec3 operator()(const ContactPoints&) const { return Vec3::Constant(kNaN); }
  } list;
  return std::visit(list, shape);
}

// What there is to draw beside the lengths: the surface of meshes, hulls and height fields, and
// points.
TriangleMesh MakeDrawnMesh(const Shape& shape) {
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) return *mesh;
  if (const auto* points = std::get_if<ContactPoints>(&shape)) return {points->positions, {}};
  if (const auto* field = std::get_if<HeightField>(&shape)) return MakeMesh(*field);
  if (const auto* hull = std::get_if<ConvexHull>(&shape)) {
    std::string defect;
    return MakeConvexHullMesh(hull->points, &defect).value_or(TriangleMesh{hull->points, {}});
  }
  return {};
}

void WriteGeometry(const Model& model, Hdf5File* file) {
  std::vector<std::string> names, shapes, materials;
  std::vector<std::int64_t> vertex_start, vertex_count, triangle_start, triangle_count;
  std::vector<double> pose, lengths, vertices;
  std::vector<std::int64_t> body(model.geometry().size()), triangles;
  for (int b = 0; b < model.nb(); ++b) {
    for (int k = 0; k < model.body(b).geometry_count; ++k) {
      body[model.body(b).first_geometry + k] = b;
    }
  }
  for (int g = 0; g < static_cast<int>(model.geometry().size()); ++g) {
    const Geometry& geometry = model.geometry()[g];
    names.push_back(geometry.name);
    shapes.emplace_back(ShapeName(geometry.shape));
    materials.push_back(model.material(g).name);
    AppendPose(geometry.X_BG, &pose);
    const Vec3 size = ListLengths(geometry.shape);
    lengths.insert(lengths.end(), size.begin(), size.end());
    const TriangleMesh mesh = MakeDrawnMesh(geometry.shape);
    vertex_start.push_back(ToSize(vertices.size() / 3));
    vertex_count.push_back(ToSize(mesh.vertices.size()));
    triangle_start.push_back(ToSize(triangles.size() / 3));
    triangle_count.push_back(ToSize(mesh.triangles.size()));
    for (const Vec3& v : mesh.vertices) vertices.insert(vertices.end(), v.begin(), v.end());
    for (const auto& t : mesh.triangles) triangles.insert(triangles.end(), t.begin(), t.end());
  }
  const std::int64_t ng = ToSize(names.size());
  const std::string group = "/model/geometry/";
  file->WriteTexts(group + "name", names);
  file->WriteTexts(group + "shape", shapes);
  file->WriteTexts(group + "material", materials);
  file->WriteIntegers(group + "body", body);
  file->WriteDoubles(group + "pose", {ng, 7}, pose);
  file->WriteDoubles(group + "size", {ng, 3}, lengths);
  file->WriteIntegers(group + "vertex_start", vertex_start);
  file->WriteIntegers(group + "vertex_count", vertex_count);
  file->WriteIntegers(group + "triangle_start", triangle_start);
  file->WriteIntegers(group + "triangle_count", triangle_count);
  file->WriteDoubles(group + "vertices", {ToSize(vertices.size() / 3), 3}, vertices);
  file->Write(group + "triangles", Hdf5Type::kInt64, {ToSize(triangles.size() / 3), 3},
              triangles.data());
}

}  // namespace

NumberNames ListConstraintForces(const Model& model) {
  const ConstraintSet constraints(model);
  const std::vector<ConstraintForce> rows = ListConstraintRows(model, constraints);
  NumberNames out;
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto is_of_same = [&](size_t k) {
      return k < rows.size() && rows[k].constraint == rows[i].constraint;
    };
    const bool is_only = rows[i].row == 0 && !is_of_same(i + 1);
    const std::string name = constraints.list()[rows[i].constraint]->name();
    out.names.push_back(is_only ? name : fmt::format("{}, row {}", name, rows[i].row));
    out.units.emplace_back(rows[i].is_angular ? "N m" : "N");
  }
  return out;
}

NumberNames ListCoordinates(const Model& model) { return ListNumbers(model, NameCoordinates); }

NumberNames ListRates(const Model& model) { return ListNumbers(model, NameRates); }

void WriteRecordingModel(const Model& model, Hdf5File* file) {
  const Vec3& g = model.gravity();
  file->WriteDoubles("/model/gravity", {3}, {g[0], g[1], g[2]});
  file->SetText("/model", "name", model.name());
  WriteBodies(model, file);
  WriteJoints(model, file);
  const NumberNames coordinates = ListCoordinates(model), rates = ListRates(model);
  file->WriteTexts("/model/coordinates/name", coordinates.names);
  file->WriteTexts("/model/coordinates/unit", coordinates.units);
  file->WriteTexts("/model/rates/name", rates.names);
  file->WriteTexts("/model/rates/unit", rates.units);
  const NumberNames rows = ListConstraintForces(model);
  file->WriteTexts("/model/constraint_rows/name", rows.names);
  file->WriteTexts("/model/constraint_rows/unit", rows.units);
  WriteGeometry(model, file);
  file->WriteTexts("/model/guides/name", FrictionNames(model).guides());
}

void WriteRecordingSettings(const SimulationSettings& settings, Hdf5File* file) {
  const std::string group = "/settings";
  file->MakeGroup(group);
  file->SetNumber(group, "step", settings.step);
  file->SetNumber(group, "until", settings.until);
  file->SetNumber(group, "record_interval", settings.record_interval);
  file->SetText(group, "integrator", std::string(ToString(settings.integrator)));
  file->SetText(group, "formulation", std::string(ToString(settings.formulation.kind)));
  file->SetNumber(group, "stabilization_joints", settings.stabilization.joints);
  file->SetNumber(group, "stabilization_contacts", settings.stabilization.contacts);
  file->SetText(group, "friction", std::string(ToString(settings.formulation.compliant.friction)));
  file->SetText(group, "curvature", std::string(ToString(settings.curvature)));
  file->SetNumber(group, "tolerance", settings.formulation.tolerance());
  file->SetNumber(group, "aim", settings.formulation.aim());
  file->SetInteger(group, "max_iterations", settings.formulation.compliant.max_iterations);
  file->SetNumber(group, "time_limit", settings.formulation.compliant.time_limit);
  file->SetInteger(group, "audit", static_cast<int>(settings.audit));
}

}  // namespace voigt
