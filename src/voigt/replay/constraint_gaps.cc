#include "voigt/replay/constraint_gaps.h"

#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

constexpr double kEarth = 9.81;             // m/s²
constexpr double kLeastSpringYield = 1e-6;  // m

}  // namespace

ConstraintGaps::ConstraintGaps(const Model& model)
    : weight_(kEarth * model.TotalMass()), set_(model) {
  place_of_.assign(set_.list().size(), -1);
  if (set_.empty()) return;
  // Which constraints hold bodies does not depend on where these are.
  Kinematics kin(model);
  const VecX q = model.NeutralCoordinates(), v = VecX::Zero(model.nv());
  UpdatePositions(model, q, &kin);
  UpdateVelocities(model, v, &kin);
  CollectRows({model, kin, q, v, 0, 1});
  for (const RowWrench& wrench : wrenches_) {
    int& place = place_of_[wrench.constraint];
    if (place >= 0 || !Holds(wrench)) continue;
    place = static_cast<int>(names_.size());
    names_.push_back(set_.list()[wrench.constraint]->name());
  }
}

void ConstraintGaps::CollectRows(const ConstraintContext& at) {
  problem_.ClearRows();
  wrenches_.clear();
  set_.AddRows(at, &problem_, &wrenches_);
}

Law ConstraintGaps::LawOf(const RowWrench& wrench) const {
  const auto is_before = [](int row, const RowGroup& group) { return row < group.first_row; };
  const auto after =
      std::upper_bound(problem_.groups.begin(), problem_.groups.end(), wrench.row, is_before);
  return std::prev(after)->law;
}

// Springs, dampers and drives are no constraints that could be violated, nor are conditions on
// velocities.
bool ConstraintGaps::Holds(const RowWrench& wrench) const {
  if (problem_.rows[wrench.row].c * weight_ > kLeastSpringYield) return false;
  const Law law = LawOf(wrench);
  return law == Law::kUnilateral ||
         (law == Law::kBilateral && set_.list()[wrench.constraint]->IsHolonomic());
}

const std::vector<ConstraintGaps::Gap>& ConstraintGaps::Calc(const Model& model,
                                                             const Kinematics& kin, const VecX& q,
                                                             const VecX& v, double t) {
  gaps_.assign(names_.size(), Gap());
  if (names_.empty()) return gaps_;
  CollectRows({model, kin, q, v, t, 1});
  for (const RowWrench& wrench : wrenches_) {
    const int place = place_of_[wrench.constraint];
    if (place < 0 || !Holds(wrench)) continue;
    Gap& gap = gaps_[place];
    gap.point = wrench.p;
    const double phi = problem_.rows[wrench.row].phi;
    if (LawOf(wrench) == Law::kUnilateral && phi >= 0) continue;
    const double length = wrench.force.norm();
    if (length > 0) {
      gap.opening += phi / length * wrench.force;
    } else {
      gap.turn = std::hypot(gap.turn, phi);
    }
  }
  return gaps_;
}

}  // namespace voigt
