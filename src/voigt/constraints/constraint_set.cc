#include "voigt/constraints/constraint_set.h"

#include <string>
#include <utility>
#include <variant>

#include "voigt/constraints/actuator_row.h"
#include "voigt/constraints/cone_limit.h"
#include "voigt/constraints/constant_speed.h"
#include "voigt/constraints/coupler.h"
#include "voigt/constraints/distance.h"
#include "voigt/constraints/joint_friction.h"
#include "voigt/constraints/joint_limit.h"
#include "voigt/constraints/joint_lock.h"
#include "voigt/constraints/knife_edge.h"
#include "voigt/constraints/loop_joint.h"
#include "voigt/constraints/loop_joint_forces.h"
#include "voigt/constraints/motor.h"
#include "voigt/constraints/point_in_plane.h"
#include "voigt/constraints/point_on_circle.h"
#include "voigt/constraints/point_on_line.h"
#include "voigt/constraints/prescribed_joint.h"
#include "voigt/constraints/prescribed_point.h"
#include "voigt/constraints/rolling.h"
#include "voigt/constraints/row_writer.h"
#include "voigt/constraints/servo.h"
#include "voigt/constraints/tendon.h"
#include "voigt/dynamics/drive_forces.h"

namespace voigt {
namespace {

using List = std::vector<std::shared_ptr<const Constraint>>;

// What joints of the tree and of loops have in common.
void AddLimitsAndFriction(const Model& model, const JointRows& rows, List* list) {
  const Joint& joint = rows.joint(model);
  if (joint.lower.array().isFinite().any() || joint.upper.array().isFinite().any()) {
    list->push_back(MakeJointLimit(model, rows));
  }
  if (joint.cone_limit) list->push_back(MakeConeLimit(model, rows));
  const bool has_viscous = (joint.viscous_friction.array() > 0).any();
  if ((joint.dry_friction.array() > 0).any() || (joint.viscous_in_bounds && has_viscous)) {
    list->push_back(MakeJointFriction(model, rows));
  }
  if (joint.reaction_friction.is_present()) {
    list->push_back(MakeJointReactionFriction(model, rows));
  }
}

void AddLoop(const Model& model, int loop, List* list) {
  const Joint& joint = model.loops()[loop];
  if (joint.type != JointType::kFree) list->push_back(MakeLoopJoint(model, loop));
  if ((joint.stiffness.array() > 0).any()) list->push_back(MakeLoopSpring(model, loop));
  const bool has_damper = !joint.viscous_in_bounds && (joint.viscous_friction.array() > 0).any();
  if ((joint.damping.array() > 0).any() || has_damper) {
    list->push_back(MakeLoopDamper(model, loop));
  }
  if ((joint.armature.array() > 0).any()) list->push_back(MakeLoopArmature(model, loop));
  AddLimitsAndFriction(model, JointRows::OfLoop(model, loop), list);
}

// Loads and drives of tree joints are forces where they can be (dynamics/).
void AddLoadsAndDrives(const Model& model, List* list, std::vector<int>* loop_of) {
  const auto add = [&](const std::string& joint, std::shared_ptr<const Constraint> constraint) {
    list->push_back(std::move(constraint));
    loop_of->push_back(model.FindLoop(joint).value_or(-1));
  };
  for (const JointLoad& load : model.joint_loads()) {
    if (model.FindLoop(load.joint)) add(load.joint, MakeLoopLoad(model, load));
  }
  for (const Servo& servo : model.servos()) {
    if (model.FindLoop(servo.joint) || !servo.force_limit.empty()) {
      add(servo.joint, MakeServo(model, servo));
    }
  }
  for (const Motor& motor : model.spec().motors) add(motor.joint, MakeMotor(model, motor));
  for (const PrescribedJoint& motion : model.spec().prescribed_joints) {
    add(motion.joint, MakePrescribedJoint(model, motion));
  }
  for (const TendonSpec& tendon : model.spec().tendons) {
    if (ActsByItself(tendon)) add("", MakeTendon(model, tendon));
  }
  for (int i = 0; i < model.actuator_count(); ++i) {
    if (!IsAppliedAsForce(model, i)) add(model.actuators()[i].joint, MakeActuatorRow(model, i));
  }
}

struct AddConstraint {
  const Model& model;
  const ConstraintSpec& spec;
  List* list;

  void operator()(const DistanceSpec& kind) const {
    list->push_back(MakeDistance(model, spec, kind));
  }
  void operator()(const PointOnLineSpec& kind) const {
    list->push_back(MakePointOnLine(model, spec, kind));
  }
  void operator()(const PointOnCircleSpec& kind) const {
    list->push_back(MakePointOnCircle(model, spec, kind));
  }
  void operator()(const PointInPlaneSpec& kind) const {
    list->push_back(MakePointInPlane(model, spec, kind));
  }
  void operator()(const CouplerSpec& kind) const {
    list->push_back(MakeCoupler(model, spec, kind));
  }
  void operator()(const JointLockSpec& kind) const {
    list->push_back(MakeJointLock(model, spec, kind));
  }
  void operator()(const RollingSpec& kind) const {
    if (kind.touch) list->push_back(MakeRollingTouch(model, spec, kind));
    list->push_back(MakeRolling(model, spec, kind));
  }
  void operator()(const KnifeEdgeSpec& kind) const {
    list->push_back(MakeKnifeEdge(model, spec, kind));
  }
  void operator()(const ConstantSpeedSpec& kind) const {
    list->push_back(MakeConstantSpeed(model, spec, kind));
  }
  void operator()(const PrescribedPointSpec& kind) const {
    list->push_back(MakePrescribedPoint(model, spec, kind));
  }
};

}  // namespace

ConstraintSet::ConstraintSet(const Model& model) {
  for (int b = 1; b < model.nb(); ++b) {
    AddLimitsAndFriction(model, JointRows::OfTree(model, b), &list_);
  }
  loop_of_.resize(list_.size(), -1);
  for (int l = 0; l < static_cast<int>(model.loops().size()); ++l) {
    AddLoop(model, l, &list_);
    loop_of_.resize(list_.size(), l);
  }
  AddLoadsAndDrives(model, &list_, &loop_of_);
  for (const ConstraintSpec& spec : model.spec().constraints) {
    std::visit(AddConstraint{model, spec, &list_}, spec.kind);
  }
  for (const auto& constraint : model.spec().user_constraints) list_.push_back(constraint);
  loop_of_.resize(list_.size(), -1);
  for (const auto& constraint : list_) has_reaction_friction_ |= constraint->HasReactionFriction();
}

void ConstraintSet::AddRows(const ConstraintContext& at, VelocityProblem* problem,
                            std::vector<RowWrench>* wrenches) const {
  RowWriter rows(at.model, at.kin, problem, wrenches);
  for (size_t i = 0; i < list_.size(); ++i) {
    rows.SetConstraint(static_cast<int>(i));
    list_[i]->AddRows(at, &rows);
  }
}

void ConstraintSet::AddFriction(const ConstraintContext& at, VelocityProblem* problem,
                                std::vector<RowWrench>* wrenches,
                                std::vector<FrictionRows>* out) const {
  const size_t first = problem->groups.size();
  RowWriter rows(at.model, at.kin, problem, wrenches);
  for (size_t i = 0; i < list_.size(); ++i) {
    if (!list_[i]->HasReactionFriction()) continue;
    rows.SetConstraint(static_cast<int>(i));
    const size_t before = out->size();
    const int first_row = problem->row_count();
    list_[i]->AddFriction(at, &rows, out);
    for (size_t k = before; k < out->size(); ++k) {
      FrictionRows& friction = (*out)[k];
      friction.first_row = first_row;
      if (friction.loop < 0) friction.constraint = static_cast<int>(i);
    }
  }
  for (size_t g = first; g < problem->groups.size(); ++g) problem->groups[g].id |= kFrictionId;
}

}  // namespace voigt
