#include "voigt/sim/reaction_sharing.h"

#include <algorithm>

namespace voigt {

void ReactionSharing::ListRows(const Model& model, const VelocityProblem& problem) {
  rows_.clear();
  for (const RowGroup& group : problem.groups) {
    if (group.law != Law::kBilateral) continue;
    for (int r = group.first_row; r < group.first_row + group.row_count; ++r) {
      if (problem.rows[r].R == 0) rows_.push_back(r);
    }
  }
  G_T_.setZero(model.nv(), static_cast<int>(rows_.size()));
  size_t i = 0;
  for (const RowGroup& group : problem.groups) {
    const auto cols = problem.cols_of(group);
    for (int r = 0; r < group.row_count && i < rows_.size(); ++r) {
      if (rows_[i] != group.first_row + r) continue;
      const double* const entries = problem.entries(group, r);
      for (int k = 0; k < group.col_count; ++k) G_T_(cols[k], static_cast<int>(i)) = entries[k];
      ++i;
    }
  }
}

double ReactionSharing::FindLever(const ConstraintSet& constraints,
                                  const ReactionFrictionRows& friction, int body,
                                  const RowWrench* wrench) const {
  for (const FrictionRows& rows : friction.friction) {
    if (rows.law.radius > 0 && IsOfJoint(constraints, rows, body, wrench)) return rows.law.radius;
  }
  return 1;
}

void ReactionSharing::Update(const Model& model, const ConstraintSet& constraints,
                             const Kinematics& kin, const VelocityProblem& problem,
                             const ReactionFrictionRows& friction) {
  ListRows(model, problem);
  Z_ = &idle_.Calc(G_T_);
  if (!any()) return;
  const int count = static_cast<int>(rows_.size()), joints = model.nb() - 1;
  row_lever_.assign(count, 1);
  for (const RowWrench& wrench : friction.wrenches) {
    const auto at = std::find(rows_.begin(), rows_.end(), wrench.row);
    if (at == rows_.end() || !wrench.force.isZero(0)) continue;
    row_lever_[at - rows_.begin()] = FindLever(constraints, friction, -1, &wrench);
  }
  joint_lever_.resize(joints);
  for (int b = 1; b <= joints; ++b) {
    joint_lever_[b - 1] = FindLever(constraints, friction, b, nullptr);
  }
  of_rows_.resize(6 * joints, count);
  still_.setZero(model.nv());
  for (int i = 0; i < count; ++i) {
    reactions_.AddRow(model, kin, still_, rows_[i], friction.wrenches);
    for (int b = 1; b <= joints; ++b) {
      of_rows_.block<3, 1>(6 * (b - 1), i) = reactions_.CalcTreeMoment(b);
      of_rows_.block<3, 1>(6 * (b - 1) + 3, i) = reactions_.CalcTreeForce(b);
    }
  }
  tree_.noalias() = of_rows_ * *Z_;
  loads_.resize(count + 6 * joints, Z_->cols());
  for (int i = 0; i < count; ++i) loads_.row(i) = Z_->row(i) / row_lever_[i];
  loads_.bottomRows(6 * joints) = tree_;
  for (int b = 0; b < joints; ++b) loads_.middleRows<3>(count + 6 * b) /= joint_lever_[b];
  least_.compute(loads_);
}

void ReactionSharing::Share(VecX* lambda, std::vector<Vec6>* F) {
  const int count = static_cast<int>(rows_.size());
  const int joints = static_cast<int>(joint_lever_.size());
  load_.resize(count + 6 * joints);
  for (int i = 0; i < count; ++i) load_[i] = (*lambda)[rows_[i]] / row_lever_[i];
  for (int b = 0; b < joints; ++b) {
    load_.segment<6>(count + 6 * b) = (*F)[b + 1];
    load_.segment<3>(count + 6 * b) /= joint_lever_[b];
  }
  z_ = -least_.solve(load_);
  for (int i = 0; i < count; ++i) (*lambda)[rows_[i]] += Z_->row(i).dot(z_);
  for (int b = 0; b < joints; ++b) (*F)[b + 1] += tree_.middleRows<6>(6 * b) * z_;
}

}  // namespace voigt
