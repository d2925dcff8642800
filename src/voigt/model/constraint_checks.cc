#include "voigt/model/constraint_checks.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "voigt/model/spec_checks.h"

namespace voigt {
namespace {

// One element and what is wrong with it.
class ElementCheck {
 public:
  ElementCheck(const SourceLocation& where, std::string element, ProblemList* problems)
      : where_(where), element_(std::move(element)), problems_(problems) {}

  void Fail(std::string message) const { problems_->Add(where_, element_, std::move(message)); }

  void Finite(double value, std::string_view what) const {
    if (!std::isfinite(value)) Fail(fmt::format("{} = {}, expected a finite number", what, value));
  }
  void Finite(const Vec3& value, std::string_view what) const {
    if (!value.allFinite()) {
      Fail(fmt::format("{} = [{}, {}, {}], expected finite numbers", what, value[0], value[1],
                       value[2]));
    }
  }
  void Positive(double value, std::string_view what) const {
    if (std::isfinite(value) && value > 0) return;
    Fail(fmt::format("{} = {}, expected a positive number", what, value));
  }
  void Direction(const Vec3& value, std::string_view what) const {
    if (value.allFinite() && value.stableNorm() > 1e-12) return;
    Fail(fmt::format("{} = [{}, {}, {}], expected a direction that is not zero", what, value[0],
                     value[1], value[2]));
  }
  void Constant(const TimeFunction& function, std::string_view what) const {
    if (function.is_constant()) Finite(function.constant(), what);
  }
  template <typename Functions>
  void Constants(const Functions& functions, std::string_view what) const {
    for (const TimeFunction& function : functions) Constant(function, what);
  }
  // One value for all degrees of freedom or one for each; none where `optional`.
  template <typename List>
  void Size(const List& list, int nv, std::string_view what, bool one_for_all,
            bool optional) const {
    if (list.size() == static_cast<size_t>(nv) || (one_for_all && list.size() == 1)) return;
    if (optional && list.empty()) return;
    Fail(fmt::format("{} has {} values, expected {}{}", what, list.size(),
                     one_for_all && nv > 1 ? "1 or " : "", nv));
  }
  void PositiveOrInfinite(const std::vector<double>& list, std::string_view what) const {
    for (double value : list) {
      if (!(value > 0)) Fail(fmt::format("{} = {}, expected a positive number", what, value));
    }
  }

  // Infinite stiffness is rigid.
  void Compliance(double stiffness, double damping, std::string_view prefix = "") const {
    if (!(stiffness >= 0)) {
      Fail(fmt::format("{}stiffness = {}, expected a number ≥ 0", prefix, stiffness));
    }
    if (!(std::isfinite(damping) && damping >= 0)) {
      Fail(fmt::format("{}damping = {}, expected a finite number ≥ 0", prefix, damping));
    }
    if (stiffness == 0 && damping == 0) {
      Fail(fmt::format("{0}stiffness and {0}damping are both 0: it would do nothing", prefix));
    }
    if (stiffness == kInfinity && damping > 0) {
      Fail(
          fmt::format("{0}damping without {0}stiffness: what is rigid has none; give a stiffness, "
                      "0 for a mere damper",
                      prefix));
    }
  }

 private:
  const SourceLocation& where_;
  std::string element_;
  ProblemList* problems_;
};

// Names of a model, to look up what elements refer to.
struct Names {
  explicit Names(const ModelSpec& spec) : bodies(BodyNames(spec)) {
    for (const JointSpec& joint : spec.joints) joints[joint.name] = joint.type;
  }

  void Body(const ElementCheck& check, const std::string& name) const {
    if (!bodies.contains(name)) check.Fail(fmt::format("body '{}' does not exist", name));
  }
  void Point(const ElementCheck& check, const PointOnBody& point) const {
    Body(check, point.body);
    check.Finite(point.point, "point");
  }
  void TwoPoints(const ElementCheck& check, const PointOnBody& A, const PointOnBody& B) const {
    Point(check, A);
    Point(check, B);
    TwoBodies(check, A.body, B.body);
  }
  void TwoBodies(const ElementCheck& check, const std::string& A, const std::string& B) const {
    if (A == B) check.Fail(fmt::format("connects body '{}' with itself", A));
  }
  const JointType* Joint(const ElementCheck& check, const std::string& name) const {
    const auto joint = joints.find(name);
    if (joint != joints.end()) return &joint->second;
    check.Fail(fmt::format("joint '{}' does not exist", name));
    return nullptr;
  }
  // The type of a joint with scalar coordinates; reports others.
  const JointType* ScalarJoint(const ElementCheck& check, const std::string& name) const {
    const JointType* const type = Joint(check, name);
    if (type == nullptr || (DofCount(*type) > 0 && !HasQuaternion(*type))) return type;
    check.Fail(
        fmt::format("joint '{}': a {} joint has no scalar coordinates", name, ToString(*type)));
    return nullptr;
  }

  std::unordered_set<std::string> bodies;
  std::unordered_map<std::string, JointType> joints;
};

void CheckTerms(const ElementCheck& check, const Names& names, const std::vector<JointTerm>& terms,
                bool scalar_only) {
  if (terms.empty()) check.Fail("has no terms");
  for (size_t i = 0; i < terms.size(); ++i) {
    const JointTerm& term = terms[i];
    check.Finite(term.factor, "factor");
    if (term.factor == 0) check.Fail(fmt::format("joint '{}' has the factor 0", term.joint));
    const JointType* const type =
        scalar_only ? names.ScalarJoint(check, term.joint) : names.Joint(check, term.joint);
    if (type == nullptr) continue;
    const int nv = DofCount(*type);
    if (term.dof < 0 || term.dof >= nv) {
      check.Fail(nv == 0 ? fmt::format("joint '{}' is fixed and has no rates", term.joint)
                         : fmt::format("dof = {} of joint '{}', expected {}", term.dof, term.joint,
                                       nv == 1 ? "0" : fmt::format("0 to {}", nv - 1)));
    }
    for (size_t j = 0; j < i; ++j) {
      if (terms[j].joint != term.joint || terms[j].dof != term.dof) continue;
      check.Fail(fmt::format("joint '{}' has two terms for the same coordinate", term.joint));
    }
  }
}

struct KindCheck {
  const ElementCheck& check;
  const Names& names;

  void operator()(const DistanceSpec& spec) const {
    names.TwoPoints(check, spec.A, spec.B);
    check.Positive(spec.length, "length");
  }
  void operator()(const PointOnLineSpec& spec) const {
    names.TwoPoints(check, spec.A, spec.B);
    check.Direction(spec.direction, "direction");
  }
  void operator()(const PointInPlaneSpec& spec) const {
    names.TwoPoints(check, spec.A, spec.B);
    check.Direction(spec.normal, "normal");
  }
  void operator()(const CouplerSpec& spec) const {
    CheckTerms(check, names, spec.terms, true);
    check.Finite(spec.offset, "offset");
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

}  // namespace

void CheckJointConstraints(const ModelSpec& spec, ProblemList* problems) {
  for (const JointSpec& joint : spec.joints) {
    const ElementCheck check(joint.where, Describe(joint), problems);
    check.Compliance(joint.limit_stiffness, joint.limit_damping, "limit ");
    check.Compliance(joint.loop_stiffness, joint.loop_damping, "loop ");
    if (!joint.cone_limit) continue;
    if (joint.type != JointType::kBall) check.Fail("a cone limit belongs to ball joints only");
    if (!(*joint.cone_limit > 0 && *joint.cone_limit < kPi)) {
      check.Fail(
          fmt::format("cone limit = {}, expected an angle between 0 and π", *joint.cone_limit));
    }
  }
}

void CheckDrives(const ModelSpec& spec, ProblemList* problems) {
  const Names names(spec);
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
    if (const JointType* const type = names.ScalarJoint(check, motion.joint)) {
      check.Size(motion.position, DofCount(*type), "position", false, false);
    }
  }
}

void CheckConstraints(const ModelSpec& spec, ProblemList* problems) {
  const Names names(spec);
  for (const ConstraintSpec& constraint : spec.constraints) {
    const ElementCheck check(constraint.where, fmt::format("constraint '{}'", constraint.name),
                             problems);
    std::visit(KindCheck{check, names}, constraint.kind);
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
