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
    if (Holds(wrench.row)) Name(wrench.row, wrench.force.isZero());
  }
  ForEachRateRow([&](int row) {
    if (Holds(row)) Name(row, problem_.rows[row].angular);
  });
}

void ConstraintGaps::Name(int row, bool is_turn) {
  const int constraint = GroupOf(row).constraint;
  int& place = place_of_[constraint];
  if (place < 0) {
    place = static_cast<int>(names_.size());
    names_.push_back(set_.list()[constraint]->name());
    is_turn_.push_back(true);
  }
  is_turn_[place] = is_turn_[place] && is_turn;
}

void ConstraintGaps::CollectRows(const ConstraintContext& at) {
  problem_.ClearRows();
  wrenches_.clear();
  set_.AddRows(at, &problem_, &wrenches_);
}

const RowGroup& ConstraintGaps::GroupOf(int row) const {
  const auto is_before = [](int r, const RowGroup& group) { return r < group.first_row; };
  return *std::prev(
      std::upper_bound(problem_.groups.begin(), problem_.groups.end(), row, is_before));
}

// Springs, dampers and drives are no constraints that could be violated, nor are conditions on
// velocities.
bool ConstraintGaps::Holds(int row) const {
  if (problem_.rows[row].c * weight_ > kLeastSpringYield) return false;
  const RowGroup& group = GroupOf(row);
  return group.law == Law::kUnilateral ||
         (group.law == Law::kBilateral && set_.list()[group.constraint]->IsHolonomic());
}

template <typename Visit>
void ConstraintGaps::ForEachRateRow(Visit visit) const {
  // Wrenches are listed in the order of their rows.
  size_t next = 0;
  for (int row = 0; row < problem_.row_count(); ++row) {
    if (next < wrenches_.size() && wrenches_[next].row == row) {
      ++next;
    } else {
      visit(row);
    }
  }
}

void ConstraintGaps::AddRateGap(const Model& model, const Kinematics& kin, int row,
                                Gap* gap) const {
  const RowGroup& group = GroupOf(row);
  const double phi = problem_.rows[row].phi;
  if (phi == 0 || (group.law == Law::kUnilateral && phi > 0) || group.col_count == 0) return;
  const std::span<const int> cols = problem_.cols_of(group);
  const double* const entries = problem_.entries(group, row - group.first_row);
  int largest = 0;
  for (int k = 1; k < group.col_count; ++k) {
    if (std::abs(entries[k]) > std::abs(entries[largest])) largest = k;
  }
  if (entries[largest] == 0) return;
  // The axis as it moves the outer side of the joint, whose origin is that of the link.
  const int dof = cols[largest], body = model.tree().dof_body[dof];
  const double off = phi / entries[largest];
  gap->point = kin.X_WL[body].p;
  gap->opening += off * kin.S[dof].tail<3>();
  gap->turn = std::hypot(gap->turn, off * kin.S[dof].head<3>().norm());
}

const std::vector<ConstraintGaps::Gap>& ConstraintGaps::Calc(const Model& model,
                                                             const Kinematics& kin, const VecX& q,
                                                             const VecX& v, double t) {
  gaps_.assign(names_.size(), Gap());
  if (names_.empty()) return gaps_;
  CollectRows({model, kin, q, v, t, 1});
  for (const RowWrench& wrench : wrenches_) {
    const int place = place_of_[wrench.constraint];
    if (place < 0 || !Holds(wrench.row)) continue;
    Gap& gap = gaps_[place];
    gap.point = wrench.p;
    const double phi = problem_.rows[wrench.row].phi;
    if (GroupOf(wrench.row).law == Law::kUnilateral && phi >= 0) continue;
    const double length = wrench.force.norm();
    if (length > 0) {
      gap.opening += phi / length * wrench.force;
    } else {
      gap.turn = std::hypot(gap.turn, phi);
    }
  }
  ForEachRateRow([&](int row) {
    const int place = place_of_[GroupOf(row).constraint];
    if (place >= 0 && Holds(row)) AddRateGap(model, kin, row, &gaps_[place]);
  });
  return gaps_;
}

}  // namespace voigt
