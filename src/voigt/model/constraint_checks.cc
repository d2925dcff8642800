#include "voigt/model/constraint_checks.h"

#include <fmt/format.h>

#include <cmath>

#include "voigt/model/element_check.h"

namespace voigt {
namespace {

struct KindCheck {
  const ElementCheck& check;
  const ElementNames& names;

  void operator()(const DistanceSpec& spec) const {
    names.TwoPoints(check, spec.A, spec.B);
    check.Positive(spec.length, "length");
  }
  void operator()(const PointOnLineSpec& spec) const {
    names.TwoPoints(check, spec.A, spec.B);
    check.Direction(spec.direction, "direction");
  }
  void operator()(const PointOnCircleSpec& spec) const {
    names.TwoPoints(check, spec.A, spec.B);
    check.Direction(spec.normal, "normal");
    check.Positive(spec.radius, "radius");
  }
  void operator()(const PointInPlaneSpec& spec) const {
    names.TwoPoints(check, spec.A, spec.B);
    check.Direction(spec.normal, "normal");
  }
  void operator()(const CouplerSpec& spec) const {
    CheckTerms(check, names, spec.terms, true);
    check.Finite(spec.offset, "offset");
    check.Finite(spec.zero, "zero");
    for (double factor : spec.curve) check.Finite(factor, "curve");
    if (!spec.curve.empty()) CheckTerms(check, names, spec.argument, true);
  }
  void operator()(const JointLockSpec& spec) const {
    const JointType* const type = names.Joint(check, spec.joint);
    if (type == nullptr) return;
    if (DofCount(*type) == 0) return check.Fail("locks a fixed joint, which does not move");
    check.Size(spec.at, CoordinateCount(*type), "at", false, true);
    for (double value : spec.at) check.Finite(value, "at");
    if (!HasQuaternion(*type) || spec.at.size() != static_cast<size_t>(CoordinateCount(*type))) {
      return;
    }
    const Eigen::Map<const Vec4> quaternion(spec.at.data() + QuaternionStart(*type));
    if (!(std::abs(quaternion.norm() - 1) < 1e-6)) {
      check.Fail("the orientation it is locked at is not a unit quaternion");
    }
  }
  void operator()(const RollingSpec& spec) const {
    names.TwoPoints(check, spec.A, spec.B);
    check.Direction(spec.normal, "normal");
    check.Positive(spec.radius, "radius");
    if (spec.axis) check.Direction(*spec.axis, "axis");
  }
  void operator()(const KnifeEdgeSpec& spec) const {
    names.Point(check, spec.B);
    names.Body(check, spec.on);
    names.TwoBodies(check, spec.on, spec.B.body);
    check.Direction(spec.direction, "direction");
  }
  void operator()(const ConstantSpeedSpec& spec) const {
    CheckTerms(check, names, spec.terms, false);
    check.Constant(spec.speed, "speed");
  }
  void operator()(const PrescribedPointSpec& spec) const {
    names.Point(check, spec.B);
    names.Body(check, spec.on);
    names.TwoBodies(check, spec.on, spec.B.body);
    check.Constants(spec.position, "position");
  }
};

bool IsAboutVelocities(const ConstraintSpec& spec) {
  return std::holds_alternative<RollingSpec>(spec.kind) ||
         std::holds_alternative<KnifeEdgeSpec>(spec.kind) ||
         std::holds_alternative<ConstantSpeedSpec>(spec.kind);
}

bool GuidesAPoint(const ConstraintSpec& spec) {
  return std::holds_alternative<PointOnLineSpec>(spec.kind) ||
         std::holds_alternative<PointOnCircleSpec>(spec.kind) ||
         std::holds_alternative<PointInPlaneSpec>(spec.kind);
}

void CheckFriction(const ElementCheck& check, const ReactionFriction& friction) {
  const auto not_negative = [&](double value, const char* what) {
    if (std::isfinite(value) && value >= 0) return;
    check.Fail(fmt::format("friction: {} = {}, expected a finite number ≥ 0", what, value));
  };
  not_negative(friction.mu_kinetic, "kinetic");
  not_negative(friction.mu_static, "static");
  not_negative(friction.drop_speed, "drop_speed");
  not_negative(friction.radius, "radius");
  if (friction.mu_static < friction.mu_kinetic) {
    check.Fail(fmt::format("friction: static = {}, expected at least the kinetic {}",
                           friction.mu_static, friction.mu_kinetic));
  }
}

void CheckBearing(const ElementCheck& check, const JointSpec& joint) {
  const ReactionFriction& friction = joint.reaction_friction;
  CheckFriction(check, friction);
  const bool turns = joint.type == JointType::kRevolute || joint.type == JointType::kBall ||
                     joint.type == JointType::kScrew;
  if (turns && friction.is_present() && friction.radius == 0) {
    check.Fail("friction: radius is missing, expected that of the bearing or thread in m");
  }
  if (turns) return;
  if (friction.radius != 0) {
    check.Fail("friction: radius belongs to revolute, ball and screw joints only");
  }
  if (friction.is_present() && joint.type != JointType::kPrismatic) {
    check.Fail(
        fmt::format("friction by the reaction belongs to revolute, prismatic, ball and screw "
                    "joints, not to a {} joint",
                    ToString(joint.type)));
  }
}

}  // namespace

void CheckJointConstraints(const ModelSpec& spec, ProblemList* problems) {
  for (const JointSpec& joint : spec.joints) {
    const ElementCheck check(joint.where, Describe(joint), problems);
    check.Compliance(joint.limit_stiffness, joint.limit_damping, "limit ");
    check.Compliance(joint.loop_stiffness, joint.loop_damping, "loop ");
    if (joint.loop_angular_stiffness || joint.loop_angular_damping) {
      check.Compliance(joint.loop_angular_stiffness.value_or(joint.loop_stiffness),
                       joint.loop_angular_damping.value_or(joint.loop_damping), "loop angular ");
    }
    if (!(joint.drive_limit > 0)) {
      check.Fail(fmt::format("drive limit = {}, expected a number > 0", joint.drive_limit));
    }
    CheckBearing(check, joint);
    if (!joint.cone_limit) continue;
    if (joint.type != JointType::kBall) check.Fail("a cone limit belongs to ball joints only");
    if (!(*joint.cone_limit > 0 && *joint.cone_limit < kPi)) {
      check.Fail(
          fmt::format("cone limit = {}, expected an angle between 0 and π", *joint.cone_limit));
    }
  }
}

void CheckDrives(const ModelSpec& spec, ProblemList* problems) {
  const ElementNames names(spec);
  for (const Servo& servo : spec.servos) {  // the rest is checked with the loads
    const ElementCheck check(servo.where, fmt::format("servo '{}'", servo.name), problems);
    check.PositiveOrInfinite(servo.force_limit, "force limit");
    const auto joint = names.joints.find(servo.joint);
    if (joint == names.joints.end()) continue;
    check.Size(servo.force_limit, DofCount(joint->second), "force limit", true, true);
  }
  for (const Motor& motor : spec.motors) {
    const ElementCheck check(motor.where, fmt::format("motor '{}'", motor.name), problems);
    check.Constants(motor.rate, "rate");
    check.PositiveOrInfinite(motor.force_limit, "force limit");
    check.PositiveOrInfinite(motor.gain, "gain");
    const JointType* const type = names.Joint(check, motor.joint);
    if (type == nullptr) continue;
    const int nv = DofCount(*type);
    if (nv == 0) {
      check.Fail("drives a fixed joint, which does not move");
      continue;
    }
    check.Size(motor.rate, nv, "rate", false, false);
    check.Size(motor.force_limit, nv, "force limit", true, true);
    check.Size(motor.gain, nv, "gain", true, true);
  }
  for (const PrescribedJoint& motion : spec.prescribed_joints) {
    const ElementCheck check(motion.where, fmt::format("prescribed motion '{}'", motion.name),
                             problems);
    check.Constants(motion.position, "position");
    check.Compliance(motion.stiffness, motion.damping);
    const JointType* const type = names.Joint(check, motion.joint);
    if (type == nullptr) continue;
    if (DofCount(*type) == 0) {
      check.Fail("moves a fixed joint, which does not move");
    } else {
      check.Size(motion.position, DofCount(*type), "position", false, false);
    }
  }
}

void CheckConstraints(const ModelSpec& spec, ProblemList* problems) {
  const ElementNames names(spec);
  for (const ConstraintSpec& constraint : spec.constraints) {
    const ElementCheck check(constraint.where, fmt::format("constraint '{}'", constraint.name),
                             problems);
    std::visit(KindCheck{check, names}, constraint.kind);
    CheckFriction(check, constraint.friction);
    if (constraint.friction.is_present() && !GuidesAPoint(constraint)) {
      check.Fail("friction belongs to points on lines, on circles and in planes");
    }
    const double K = constraint.stiffness, B = constraint.damping;
    if (!IsAboutVelocities(constraint)) {
      check.Compliance(K, B);
    } else if (K != 0 && K != kInfinity) {
      check.Fail("stiffness belongs to constraints of positions; this one is about velocities");
    } else if (K == 0 || B != 0) {
      check.Positive(B, "damping");
    }
  }
  for (size_t i = 0; i < spec.user_constraints.size(); ++i) {
    if (spec.user_constraints[i] != nullptr) continue;
    problems->Add({}, fmt::format("user constraint {}", i), "is a null pointer");
  }
}

void CheckLoopLimits(const ModelSpec& spec, const std::vector<int>& loops, ProblemList* problems) {
  for (int loop : loops) {
    const JointSpec& joint = spec.joints[loop];
    const auto value = [](const std::vector<double>& list, int k) {
      return list.empty() ? kNaN : list.size() == 1 ? list[0] : list[k];
    };
    for (int k = 0; k < DofCount(joint.type); ++k) {
      // The rise of a screw tells its turns.
      if (!IsAngularDof(joint.type, k) || joint.type == JointType::kScrew) continue;
      const double range = value(joint.upper, k) - value(joint.lower, k);
      if (!(std::isfinite(range) && range > 2 * kPi)) continue;
      problems->Add(joint.where, Describe(joint),
                    fmt::format("closes a loop, where turns are not counted: limits {} rad apart, "
                                "expected 2π at most",
                                range));
    }
  }
}

}  // namespace voigt
