#include <fmt/format.h>

#include <algorithm>

#include "voigt/io/mjcf_context.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

const MjcfBody* FindEqualityBody(const XmlReader& reader, std::string_view attribute,
                                 bool is_required, MjcfContext* context) {
  const std::string name = is_required ? reader.RequiredText(attribute)
                                       : reader.Text(attribute, context->bodies[0].name);
  const MjcfBody* body = context->FindBody(name);
  if (body == nullptr && !name.empty()) {
    reader.Fail(fmt::format("body '{}' does not exist", name));
  }
  return body;
}

// A joint beside the tree, where the bodies are in the file's pose.
JointSpec MakeMjcfLoop(const XmlReader& reader, JointType type, const MjcfBody& first,
                       const MjcfBody& second, MjcfContext* context) {
  JointSpec joint;
  const std::string name = reader.Text("name");
  joint.name = TakeName(name.empty() ? fmt::format("{}_{}", first.name, second.name) : name,
                        &context->joint_names);
  joint.type = type;
  joint.parent = first.name;
  joint.child = second.name;
  joint.tree = TreeChoice::kLoop;
  joint.bodies_touch = true;
  joint.where = reader.where();
  return joint;
}

void AddMjcfLoop(const JointSpec& joint, const MjcfSolver& solver, double torque_scale,
                 MjcfContext* context) {
  std::vector<JointSpec>& joints = context->out.spec.joints;
  if (IsSoftMjcf(solver)) context->soft_loops.push_back({joints.size(), solver, torque_scale});
  joints.push_back(joint);
}

void ReadConnect(const XmlReader& reader, const MjcfSolver& solver, MjcfContext* context) {
  const MjcfBody* first = FindEqualityBody(reader, "body1", true, context);
  const MjcfBody* second = FindEqualityBody(reader, "body2", false, context);
  const Vec3 anchor = reader.Vector("anchor", Vec3::Zero());
  if (!reader.Has("anchor")) {
    reader.Fail("'anchor' is missing, expected a point of the first body");
  }
  if (first == nullptr || second == nullptr) return;
  JointSpec joint = MakeMjcfLoop(reader, JointType::kBall, *first, *second, context);
  joint.X_PF.p = anchor;
  joint.X_CM.p = second->X_WB.Inverse() * (first->X_WB * anchor);
  AddMjcfLoop(joint, solver, 1, context);
}

void ReadWeld(const XmlReader& reader, const MjcfSolver& solver, MjcfContext* context) {
  const MjcfBody* first = FindEqualityBody(reader, "body1", true, context);
  const MjcfBody* second = FindEqualityBody(reader, "body2", false, context);
  const std::vector<double> pose = reader.Numbers("relpose", 7, 7);
  // The point of the second body at which displacements count; a rigid weld has no need of it.
  const Vec3 anchor = reader.Vector("anchor", Vec3::Zero());
  const double torque_scale = reader.Number("torquescale", 1);
  if (first == nullptr || second == nullptr) return;
  JointSpec joint = MakeMjcfLoop(reader, JointType::kFixed, *first, *second, context);
  joint.X_PF = first->X_WB.Inverse() * second->X_WB;
  if (!pose.empty()) {
    const Vec4 quaternion(pose[3], pose[4], pose[5], pose[6]);
    // All zero stands for the pose in the file.
    if (quaternion.norm() > 1e-12) {
      joint.X_PF = {QuaternionToMatrix(quaternion), Vec3(pose[0], pose[1], pose[2])};
    }
  }
  joint.X_PF.p = joint.X_PF * anchor;
  joint.X_CM.p = anchor;
  if (IsSoftMjcf(solver) && torque_scale <= 0) {
    reader.Fail(fmt::format("torquescale = {}, expected a number > 0", torque_scale));
  }
  AddMjcfLoop(joint, solver, torque_scale, context);
  context->Note(ImportNote::Kind::kApproximated, reader.where(), reader.element().Describe(),
                "the two bodies are one piece, whose shapes do not touch each other");
}

const JointSpec* FindScalarJoint(const XmlReader& reader, const std::string& name,
                                 const MjcfContext& context) {
  const JointSpec* joint = context.FindJoint(name);
  if (joint == nullptr) {
    reader.Fail(fmt::format("joint '{}' does not exist", name));
  } else if (CoordinateCount(joint->type) != 1) {
    reader.Fail(fmt::format("joint '{}' is no hinge or slide", name));
    return nullptr;
  }
  return joint;
}

void ReadJointEquality(const XmlReader& reader, const MjcfSolver& solver, MjcfContext* context) {
  const std::string first = reader.RequiredText("joint1"), second = reader.Text("joint2");
  if (first.empty() || FindScalarJoint(reader, first, *context) == nullptr) return;
  std::vector<JointTerm> argument;
  if (!second.empty()) {
    if (FindScalarJoint(reader, second, *context) == nullptr) return;
    argument = {{second, 0, 1}};
  }
  AddMjcfCoupler(reader, fmt::format("{}_{}", first, second), {{first, 0, 1}}, argument, solver,
                 context);
}

double CalcReferenceLength(const MjcfContext& context, const std::vector<JointTerm>& terms) {
  double l = 0;
  for (const JointTerm& term : terms) l += term.factor * context.FindReference(term.joint);
  return l;
}

}  // namespace

void AddMjcfCoupler(const XmlReader& reader, const std::string& fallback_name,
                    const std::vector<JointTerm>& first, const std::vector<JointTerm>& second,
                    const MjcfSolver& solver, MjcfContext* context) {
  std::array<double, 5> c = {0, 1, 0, 0, 0};
  reader.Overwrite("polycoef", 1, c);
  CouplerSpec coupler;
  coupler.terms = first;
  coupler.offset = c[0] + CalcReferenceLength(*context, first);
  if (!second.empty()) {
    for (const JointTerm& term : second) {
      AddMjcfTerm(term.joint, -c[1] * term.factor, &coupler.terms);
    }
    coupler.zero = CalcReferenceLength(*context, second);
    coupler.offset -= c[1] * coupler.zero;
    coupler.curve.assign(c.begin() + 2, c.end());
    while (!coupler.curve.empty() && coupler.curve.back() == 0) coupler.curve.pop_back();
    if (!coupler.curve.empty()) coupler.argument = second;
  }
  std::erase_if(coupler.terms, [](const JointTerm& term) { return term.factor == 0; });
  if (coupler.terms.empty()) return reader.Fail("holds a joint or tendon to itself");
  ConstraintSpec constraint;
  constraint.name = reader.Text("name", fallback_name);
  constraint.kind = std::move(coupler);
  constraint.where = reader.where();
  std::vector<ConstraintSpec>& constraints = context->out.spec.constraints;
  if (IsSoftMjcf(solver)) {
    context->soft_couplers.push_back({constraints.size(), solver, {first}});
    if (!second.empty()) context->soft_couplers.back().lengths.push_back(second);
  }
  constraints.push_back(std::move(constraint));
}

void ReadMjcfEquality(const XmlElement& section, MjcfContext* context) {
  section.was_read = true;
  for (const XmlElement& element : section.children) {
    const bool is_known = element.name == "connect" || element.name == "weld" ||
                          element.name == "joint" || element.name == "tendon";
    if (!is_known) continue;  // told as unsupported with all that nobody reads
    const XmlReader reader = context->ReaderOf(element, {"equality"}, "");
    const bool is_active = reader.Flag("active", true);
    const MjcfSolver solver = ReadMjcfSolver(reader, "solref", "solimp");
    reader.Ignore({"class", "name"});
    if (!is_active || !context->flags.equality) {
      element.MarkAllAsRead();
      context->Note(ImportNote::Kind::kIgnored, element.where, element.Describe(),
                    "is switched off in the file");
      continue;
    }
    if (element.name == "connect") ReadConnect(reader, solver, context);
    if (element.name == "weld") ReadWeld(reader, solver, context);
    if (element.name == "joint") ReadJointEquality(reader, solver, context);
    if (element.name == "tendon") ReadMjcfTendonEquality(reader, solver, context);
  }
}

}  // namespace voigt
