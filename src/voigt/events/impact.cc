#include "voigt/events/impact.h"

#include <algorithm>
#include <cmath>

#include "voigt/events/restitution_limit.h"
#include "voigt/math/extremes.h"
#include "voigt/math/tree_product.h"

namespace voigt {

namespace {

FormulationSettings ForImpacts(FormulationSettings settings) {
  if (settings.kind == FormulationKind::kWorking) settings.kind = FormulationKind::kMaxDissipation;
  return settings;
}

}  // namespace

Impact::Impact(const FormulationSettings& settings, bool with_audit)
    : kind_(ForImpacts(settings).kind),
      has_audit_(with_audit),
      formulation_(MakeFormulation(ForImpacts(settings))),
      restorer_(settings.impulse_space) {}

// Rows of touches that are out of reach move nothing: no impulse is worth anything to them.
void Impact::PrepareRows(double reach, TouchFinder* finder) {
  const bool is_poisson = kind_ == FormulationKind::kMaxDissipation;
  problem_ = finder->mutable_problem();
  restitution_.setZero(problem_->row_count());
  touch_count_ = 0;
  guess_.setOnes(problem_->row_count());  // marks the rows that take part
  for (const Touch& touch : finder->touches()) {
    if (touch.phi <= reach && !touch.is_soft()) {
      ++touch_count_;
      restitution_[touch.normal] = touch.restitution;
    } else {
      guess_[touch.normal] = 0;
    }
  }
  for (RowGroup& group : problem_->groups) {
    if (group.law == Law::kBilateral) continue;
    if (group.law == Law::kBounded) group.col_count = 0;
    if (guess_[group.first_row] == 0) group.col_count = 0;
    for (int i = group.first_row; i < group.first_row + group.row_count; ++i) {
      Row& row = problem_->rows[i];
      row.phi = 0;
      if (i > group.first_row || is_poisson || group.col_count == 0) continue;
      row.v_hat = Larger(0, -restitution_[i] * finder->rates()[i]);
    }
  }
  guess_.setZero(problem_->row_count());
}

double Impact::CalcKineticEnergy(const VecX& v) {
  momentum_.resize(v.size());
  MultiplyPacked(*problem_->pattern, *problem_->M, v, &momentum_);
  return 0.5 * v.dot(momentum_);
}

// Phase III.
bool Impact::Restore(VecX* v) {
  least_ = restitution_.cwiseProduct(solution_.gamma);
  if (!(least_.size() > 0 && least_.maxCoeff() > 0)) return true;
  problem_->v_star = v_compressed_ = *v;
  restorer_.SetLeast(&least_);
  gamma_.setZero(problem_->row_count());
  space_.Update(*problem_);
  bool is_good = true;
  for (int i = 0; i < space_.count(); ++i) {
    space_.Assemble(i, &island_);
    y_.setZero(island_.row_count());
    is_good &= restorer_.Solve(island_, &y_).status == SolveStatus::kSolved;
    for (int k = 0; k < island_.row_count(); ++k) gamma_[island_.rows[k]] = y_[k];
  }
  if (!gamma_.allFinite()) return false;
  problem_->CalcVelocity(gamma_, v);
  LimitEnergy(v_compressed_, v);
  if (!is_good) solution_.status = std::max(solution_.status, SolveStatus::kIterationLimit);
  return true;
}

// Where Newton's restitution adds energy: between it and the impact without any.
bool Impact::LimitNewton(VecX* v) {
  if (is_driven_ || CalcKineticEnergy(*v) <= CalcKineticEnergy(v_before_) * (1 + 1e-12))
    return true;
  for (Row& row : problem_->rows) row.v_hat = 0;
  formulation_->Solve(*problem_, guess_, &compression_);
  if (compression_.status == SolveStatus::kFailed) return false;
  LimitEnergy(compression_.v1, v);
  return true;
}

void Impact::LimitEnergy(const VecX& v_compressed, VecX* v) {
  const auto calc = [this](const VecX& x) { return CalcKineticEnergy(x); };
  was_limited_ =
      !is_driven_ && LimitRestitution(CalcKineticEnergy(v_before_), v_compressed, calc, v);
}

bool Impact::Resolve(const RegularMass& mass, double reach, TouchFinder* finder, VecX* v) {
  was_limited_ = false;
  PrepareRows(reach, finder);
  finder->TakePrescribed(*v);
  problem_->M = &mass.M();
  problem_->factor = &mass.factor();
  problem_->v_star = v_before_ = *v;
  formulation_->Solve(*problem_, guess_, &solution_);
  if (solution_.status == SolveStatus::kFailed || !solution_.v1.allFinite()) return false;
  if (has_audit_) {
    auditor_.Calc(*problem_, solution_.gamma, solution_.v1, &v_before_, RuleOf(solution_), &audit_);
  }
  *v = solution_.v1;
  const bool is_poisson = kind_ == FormulationKind::kMaxDissipation;
  return (is_poisson ? Restore(v) : LimitNewton(v)) && v->allFinite();
}

}  // namespace voigt
