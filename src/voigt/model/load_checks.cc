#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <unordered_map>
#include <utility>

#include "voigt/model/spec_checks.h"

namespace voigt {
namespace {

// Checks one load or servo: the length of its lists and their numbers.
struct LoadCheck {
  const SourceLocation& where;
  std::string element;
  ProblemList* problems;

  void Fail(std::string message) const { problems->Add(where, element, std::move(message)); }

  // The last of the sizes that fit is the one to recommend.
  void Size(size_t size, std::string_view what, std::initializer_list<int> fitting) const {
    for (int fit : fitting) {
      if (size == static_cast<size_t>(fit)) return;
    }
    Fail(fmt::format("{} has {} values, expected {}", what, size, *(fitting.end() - 1)));
  }

  template <typename Functions>
  void Constants(const Functions& functions, std::string_view what) const {
    for (const TimeFunction& function : functions) {
      if (!function.is_constant() || std::isfinite(function.constant())) continue;
      Fail(fmt::format("{} = {}, expected a finite number", what, function.constant()));
    }
  }

  void Gains(const std::vector<double>& gains) const {
    for (double gain : gains) {
      if (std::isfinite(gain) && gain >= 0) continue;
      Fail(fmt::format("gain = {}, expected a finite number ≥ 0", gain));
    }
  }
};

void CheckServo(const Servo& servo, JointType type, const LoadCheck& check) {
  const int nv = DofCount(type);
  if (nv == 0 || HasQuaternion(type)) {
    check.Fail(fmt::format("a {} joint has no scalar coordinates to drive", ToString(type)));
    return;
  }
  check.Size(servo.stiffness.size(), "stiffness", {1, nv});
  check.Size(servo.damping.size(), "damping", {0, 1, nv});
  check.Size(servo.target.size(), "target", {nv});
  check.Size(servo.target_rate.size(), "target rate", {0, nv});
  check.Gains(servo.stiffness);
  check.Gains(servo.damping);
  check.Constants(servo.target, "target");
  check.Constants(servo.target_rate, "target rate");
}

}  // namespace

void CheckLoads(const ModelSpec& spec, ProblemList* problems) {
  const auto bodies = BodyNames(spec);
  std::unordered_map<std::string, JointType> joints;
  for (const JointSpec& joint : spec.joints) joints[joint.name] = joint.type;

  for (const BodyLoad& load : spec.body_loads) {
    const LoadCheck check{load.where, fmt::format("load '{}'", load.name), problems};
    if (load.body == "world" || !bodies.contains(load.body)) {
      check.Fail(load.body == "world" ? std::string("acts on the world, which does not move")
                                      : fmt::format("body '{}' does not exist", load.body));
    }
    if (!load.point.allFinite()) check.Fail("point is not finite");
    check.Constants(load.force, "force");
    check.Constants(load.torque, "torque");
  }
  for (const JointLoad& load : spec.joint_loads) {
    const LoadCheck check{load.where, fmt::format("load '{}'", load.name), problems};
    const auto joint = joints.find(load.joint);
    if (joint == joints.end()) {
      check.Fail(fmt::format("joint '{}' does not exist", load.joint));
      continue;
    }
    if (DofCount(joint->second) == 0) {
      check.Fail("acts on a fixed joint, which does not move");
      continue;
    }
    check.Size(load.force.size(), "force", {DofCount(joint->second)});
    check.Constants(load.force, "force");
  }
  for (const Servo& servo : spec.servos) {
    const LoadCheck check{servo.where, fmt::format("servo '{}'", servo.name), problems};
    const auto joint = joints.find(servo.joint);
    if (joint == joints.end()) {
      check.Fail(fmt::format("joint '{}' does not exist", servo.joint));
      continue;
    }
    CheckServo(servo, joint->second, check);
  }
}

}  // namespace voigt
