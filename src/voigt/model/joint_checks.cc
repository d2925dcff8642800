#include <fmt/format.h>

#include <cmath>

#include "voigt/model/spec_checks.h"

namespace voigt {
namespace {

// Checks one per-dof list of a joint: its length and the range of its values.
struct ListCheck {
  const JointSpec& joint;
  ProblemList* problems;

  bool Size(const std::vector<double>& list, std::string_view what) const {
    const size_t nv = DofCount(joint.type);
    if (list.empty() || list.size() == 1 || list.size() == nv) return true;
    problems->Add(joint.where, Describe(joint),
                  fmt::format("{} has {} values, expected {}{}", what, list.size(),
                              nv > 1 ? "1 or " : "", nv));
    return false;
  }

  void NonNegative(const std::vector<double>& list, std::string_view what) const {
    Size(list, what);
    if (!list.empty() && DofCount(joint.type) == 0) {
      problems->Add(joint.where, Describe(joint),
                    fmt::format("{} on a fixed joint, which does not move", what));
    }
    for (double value : list) {
      if (std::isfinite(value) && value >= 0) continue;
      problems->Add(joint.where, Describe(joint),
                    fmt::format("{} = {}, expected a finite number ≥ 0", what, value));
    }
  }
};

void CheckLimits(const JointSpec& joint, ProblemList* problems) {
  if (joint.lower.empty() && joint.upper.empty()) return;
  const std::string element = Describe(joint);
  if (HasQuaternion(joint.type) || DofCount(joint.type) == 0) {
    problems->Add(
        joint.where, element,
        fmt::format("a {} joint has no scalar coordinates to limit", ToString(joint.type)));
    return;
  }
  const ListCheck check{joint, problems};
  const bool lower_fits = check.Size(joint.lower, "lower limit");
  const bool upper_fits = check.Size(joint.upper, "upper limit");
  if (!lower_fits || !upper_fits) return;
  const auto value = [](const std::vector<double>& list, int k, double none) {
    return list.empty() ? none : list.size() == 1 ? list[0] : list[k];
  };
  for (int k = 0; k < DofCount(joint.type); ++k) {
    const double lower = value(joint.lower, k, -kInfinity),
                 upper = value(joint.upper, k, kInfinity);
    // An infinite limit is none, but on the wrong side it leaves no coordinate at all.
    if (!(lower <= upper && lower < kInfinity && upper > -kInfinity)) {
      problems->Add(joint.where, element,
                    fmt::format("limits [{}, {}], expected lower ≤ upper and finite values between",
                                lower, upper));
    }
  }
}

void CheckRest(const JointSpec& joint, ProblemList* problems) {
  if (joint.rest.empty()) return;
  const size_t nq = CoordinateCount(joint.type);
  if (joint.rest.size() != nq) {
    problems->Add(joint.where, Describe(joint),
                  fmt::format("rest has {} values, expected {}", joint.rest.size(), nq));
    return;
  }
  for (double value : joint.rest) {
    if (!std::isfinite(value)) problems->Add(joint.where, Describe(joint), "rest is not finite");
  }
  if (HasQuaternion(joint.type)) {
    const Eigen::Map<const Vec4> quaternion(joint.rest.data() + QuaternionStart(joint.type));
    if (!(std::abs(quaternion.norm() - 1) < 1e-6)) {
      problems->Add(joint.where, Describe(joint), "rest orientation is not a unit quaternion");
    }
  }
}

bool CheckAxis(const JointSpec& joint, const std::optional<Vec3>& axis, std::string_view what,
               ProblemList* problems) {
  if (!axis || (axis->allFinite() && axis->stableNorm() > 1e-12)) return true;
  problems->Add(joint.where, Describe(joint),
                fmt::format("{} = [{}, {}, {}], expected a direction that is not zero", what,
                            (*axis)[0], (*axis)[1], (*axis)[2]));
  return false;
}

void CheckAxes(const JointSpec& joint, ProblemList* problems) {
  const bool first_fine = CheckAxis(joint, joint.axis, "axis", problems);
  const bool second_fine = CheckAxis(joint, joint.axis2, "axis2", problems);
  if (joint.axis && (joint.type == JointType::kFixed || HasQuaternion(joint.type))) {
    problems->Add(joint.where, Describe(joint),
                  fmt::format("a {} joint has no axis", ToString(joint.type)));
  }
  if (joint.type == JointType::kUniversal) {
    if (joint.axis.has_value() != joint.axis2.has_value()) {
      problems->Add(joint.where, Describe(joint), "give both axis and axis2, or neither");
    } else if (joint.axis && first_fine && second_fine &&
               std::abs(joint.axis->stableNormalized().dot(joint.axis2->stableNormalized())) >
                   1e-9) {
      problems->Add(joint.where, Describe(joint), "axis and axis2 are not perpendicular");
    }
  } else if (joint.axis2) {
    problems->Add(joint.where, Describe(joint), "axis2 belongs to universal joints only");
  }
  if (joint.type == JointType::kScrew) {
    if (!std::isfinite(joint.pitch))
      problems->Add(joint.where, Describe(joint), "pitch is not finite");
  } else if (joint.pitch != 0) {
    problems->Add(joint.where, Describe(joint), "pitch belongs to screw joints only");
  }
}

}  // namespace

void CheckJoints(const ModelSpec& spec, ProblemList* problems) {
  for (const JointSpec& joint : spec.joints) {
    const std::string element = Describe(joint);
    CheckPose(joint.X_PF, joint.where, element, "frame on the parent", problems);
    CheckPose(joint.X_CM, joint.where, element, "frame on the child", problems);
    CheckAxes(joint, problems);
    CheckLimits(joint, problems);
    CheckRest(joint, problems);
    const ListCheck check{joint, problems};
    check.NonNegative(joint.stiffness, "stiffness");
    check.NonNegative(joint.damping, "damping");
    check.NonNegative(joint.armature, "armature");
    check.NonNegative(joint.dry_friction, "dry friction");
    check.NonNegative(joint.viscous_friction, "viscous friction");
  }
}

}  // namespace voigt
