#include "voigt/sim/impact_phases.h"

#include <algorithm>

#include "voigt/constraints/contact_rows.h"
#include "voigt/math/sparse_rows.h"

namespace voigt {
namespace {

// What has finite forces stays out of impacts.
bool IsRigidRow(const VelocityProblem& problem, const RowGroup& group, int r) {
  const Row& row = problem.rows[group.first_row + r];
  return row.c == 0 && row.R == 0 && (r > 0 || group.force_law.is_linear());
}

}  // namespace

int ImpactPhases::CountRigidRows(const VelocityProblem& problem, const RowGroup& group) {
  if (group.law == Law::kBounded || group.col_count == 0) return 0;
  for (int r = 0; r < group.row_count; ++r) {
    if (IsRigidRow(problem, group, r)) continue;
    return group.law == Law::kContact && r > 0 ? 1 : 0;
  }
  return group.row_count;
}

void ImpactPhases::Start(const VelocityProblem& problem, const Configuration& start, const VecX& v0,
                         VelocityProblem* phase) {
  is_complete_ = true;
  status_ = SolveStatus::kSolved;
  residual_ = 0;
  stats_ = {};
  audit_ = {};
  gamma_.setZero(problem.row_count());
  v_ = v0;
  phase->ClearRows();
  phase->h = problem.h;
  phase->pattern = problem.pattern;
  phase->M = &start.M();
  phase->factor = &start.factor();
  phase->v_star = v0;
}

RowGroup& ImpactPhases::AppendGroup(const VelocityProblem& problem, const RowGroup& group,
                                    int first, int count, VelocityProblem* to) {
  RowGroup& own = to->groups.emplace_back(group);
  own.row_count = count;
  own.first_row = to->row_count();
  own.first_col = static_cast<int>(to->cols.size());
  own.first_entry = static_cast<int>(to->G.size());
  own.lagged_impulse = kNaN;
  const auto cols = problem.cols_of(group);
  to->cols.insert(to->cols.end(), cols.begin(), cols.end());
  const double* const G = problem.entries(group, first);
  to->G.insert(to->G.end(), G, G + count * group.col_count);
  return own;
}

Row ImpactPhases::MakeRow(const VelocityProblem& problem, const RowGroup& group, int r,
                          bool is_impact) {
  const int i = group.first_row + r;
  Row row = problem.rows[i];
  if (CanOnlyPush(group, r)) {
    if (is_impact || row.phi <= 0) row.phi = row.v_hat = 0;
  } else if (problem.w[i] > 0) {
    row.v_hat -= row.v_hat_slope * row.phi;
    row.phi = 0;
  }
  row.v_hat_slope = row.guess = 0;
  return row;
}

void ImpactPhases::SolvePhase(const VelocityProblem& phase, bool has_audit,
                              Formulation* formulation) {
  formulation->Solve(phase, no_guess_, &solution_);
  status_ = std::max(status_, solution_.status);
  residual_ = std::max(residual_, solution_.residual);
  stats_ += solution_.stats;
  if (!has_audit || status_ == SolveStatus::kFailed) return;
  auditor_.Calc(phase, solution_.gamma, solution_.v1, nullptr, RuleOf(solution_), &phase_audit_);
  TakeWorse(phase_audit_, &audit_);
}

void ImpactPhases::KeepRebounds(VelocityProblem* problem) const {
  if (!is_complete_) return;
  for (const RowGroup& group : problem->groups) {
    if (group.constraint != kContactGroup) continue;
    const int normals = group.law == Law::kContact ? 1 : group.row_count;
    for (int r = 0; r < normals; ++r) {
      Row& row = problem->rows[group.first_row + r];
      if (!(gamma_[group.first_row + r] > 0)) continue;
      double rate = 0;
      MultiplyRows(problem->entries(group, r), 1, problem->cols.data() + group.first_col,
                   group.col_count, v_.data(), &rate);
      rate += row.phi_t;
      if (!(rate > row.v_hat)) continue;
      row.v_hat = rate;
      row.v_hat_slope = 0;
    }
  }
}

}  // namespace voigt
