#include "voigt/formulations/impulse_space/impulse_formulation.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace voigt {
namespace {

// Newton's method on force laws doubles its digits: more would be of no use.
constexpr int kMaxTangents = 40;

// Proximal steps: how many, and ε of the first and of the last relative to A.
constexpr int kProximalImpulseSteps = 12;
constexpr double kFirstProximal = 1e-4, kLastProximal = 1e-9;

constexpr double kSane = 1e4;

}  // namespace

namespace {

void TellAttempt(Attempt attempt, Solution* out) {
  out->stats.solved_by = std::max(out->stats.solved_by, attempt);
}

}  // namespace

ImpulseFormulation::ImpulseFormulation(const ImpulseSpaceSettings& settings,
                                       std::unique_ptr<IslandMethod> method)
    : settings_(settings), method_(std::move(method)) {}

void ImpulseFormulation::Solve(const VelocityProblem& problem, const VecX& warm_start,
                               Solution* solution) {
  Solution& out = *solution;
  out.stats = {};
  out.tolerance = settings_.tolerance;
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
  method_->AllowRestarts(false);
  guess_ = out.gamma;

  space_.Update(problem);
  if (static_cast<int>(islands_.size()) < space_.count()) {
    islands_.resize(space_.count());
    tangents_.resize(space_.count());
    gamma_.resize(space_.count());
  }
  residual_.SetProblem(problem);
  SolveStatus status = SolveStatus::kSolved;
  for (int i = 0; i < space_.count(); ++i) {
    status = std::max(status, SolveIsland(i, solution));
  }
  residual_.Calc(out.gamma, RuleOf(out));
  for (int i = 0; i < space_.count(); ++i) {
    if (!IsSolved(i)) SolveWithNarrowGaps(i, solution);
    if (!IsSolved(i) && method_->gains_by_proximal_steps()) SolveByProximalSteps(i, solution);
    if (!IsSolved(i) && method_->has_restarts()) SolveWithRestarts(i, solution);
  }
  out.stats.islands = space_.count();
  problem.CalcVelocity(out.gamma, &out.v1);

  // The method's word counts for nothing: the law decides.
  out.residual = residual_.Calc(out.gamma, RuleOf(out));
  if (!out.gamma.allFinite() || !out.v1.allFinite()) {
    out.status = SolveStatus::kFailed;
  } else if (out.residual <= settings_.tolerance) {
    out.status = SolveStatus::kSolved;
  } else {
    const double rest = contradiction_.SetApart(problem, residual_, out.residual).law;
    out.status = rest <= settings_.tolerance ? SolveStatus::kRedundant
                                             : std::max(status, SolveStatus::kInaccurate);
  }
  if (!voigt::IsSolved(out.status)) out.stats.solved_by = Attempt::kNone;
  solution_ = out.gamma;
}

void ImpulseFormulation::TakeImpulses(int index, const Solution& from) {
  const ImpulseIsland& island = islands_[index];
  VecX& gamma = gamma_[index];
  gamma.resize(island.row_count());
  for (int i = 0; i < island.row_count(); ++i) gamma[i] = from.gamma[island.rows[i]];
}

void ImpulseFormulation::PutImpulses(int index, Solution* to) const {
  const ImpulseIsland& island = islands_[index];
  for (int i = 0; i < island.row_count(); ++i) to->gamma[island.rows[i]] = gamma_[index][i];
}

// Force laws by Newton's method: each pass has the laws' tangents at the rates of the pass before.
IslandOutcome ImpulseFormulation::RunMethod(int index, Solution* out) {
  ImpulseIsland* const island = &islands_[index];
  LawTangents* const tangents = &tangents_[index];
  IslandOutcome outcome;
  bool is_exact = tangents->is_empty() || !method_->claims_tangents();
  for (int pass = 0; pass < kMaxTangents; ++pass) {
    tangents->Apply(island);
    outcome = method_->Solve(*island, &gamma_[index]);
    ++out->stats.friction_passes;
    out->stats.newton_iterations += outcome.iterations;
    out->stats.factorizations += outcome.factorizations;
    TellAttempt(outcome.by_other_ways ? Attempt::kOtherWays : Attempt::kMethod, out);
    const bool has_settled = tangents->Update(*island, gamma_[index], method_->exceeds_laws());
    if (outcome.status == SolveStatus::kFailed || (has_settled && is_exact)) break;
    is_exact = is_exact || has_settled;
  }
  method_->AddToClaim(*island, out);
  return outcome;
}

SolveStatus ImpulseFormulation::SolveIsland(int index, Solution* out) {
  ImpulseIsland* const island = &islands_[index];
  space_.Assemble(index, island);
  TakeImpulses(index, *out);
  tangents_[index].Start(*island, gamma_[index]);
  const IslandOutcome outcome = RunMethod(index, out);
  PutImpulses(index, out);
  return outcome.status;
}

// Relative to the velocities of the problem, but those that impulses make count no more than kSane
// times as much as those that are there without: impulses that cancel each other must not hide what
// they leave. After residual_.Calc.
double ImpulseFormulation::CalcResidual(const ImpulseIsland& island) const {
  double free = 0, worst = 0;
  for (int i = 0; i < island.row_count(); ++i) {
    free = std::max(free, std::fabs(island.q[i]));
    worst = std::max(worst, residual_.rows()[island.rows[i]]);
  }
  return worst == 0 ? 0 : worst / std::min(kSane * free, residual_.scale());
}

bool ImpulseFormulation::IsSolved(int index) const {
  return CalcResidual(islands_[index]) <= settings_.tolerance;
}

// What there is before another way is tried.
void ImpulseFormulation::Remember(int index, const Solution& out) {
  TakeImpulses(index, out);
  before_ = {gamma_[index], out.dissipation, CalcResidual(islands_[index])};
}

void ImpulseFormulation::KeepIfBetter(int index, Solution* out) {
  if (CalcResidual(islands_[index]) <= before_.residual) return;
  gamma_[index] = before_.gamma;
  out->dissipation = before_.claim;
  PutImpulses(index, out);
  residual_.Calc(out->gamma, RuleOf(*out));
}

// All that the method has, from the guess, and proximal steps of that. Kept if it is better.
void ImpulseFormulation::SolveWithRestarts(int index, Solution* out) {
  const ImpulseIsland& island = islands_[index];
  Remember(index, *out);
  for (int i = 0; i < island.row_count(); ++i) gamma_[index][i] = guess_[island.rows[i]];
  method_->AllowRestarts(true);
  TellAttempt(Attempt::kOtherWays, out);
  tangents_[index].Start(island, gamma_[index]);
  RunMethod(index, out);
  PutImpulses(index, out);
  residual_.Calc(out->gamma, RuleOf(*out));
  if (!IsSolved(index)) SolveByProximalSteps(index, out);
  method_->AllowRestarts(false);
  KeepIfBetter(index, out);
}

// Rows that only push and do not are no nearer to it where u is larger: a solution with less of it
// is one of the problem itself as long as they do not push. Kept if it is better.
void ImpulseFormulation::SolveWithNarrowGaps(int index, Solution* out) {
  constexpr double kWide = 10;
  ImpulseIsland& island = islands_[index];
  const double narrow = kWide * residual_.scale();
  Remember(index, *out);
  wide_ = island.q;
  bool any = false;
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    for (int r = 0; r < group.row_count; ++r) {
      const int i = island.groups[g].first_row + r;
      const bool is_idle = CanOnlyPush(group, r) && gamma_[index][i] == 0;
      if (!is_idle || !(island.q[i] > narrow)) continue;
      island.q[i] = narrow;
      any = true;
    }
  }
  if (!any) return;
  TellAttempt(Attempt::kOtherWays, out);
  tangents_[index].Start(island, gamma_[index]);
  RunMethod(index, out);
  island.q = wide_;
  PutImpulses(index, out);
  residual_.Calc(out->gamma, RuleOf(*out));
  KeepIfBetter(index, out);
}

void ImpulseFormulation::SolveByProximalSteps(int index, Solution* out) {
  ImpulseIsland* const island = &islands_[index];
  TakeImpulses(index, *out);
  VecX& gamma = gamma_[index];
  double least = CalcResidual(*island);
  best_ = gamma;
  start_.setZero(island->row_count());
  double epsilon = kFirstProximal * island->scale;
  for (int k = 0; k < kProximalImpulseSteps && !(least <= settings_.tolerance); ++k) {
    island->A.diagonal().array() += epsilon;
    island->q -= epsilon * start_;
    gamma = start_;
    RunMethod(index, out);
    island->A.diagonal().array() -= epsilon;
    island->q += epsilon * start_;
    TellAttempt(Attempt::kOtherWays, out);
    if (!gamma.allFinite()) break;
    start_ = gamma;
    PutImpulses(index, out);
    residual_.Calc(out->gamma, RuleOf(*out));
    const double residual = CalcResidual(*island);
    if (residual < least) {
      least = residual;
      best_ = gamma;
    }
    epsilon = std::max(0.1 * epsilon, kLastProximal * island->scale);
  }
  gamma = best_;
  PutImpulses(index, out);
  residual_.Calc(out->gamma, RuleOf(*out));
}

void ImpulseFormulation::SolveHeld(const VelocityProblem& problem, VecX* x, VecX* gamma) {
  gamma->setZero(problem.row_count());
  problem.factor->Solve(*problem.pattern, *x);
  for (int i = 0; i < space_.count(); ++i) held_.Subtract(islands_[i], solution_, x, gamma);
}

}  // namespace voigt
