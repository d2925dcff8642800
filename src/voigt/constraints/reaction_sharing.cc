#include "voigt/constraints/reaction_sharing.h"

#include <algorithm>

namespace voigt {

void ReactionSharing::SetLevers(const ConstraintSet& constraints, const std::vector<int>& rows,
                                const std::vector<FrictionRows>& bearings,
                                const std::vector<RowWrench>& wrenches) {
  std::fill(row_lever_.begin(), row_lever_.end(), 1.0);
  std::fill(joint_lever_.begin(), joint_lever_.end(), 1.0);
  for (const FrictionRows& bearing : bearings) {
    if (!(bearing.law.radius > 0)) continue;
    if (bearing.body > 0) joint_lever_[bearing.body - 1] = bearing.law.radius;
    for (const RowWrench& wrench : wrenches) {
      if (!wrench.force.isZero(0) || !IsOwnWrench(constraints, bearing, wrench)) continue;
      const auto at = std::lower_bound(rows.begin(), rows.end(), wrench.row);
      if (at != rows.end() && *at == wrench.row) row_lever_[at - rows.begin()] = bearing.law.radius;
    }
  }
}

void ReactionSharing::Update(const Model& model, const ConstraintSet& constraints,
                             const Kinematics& kin, const VelocityProblem& problem,
                             const std::vector<int>& rows, const std::vector<char>& is_known,
                             const std::vector<FrictionRows>& bearings,
                             const std::vector<RowWrench>& wrenches) {
  constexpr double kNothing = 1e-9;  // of forces in the loops
  Z_ = &idle_.Calc(problem, rows, model.nv(), is_known);
  reaches_tree_ = false;
  if (!any()) return;
  const int count = static_cast<int>(rows.size()), joints = model.nb() - 1;
  row_lever_.resize(count);
  joint_lever_.resize(joints);
  SetLevers(constraints, rows, bearings, wrenches);
  of_rows_.resize(6 * joints, count);
  still_.setZero(model.nv());
  for (int i = 0; i < count; ++i) {
    reactions_.AddRow(model, kin, still_, rows[i], wrenches);
    for (int b = 0; b < joints; ++b) of_rows_.block<6, 1>(6 * b, i) = reactions_.forces()[b + 1];
  }
  tree_.noalias() = of_rows_ * *Z_;
  loads_.resize(count + 6 * joints, Z_->cols());
  for (int i = 0; i < count; ++i) loads_.row(i) = Z_->row(i) / row_lever_[i];
  loads_.bottomRows(6 * joints) = tree_;
  for (int b = 0; b < joints; ++b) loads_.middleRows<3>(count + 6 * b) /= joint_lever_[b];
  reaches_tree_ =
      loads_.bottomRows(6 * joints).cwiseAbs().maxCoeff() > kNothing * loads_.cwiseAbs().maxCoeff();
  least_.compute(loads_);
}

const VecX& ReactionSharing::CalcChange(const VecX& lambda, const std::vector<Vec6>& F) {
  const int count = static_cast<int>(row_lever_.size());
  const int joints = static_cast<int>(joint_lever_.size());
  load_.resize(count + 6 * joints);
  for (int i = 0; i < count; ++i) load_[i] = lambda[i] / row_lever_[i];
  for (int b = 0; b < joints; ++b) {
    load_.segment<6>(count + 6 * b) = F[b + 1];
    load_.segment<3>(count + 6 * b) /= joint_lever_[b];
  }
  z_ = -least_.solve(load_);
  change_.noalias() = *Z_ * z_;
  return change_;
}

void ReactionSharing::AddTreeChange(std::vector<Vec6>* F) const {
  for (size_t b = 0; b < joint_lever_.size(); ++b) {
    (*F)[b + 1] += tree_.middleRows<6>(6 * static_cast<int>(b)) * z_;
  }
}

}  // namespace voigt
