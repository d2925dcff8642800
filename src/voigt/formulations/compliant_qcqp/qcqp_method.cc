#include "voigt/formulations/compliant_qcqp/qcqp_method.h"

#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

// As printed [Drumwright 2019, §6.1 and §6.4]: ζ = 1/h and B_r = 10⁶/h, with h in s and B_r in N
// s/m.
constexpr double kPrintedZetaTimesStep = 1, kPrintedDampingTimesStep = 1e6;

// Of the largest velocity that an impulse of the island makes by itself.
constexpr double kIsInflated = 1e-9;

}  // namespace

QcqpMethod::QcqpMethod(const ImpulseSpaceSettings& settings)
    : zeta_(settings.zeta), tangential_damping_(settings.tangential_damping) {
  if (settings.max_iterations > 0) {
    settings_.max_iterations = settings_.max_newton_steps = settings.max_iterations;
  }
  settings_.use_start = true;
}

void QcqpMethod::Claim(const VelocityProblem& problem, Solution* solution) {
  weights_.zeta = zeta_.value_or(kPrintedZetaTimesStep / problem.h);
  weights_.softness =
      1 / (problem.h * tangential_damping_.value_or(kPrintedDampingTimesStep / problem.h));
  solution->friction = FrictionMode::kMinimumNorm;
  solution->directions = 0;
  solution->cone_angle.clear();
  solution->minimum_norm.zeta = weights_.zeta;
  solution->minimum_norm.softness = weights_.softness;
  solution->minimum_norm.multiplier.setZero(problem.row_count());
}

// How large multipliers are beside conditions is known at the solution only: by up to 10⁶ either
// way. The objective is scaled until they are alike. Beyond that, the first solution is nearly
// always one of the second program, too, to the digits that it lacked.
bool QcqpMethod::SolveScaled(const ImpulseIsland& island, const VecX& start, IslandOutcome* out) {
  constexpr int kMostRounds = 6, kLastSteps = 2;
  constexpr double kNear = 1e-6, kAlike = 3, kLargestFactor = 1e3, kRounding = 1e-11;
  program_.SetStart(island, start, &point_);
  for (int round = 1;; ++round) {
    ConeQpStats stats;
    const ConeQpResult result = kernel_.Solve(program_.view(), settings_, &point_, &stats);
    out->iterations += stats.iterations + stats.newton_steps;
    out->factorizations += stats.factors;
    const double size = program_.CalcDualSize(point_);
    const bool is_alike = size < kAlike && size > 1 / kAlike;
    if (result.converged && size <= kRounding) {
      // Nothing is minimised, as among bilateral rows alone: what is left is not to be scaled up.
      has_multipliers_ = false;
      return true;
    }
    if (result.converged && is_alike) {
      ConeQpSettings few = settings_;
      few.tolerance = 0;
      few.max_iterations = 0;
      few.max_newton_steps = kLastSteps;
      kernel_.Solve(program_.view(), few, &point_, &stats);
      return true;
    }
    if (size <= kRounding || round == kMostRounds || !std::isfinite(size)) return false;
    double factor = 1 / size;
    if (!(result.residual < kNear)) {
      // Nothing to start from, and not much to tell sizes by.
      factor = std::clamp(factor, 1 / kLargestFactor, kLargestFactor);
      point_.x.setZero();
      point_.z.resize(0);
      point_.y.resize(0);
    }
    program_.ScaleObjective(factor, &point_);
  }
}

IslandOutcome QcqpMethod::Solve(const ImpulseIsland& island, VecX* gamma) {
  IslandOutcome out;
  out.status = SolveStatus::kSolved;
  has_multipliers_ = program_.Update(island, weights_);
  if (has_multipliers_) {
    if (!SolveScaled(island, *gamma, &out)) out.status = SolveStatus::kIterationLimit;
    program_.GetImpulses(island, point_, gamma);
  } else {
    gamma->setZero(island.row_count());
  }
  gamma_ = *gamma;
  return out;
}

// Rows that push although they part, u > 0, which no law of theirs would have them do.
int QcqpMethod::CountInflated(const ImpulseIsland& island) const {
  double largest = 0;
  for (int i = 0; i < island.row_count(); ++i) {
    largest = std::max(largest, island.A(i, i) * std::fabs(gamma_[i]));
  }
  int count = 0;
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    for (int r = 0; r < group.row_count; ++r) {
      if (!CanOnlyPush(group, r)) continue;
      const int i = island.groups[g].first_row + r;
      const double u = island.A.row(i).dot(gamma_) + island.q[i];
      count += std::min(island.A(i, i) * gamma_[i], u) > kIsInflated * largest;
    }
  }
  return count;
}

void QcqpMethod::AddToClaim(const ImpulseIsland& island, Solution* solution) const {
  solution->stats.inflated += CountInflated(island);
  if (!has_multipliers_) return;
  VecX multiplier;
  program_.GetMultipliers(point_, &multiplier);
  for (int i = 0; i < island.row_count(); ++i) {
    solution->minimum_norm.multiplier[island.rows[i]] = multiplier[i];
  }
}

}  // namespace voigt
