#include "voigt/formulations/impulse_space/impulse_formulation.h"

#include <algorithm>
#include <utility>

namespace voigt {
namespace {

// Newton's method on force laws doubles its digits: more would be of no use.
constexpr int kMaxTangents = 40;

}  // namespace

ImpulseFormulation::ImpulseFormulation(const ImpulseSpaceSettings& settings,
                                       std::unique_ptr<IslandMethod> method)
    : settings_(settings), method_(std::move(method)) {}

void ImpulseFormulation::Solve(const VelocityProblem& problem, const VecX& warm_start,
                               Solution* solution) {
  Solution& out = *solution;
  out.stats = {};
  out.normal_bound.clear();
  if (warm_start.size() == problem.row_count() && warm_start.allFinite()) {
    out.gamma = warm_start;
  } else {
    out.gamma.setZero(problem.row_count());
  }
  for (const RowGroup& group : problem.groups) {
    if (group.col_count == 0) out.gamma.segment(group.first_row, group.row_count).setZero();
  }
  method_->Claim(problem, solution);

  space_.Update(problem);
  if (static_cast<int>(islands_.size()) < space_.count()) islands_.resize(space_.count());
  SolveStatus status = SolveStatus::kSolved;
  for (int i = 0; i < space_.count(); ++i) {
    space_.Assemble(i, &islands_[i]);
    status = std::max(status, SolveIsland(&islands_[i], solution));
  }
  out.stats.islands = space_.count();
  problem.CalcVelocity(out.gamma, &out.v1);
  out.status = Judge(problem, status, solution);
  solution_ = out.gamma;
}

// Force laws by Newton's method: each pass has the laws' tangents at the rates of the pass before.
SolveStatus ImpulseFormulation::SolveIsland(ImpulseIsland* island, Solution* out) {
  gamma_.resize(island->row_count());
  for (int i = 0; i < island->row_count(); ++i) gamma_[i] = out->gamma[island->rows[i]];
  tangents_.Start(*island, gamma_);
  IslandOutcome outcome;
  for (int pass = 0; pass < kMaxTangents; ++pass) {
    tangents_.Apply(island);
    outcome = method_->Solve(*island, &gamma_);
    ++out->stats.friction_passes;
    out->stats.newton_iterations += outcome.iterations;
    out->stats.factorizations += outcome.factorizations;
    out->stats.fallbacks += outcome.fallbacks;
    if (outcome.status == SolveStatus::kFailed || tangents_.Update(*island, gamma_)) break;
  }
  for (int i = 0; i < island->row_count(); ++i) out->gamma[island->rows[i]] = gamma_[i];
  return outcome.status;
}

// The method's word counts for nothing: the law decides.
SolveStatus ImpulseFormulation::Judge(const VelocityProblem& problem, SolveStatus status,
                                      Solution* out) {
  out->residual = residual_.Calc(problem, out->gamma, RuleOf(*out));
  if (!out->gamma.allFinite() || !out->v1.allFinite()) return SolveStatus::kFailed;
  if (out->residual <= settings_.tolerance) return SolveStatus::kSolved;
  return status == SolveStatus::kSolved ? SolveStatus::kInaccurate : status;
}

void ImpulseFormulation::SolveHeld(const VelocityProblem& problem, VecX* x) {
  problem.factor->Solve(*problem.pattern, *x);
  for (int i = 0; i < space_.count(); ++i) held_.Subtract(islands_[i], solution_, x);
}

}  // namespace voigt
