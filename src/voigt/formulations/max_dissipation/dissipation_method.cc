#include "voigt/formulations/max_dissipation/dissipation_method.h"

#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

// Impulses that are off by more than this, relative, are not taken: those of phase I are valid.
constexpr double kUseful = 1e-7;

// Phase I is solved to a part of the aim, as its sums are those of phase II, but not beyond
// what arithmetic gives.
double CalcFirstTolerance(double aim) { return std::max(1e-2 * aim, 1e-13); }

}  // namespace

DissipationMethod::DissipationMethod(const ImpulseSpaceSettings& settings)
    : aim_(std::min(settings.aim, settings.tolerance)), viscous_(settings.viscous) {
  if (settings.max_iterations > 0) {
    settings_.max_iterations = settings_.max_newton_steps = settings.max_iterations;
  }
  settings_.use_start = true;
}

void DissipationMethod::Claim(const VelocityProblem& problem, Solution* solution) {
  solution->friction = FrictionMode::kMaxDissipation;
  solution->directions = 0;
  solution->cone_angle.clear();
  MaxDissipationClaim* const claim = &solution->dissipation;
  claim->frictionless.setZero(problem.row_count());
  claim->multiplier.setZero(problem.row_count());
  claim->sum.assign(problem.row_count(), -1);
  claim->price.clear();
  claim->viscous = viscous_;
  claim->slip.assign(viscous_ == ViscousFriction::kDamper ? 0 : problem.groups.size(), 0);
}

void DissipationMethod::SetBounds(const ImpulseIsland& island) {
  lower_.setZero(island.row_count());
  upper_.setZero(island.row_count());
  least_.setZero(island.row_count());
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    for (int r = 0; r < group.row_count; ++r) {
      const int i = island.groups[g].first_row + r;
      if (!(island.A(i, i) > 0)) continue;  // what no impulse moves has none
      const Row& row = island.problem->rows[island.rows[i]];
      if (CanOnlyPush(group, r)) {
        if (given_least_ != nullptr) least_[i] = (*given_least_)[island.rows[i]];
        lower_[i] = least_[i];
        upper_[i] = kInfinity;
      }
      if (group.law == Law::kBilateral) {
        lower_[i] = -kInfinity;
        upper_[i] = kInfinity;
      } else if (group.law == Law::kBounded) {
        lower_[i] = row.lower;
        upper_[i] = row.upper;
      }
    }
  }
}

// QP 3, with all rows that are not friction.
bool DissipationMethod::SolveWithoutFriction(const ImpulseIsland& island, IslandOutcome* out) {
  SetBounds(island);
  BoxedPivotingSettings settings;
  settings.is_symmetric = true;
  settings.tolerance = CalcFirstTolerance(aim_);
  BoxedPivotingStats stats;
  frictionless_.setZero(island.row_count());
  const BoxedPivotingResult result =
      pivoting_.Solve({island.A, island.q, lower_, upper_}, settings, frictionless_, &stats);
  out->iterations += stats.block_steps + stats.single_steps;
  out->factorizations += stats.factors;
  if (result.status == ComplementarityStatus::kSolved) return true;
  out->by_other_ways = true;
  return SolveByPath(island, out) || SolveByProximalPivoting(island, out) ||
         SolveByGradients(island);
}

// Where rows repeat each other, sets of them that are inside have singular matrices; Lemke's path
// goes round these.
bool DissipationMethod::SolveByPath(const ImpulseIsland& island, IslandOutcome* out) {
  constexpr int kMostRows = 300;  // a pivot costs their square
  if (island.row_count() > kMostRows) return false;
  LemkeSettings settings;
  settings.tolerance = CalcFirstTolerance(aim_);
  LemkeStats stats;
  scratch_.setZero(island.row_count());
  const LemkeResult result =
      lemke_.Solve({island.A, island.q, lower_, upper_}, settings, scratch_, &stats);
  out->iterations += stats.pivots;
  out->factorizations += stats.factors;
  if (result.status != ComplementarityStatus::kSolved) return false;
  frictionless_ = scratch_;
  return true;
}

// Rows that repeat each other nearly make factors that are regular but useless: x ← solution for
// A + ε and q − ε x, from zero, comes to a solution of the problem itself.
bool DissipationMethod::SolveByProximalPivoting(const ImpulseIsland& island, IslandOutcome* out) {
  constexpr int kSteps = 12;
  constexpr double kFirst = 1e-4, kLast = 1e-9;
  const ComplementarityProblem problem{island.A, island.q, lower_, upper_};
  scratch_.resize(island.row_count());
  double least = CalcComplementarityResidual(problem, frictionless_, scratch_);
  best_ = frictionless_;
  BoxedPivotingSettings settings;
  settings.is_symmetric = true;
  settings.use_guess = true;
  A_ = island.A;
  frictionless_.setZero();
  double epsilon = kFirst * island.scale;
  for (int k = 0; k < kSteps && !(least <= CalcFirstTolerance(aim_)); ++k) {
    A_.diagonal() = island.A.diagonal().array() + epsilon;
    q_ = island.q - epsilon * frictionless_;
    BoxedPivotingStats stats;
    pivoting_.Solve({A_, q_, lower_, upper_}, settings, frictionless_, &stats);
    out->iterations += stats.block_steps + stats.single_steps;
    out->factorizations += stats.factors;
    if (!frictionless_.allFinite()) break;
    const double residual = CalcComplementarityResidual(problem, frictionless_, scratch_);
    if (residual < least) {
      least = residual;
      best_ = frictionless_;
    }
    epsilon = std::max(0.1 * epsilon, kLast * island.scale);
  }
  frictionless_ = best_;
  return least <= aim_;
}

// Gradient projection needs no factor and never fails; it may only take long.
bool DissipationMethod::SolveByGradients(const ImpulseIsland& island) {
  scratch_ = island.A.diagonal().array().max(1e-12 * island.scale);
  if (!frictionless_.allFinite()) frictionless_.setZero();
  ProjectedGradientSettings settings;
  settings.tolerance = CalcFirstTolerance(aim_);
  ProjectedGradientStats stats;
  const BoxQuadraticProgram program{
      [&](const Eigen::Ref<const VecX>& x, Eigen::Ref<VecX> Ax) { Ax.noalias() = island.A * x; },
      &scratch_, island.q, lower_, upper_};
  return gradient_.Solve(program, settings, frictionless_, &stats).status ==
         ComplementarityStatus::kSolved;
}

// Where viscous friction is in cones: b_T of the paper, after all forces of the step. Contacts that
// do not press without friction have none.
void DissipationMethod::CalcSlips(const ImpulseIsland& island) {
  has_viscous_ = false;
  slip_.assign(island.groups.size(), 0);
  if (viscous_ == ViscousFriction::kDamper) return;
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    const int first = island.groups[g].first_row;
    if (!(group.viscous > 0 && group.row_count > 1 && frictionless_[first] > 0)) continue;
    const int tangents = std::min(group.row_count - 1, 2);
    slip_[g] = island.q.segment(first + 1, tangents).norm();
    has_viscous_ = true;
  }
}

// The cones at these impulses; by how much their tips move, relative to the largest radius. (The
// radii themselves tell nothing: cones touch the set where they were taken.)
double DissipationMethod::UpdateCones(const ImpulseIsland& island, const VecX& gamma) {
  cones_.resize(island.groups.size());
  double change = 0, largest = 0;
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    const double normal = std::max(0.0, gamma[island.groups[g].first_row]);
    const double rho = island.problem->h * group.viscous * slip_[g];
    const WidenedCone cone = WidenCone(viscous_, group.mu, rho, normal);
    change = std::max(change, std::fabs(cone.offset - cones_[g].offset));
    largest = std::max(largest, cone.CalcRadius(normal));
    cones_[g] = cone;
  }
  return largest > 0 ? change / largest : 0;
}

// In quadrature the set is not convex: convex ones that touch it at the last impulses are inside of
// it, so that each pass dissipates no less than the one before.
bool DissipationMethod::SolveWithFriction(const ImpulseIsland& island, VecX* gamma,
                                          IslandOutcome* out) {
  constexpr int kMostPasses = 500;
  constexpr double kSettled = 1e-14;
  CalcSlips(island);
  UpdateCones(island, frictionless_);
  const bool repeats = has_viscous_ && viscous_ == ViscousFriction::kQuadrature;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    if (!SolveConeProgram(island, gamma, out)) return false;
    if (!repeats || UpdateCones(island, *gamma) <= kSettled) break;
  }
  return true;
}

bool DissipationMethod::SolveConeProgram(const ImpulseIsland& island, VecX* gamma,
                                         IslandOutcome* out) {
  if (!program_.Update(island, frictionless_, least_, cones_)) {
    *gamma = frictionless_;
    return true;
  }
  program_.SetStart(gamma->isZero(0) ? frictionless_ : *gamma, &point_);
  ConeQpStats stats;
  const ConeQpResult result = kernel_.Solve(program_.view(), settings_, &point_, &stats);
  out->iterations += stats.iterations + stats.newton_steps;
  out->factorizations += stats.factors;
  *gamma = frictionless_;
  if (!(result.residual <= kUseful)) return false;
  program_.GetImpulses(island, point_, gamma);
  has_multipliers_ = true;
  return true;
}

IslandOutcome DissipationMethod::Solve(const ImpulseIsland& island, VecX* gamma) {
  IslandOutcome out;
  has_multipliers_ = has_arrived_ = false;
  const bool is_first_solved = SolveWithoutFriction(island, &out);
  if (!SolveWithFriction(island, gamma, &out)) {
    out.status = SolveStatus::kIterationLimit;
  } else {
    out.status = is_first_solved ? SolveStatus::kSolved : SolveStatus::kInaccurate;
    has_arrived_ = true;
  }
  gamma_ = *gamma;
  return out;
}

void DissipationMethod::AddToClaim(const ImpulseIsland& island, Solution* solution) const {
  MaxDissipationClaim* const claim = &solution->dissipation;
  VecX multiplier = VecX::Zero(island.row_count());
  double price[kDissipationSums] = {};
  if (has_multipliers_) program_.GetMultipliers(island, point_, &multiplier, price);
  if (has_arrived_) program_.RaisePrices(island, gamma_, multiplier, price);
  const int first_sum = static_cast<int>(claim->price.size());
  claim->price.insert(claim->price.end(), price, price + kDissipationSums);
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    if (!claim->slip.empty()) claim->slip[island.groups[g].group] = slip_[g];
    for (int r = 0; r < group.row_count; ++r) {
      const int i = island.groups[g].first_row + r, row = island.rows[i];
      const int sum = SumOfRow(group, r, island.problem->rows[row]);
      claim->frictionless[row] = frictionless_[i];
      claim->multiplier[row] = multiplier[i];
      claim->sum[row] = sum < 0 ? -1 : first_sum + sum;
    }
  }
}

}  // namespace voigt
