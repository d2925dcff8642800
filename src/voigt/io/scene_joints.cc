#include <fmt/format.h>

#include <optional>

#include "voigt/io/scene_sections.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

// limits: [lower, upper], or one such pair for each degree of freedom.
void ReadLimits(ObjectReader* reader, JointSpec* joint) {
  const YamlValue* limits = reader->Find("limits");
  if (limits == nullptr) return;
  const auto fail = [&](const YamlValue& at) {
    reader->Fail(at, "limits", at.Describe() + ", expected [lower, upper] or a list of such pairs");
  };
  if (!limits->IsList() || limits->items.empty()) return fail(*limits);
  const auto add_pair = [&](const YamlValue& value) {
    if (!value.IsList() || value.items.size() != 2) return fail(value);
    const std::vector<double> pair = reader->ToNumbers(value, "limits");
    joint->lower.push_back(pair[0]);
    joint->upper.push_back(pair[1]);
  };
  if (!limits->items[0].IsList()) return add_pair(*limits);
  for (const YamlValue& item : limits->items) add_pair(item);
}

// Nothing if the type is missing or unknown.
std::optional<JointType> ReadType(ObjectReader* reader) {
  const std::string name = reader->RequiredText("type");
  const auto type = JointTypeFromString(name);
  if (type || name.empty()) return type;
  std::vector<std::string_view> names;
  for (int i = 0; i < kJointTypeCount; ++i) names.push_back(ToString(static_cast<JointType>(i)));
  reader->Fail(*reader->Find("type"), "type",
               fmt::format("'{}', expected {}", name, ListChoices(names)));
  return std::nullopt;
}

// Axes of which one is bad are both left out: whether they fit together nobody can say.
void ReadAxes(ObjectReader* reader, JointSpec* joint) {
  const size_t before = reader->CountProblems();
  joint->axis = reader->OptionalVector("axis");
  joint->axis2 = reader->OptionalVector("axis2");
  if (reader->CountProblems() == before) return;
  joint->axis.reset();
  joint->axis2.reset();
}

void ReadSpring(ObjectReader* reader, JointSpec* joint) {
  const YamlValue* value = reader->Find("spring");
  if (value == nullptr) return;
  ObjectReader spring(*value, reader->path() + ".spring", reader->context());
  joint->stiffness = spring.RequiredNumbers("stiffness", "N/m or N m/rad");
  joint->rest = ReadCoordinates(&spring, "rest", joint->type);
  spring.Finish();
}

void ReadFriction(ObjectReader* reader, JointSpec* joint) {
  const YamlValue* value = reader->Find("friction");
  if (value == nullptr) return;
  ObjectReader friction(*value, reader->path() + ".friction", reader->context());
  joint->dry_friction = friction.Numbers("dry");
  joint->viscous_friction = friction.Numbers("viscous");
  joint->viscous_in_bounds =
      friction.Choice<bool>("viscous_as", {{"damper", false}, {"bound", true}}).value_or(false);
  joint->reaction_friction = ReadReactionFriction(&friction, true);
  friction.Finish();
}

// Stiffness and damping of a joint's limits, or of the joint itself where it closes a loop.
void ReadCompliances(ObjectReader* reader, JointSpec* joint) {
  joint->limit_stiffness = reader->Number("limit_stiffness", joint->limit_stiffness);
  joint->limit_damping = reader->Number("limit_damping", joint->limit_damping);
  joint->loop_stiffness = reader->Number("loop_stiffness", joint->loop_stiffness);
  joint->loop_damping = reader->Number("loop_damping", joint->loop_damping);
  if (reader->Has("loop_angular_stiffness")) {
    joint->loop_angular_stiffness = reader->Number("loop_angular_stiffness", kInfinity);
  }
  if (reader->Has("loop_angular_damping")) {
    joint->loop_angular_damping = reader->Number("loop_angular_damping", 0);
  }
}

}  // namespace

ReactionFriction ReadReactionFriction(ObjectReader* friction, bool with_radius) {
  ReactionFriction out;
  out.mu_kinetic = friction->Number("kinetic", friction->Number("static", 0));
  out.mu_static = friction->Number("static", out.mu_kinetic);
  out.drop_speed = friction->Number("drop_speed", 0);
  if (with_radius) out.radius = friction->Number("radius", 0);
  return out;
}

std::vector<double> ReadCoordinates(ObjectReader* reader, std::string_view key, JointType type) {
  const YamlValue* value = reader->Find(key);
  if (value == nullptr || !value->IsMap()) return reader->Numbers(key);
  if (!HasQuaternion(type)) {
    reader->Fail(*value, key,
                 fmt::format("a pose, expected the coordinates of a {} joint", ToString(type)));
    return {};
  }
  Pose X;
  std::vector<double> out;
  if (type == JointType::kFree) {
    X = reader->PoseUnder(key);
    out.assign(X.p.begin(), X.p.end());
  } else {
    X.R = reader->RotationUnder(key);
  }
  const Vec4 q = MatrixToQuaternion(X.R);
  out.insert(out.end(), q.begin(), q.end());
  return out;
}

JointSpec ReadJoint(ObjectReader* reader) {
  JointSpec joint;
  joint.where = reader->where();
  joint.name = reader->RequiredName();
  const auto type = ReadType(reader);
  joint.type = type.value_or(JointType::kFixed);
  joint.parent = reader->Text("parent", "world");
  joint.child = reader->RequiredText("child");
  joint.X_PF = reader->PoseUnder("frame");
  joint.X_CM = reader->PoseUnder("child_frame");
  ReadAxes(reader, &joint);
  joint.pitch = joint.type == JointType::kScrew ? reader->RequiredNumber("pitch", 0)
                                                : reader->Number("pitch", 0);
  ReadLimits(reader, &joint);
  if (reader->Has("cone_limit")) joint.cone_limit = reader->Number("cone_limit", 1);
  ReadCompliances(reader, &joint);
  ReadSpring(reader, &joint);
  joint.damping = reader->Numbers("damping");
  joint.armature = reader->Numbers("armature");
  ReadFriction(reader, &joint);
  joint.bodies_touch = reader->Flag("bodies_touch", false);
  joint.tree = reader
                   ->Choice<TreeChoice>("tree", {{"auto", TreeChoice::kAuto},
                                                 {"tree", TreeChoice::kTree},
                                                 {"loop", TreeChoice::kLoop}})
                   .value_or(TreeChoice::kAuto);
  if (type) return joint;
  // Without the type nobody can say whether the rest fits.
  JointSpec bare;
  bare.name = joint.name;
  bare.parent = joint.parent;
  bare.child = joint.child;
  bare.where = joint.where;
  return bare;
}

}  // namespace voigt
