#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "voigt/constraints/joint_rows.h"

// What drives of joints have in common.
namespace voigt {

// One value for all degrees of freedom, one for each, or none.
inline double PickForDof(const std::vector<double>& list, int k, double none) {
  return list.empty() ? none : list.size() == 1 ? list[0] : list[k];
}

inline std::vector<CompiledTimeFunction> CompileFunctions(
    const std::vector<TimeFunction>& functions) {
  std::vector<CompiledTimeFunction> out;
  for (const TimeFunction& function : functions) out.emplace_back(function);
  return out;
}

// Of the force of a drive, which safety narrows by the state at the start of the step.
class DriveBounds {
 public:
  template <typename Drive>
  DriveBounds(const JointRows& joint, const Drive& drive)
      : joint_(joint), is_limited_(!drive.force_limit.empty()), safety_(drive.safety) {
    for (int k = 0; k < joint.dof_count(); ++k) {
      limit_.push_back(PickForDof(drive.force_limit, k, kInfinity));
    }
  }

  Law law() const { return is_limited_ ? Law::kBounded : Law::kBilateral; }

  // Of the row that was written last.
  void Set(const ConstraintContext& at, int k, RowWriter* rows, Row* row) const {
    if (!is_limited_) return;
    row->upper = at.h * limit_[k];
    row->lower = -row->upper;
    if (!safety_) return;
    const double v = rows->CalcRate(at.v);
    const double lower = CalcForce(at, k, v, safety_->lower, -1);
    const double upper = CalcForce(at, k, v, safety_->upper, 1);
    row->lower = std::clamp(at.h * lower, row->lower, row->upper);
    row->upper = std::clamp(at.h * upper, row->lower, row->upper);
  }

 private:
  // That brings the joint to the speed with which it may move towards a soft limit.
  double CalcForce(const ConstraintContext& at, int k, double v, double soft, double sign) const {
    double speed = sign * safety_->speed;
    if (safety_->k_position > 0) {
      const double q = joint_.CalcCoordinate(at, k, std::isfinite(soft) ? soft : 0);
      speed = std::clamp(-safety_->k_position * (q - soft), -safety_->speed, safety_->speed);
    }
    return -safety_->k_velocity * (v - speed);
  }

  JointRows joint_;
  bool is_limited_;
  std::optional<DriveSafety> safety_;
  std::vector<double> limit_;
};

}  // namespace voigt
