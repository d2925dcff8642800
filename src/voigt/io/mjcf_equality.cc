#include <fmt/format.h>

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

void ReadConnect(const XmlReader& reader, MjcfContext* context) {
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
  context->out.spec.joints.push_back(joint);
}

void ReadWeld(const XmlReader& reader, MjcfContext* context) {
  const MjcfBody* first = FindEqualityBody(reader, "body1", true, context);
  const MjcfBody* second = FindEqualityBody(reader, "body2", false, context);
  const std::vector<double> pose = reader.Numbers("relpose", 7, 7);
  // A rigid weld is the same about any point and with any weight.
  reader.Ignore({"anchor", "torquescale"});
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
  context->out.spec.joints.push_back(joint);
  context->Note(ImportNote::Kind::kApproximated, reader.where(), reader.element().Describe(),
                "the two bodies are one piece, whose shapes do not touch each other");
}

double FindReference(const MjcfContext& context, const std::string& joint) {
  const auto entry = context.out.reference.find(joint);
  return entry == context.out.reference.end() ? 0 : entry->second[0];
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

// q₁ − q₁⁰ = c₀ + c₁ (q₂ − q₂⁰) + …, where q⁰ is the reference.
void ReadJointEquality(const XmlReader& reader, MjcfContext* context) {
  std::array<double, 5> c = {0, 1, 0, 0, 0};
  reader.Overwrite("polycoef", 1, c);
  const std::string first = reader.RequiredText("joint1"), second = reader.Text("joint2");
  if (first.empty() || FindScalarJoint(reader, first, *context) == nullptr) return;
  CouplerSpec coupler;
  coupler.terms = {{first, 0, 1}};
  coupler.offset = c[0] + FindReference(*context, first);
  if (!second.empty()) {
    if (FindScalarJoint(reader, second, *context) == nullptr) return;
    if (c[2] != 0 || c[3] != 0 || c[4] != 0) {
      context->Note(ImportNote::Kind::kApproximated, reader.where(), reader.element().Describe(),
                    "polycoef: powers above the first are left out");
    }
    if (c[1] != 0) coupler.terms.push_back({second, 0, -c[1]});
    coupler.offset -= c[1] * FindReference(*context, second);
  }
  ConstraintSpec constraint;
  constraint.name = reader.Text("name", fmt::format("{}_{}", first, second));
  constraint.kind = coupler;
  constraint.where = reader.where();
  context->out.spec.constraints.push_back(constraint);
}

}  // namespace

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
    if (!MapMjcfSolver(solver, 1).is_rigid()) {
      context->Note(ImportNote::Kind::kApproximated, element.where, element.Describe(),
                    "solref: the constraint is rigid");
    }
    if (element.name == "connect") ReadConnect(reader, context);
    if (element.name == "weld") ReadWeld(reader, context);
    if (element.name == "joint") ReadJointEquality(reader, context);
    if (element.name == "tendon") ReadMjcfTendonEquality(element, context);
  }
}

}  // namespace voigt
