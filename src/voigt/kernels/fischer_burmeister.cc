#include "voigt/kernels/fischer_burmeister.h"

#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

constexpr int kEquilibrationSweeps = 4;
constexpr double kLeastDiagonal = 1e-10;  // relative to its row; less is rounding
constexpr double kFirstEpsilon = 1, kEpsilonFactor = 0.2;
constexpr int kProximalSteps = 20;
constexpr int kFischerSweeps = 100;
// Relative to q, of Φ. Attempts are judged by the natural residual of the result, and often the
// conditions that hold are known long before Φ is zero to rounding, which is slow where both z and
// w are zero: so there is a look at them on the way.
constexpr double kFischerLooks[] = {1e-4, 1e-8};
constexpr double kFischerTolerance = 1e-15;
// Of proximal steps, each of which only leads to the next.
constexpr double kOnTheWay = 1e-8;
// Damping of the refinement, relative: below the squares of all singular values that count.
constexpr double kRefinementDamping = 1e-24;

double PositiveOr(double value, double otherwise) { return value > 0 ? value : otherwise; }

}  // namespace

// First to a diagonal of 1, where there is one: with friction, whose N holds inertia (of any size)
// beside coefficients of 1, the largest entries of all rows may be equal while inertia is lost
// beside them. Then rows and columns by the square roots of their largest entries, in turn [Ruiz
// 2001].
void FischerBurmeister::ScaleProblem(const ComplementarityProblem& problem) {
  const int size = problem.size();
  N_.Resize(size, size);
  for (KeptVector* v :
       {&q_, &lower_, &upper_, &z_, &start_, &best_, &E_, &D_, &w_, &true_z_, &unrefined_}) {
    v->Resize(size);
  }
  auto N = N_.get();
  auto E = E_.get(), D = D_.get();
  N = problem.N;
  E.setOnes();
  for (int i = 0; i < size; ++i) {
    const bool counts = N(i, i) > kLeastDiagonal * N.row(i).cwiseAbs().maxCoeff();
    D[i] = counts ? 1 / std::sqrt(N(i, i)) : 0;
  }
  // A row without a diagonal takes E from the columns that have one, and a column D from rows.
  for (int i = 0; i < size; ++i) {
    E[i] = D[i] > 0 ? D[i]
                    : 1 / PositiveOr(N.row(i).transpose().cwiseProduct(D).cwiseAbs().maxCoeff(), 1);
  }
  for (int i = 0; i < size; ++i) {
    if (D[i] == 0) D[i] = 1 / PositiveOr(N.col(i).cwiseProduct(E).cwiseAbs().maxCoeff(), 1);
  }
  for (int j = 0; j < size; ++j) N.col(j) = D[j] * N.col(j).cwiseProduct(E);
  Equilibrate();
  q_.get() = E.cwiseProduct(problem.q);
  lower_.get() = problem.lower.cwiseQuotient(D);
  upper_.get() = problem.upper.cwiseQuotient(D);
  system_.SetProblem(&N_, &q_, &lower_, &upper_);
}

void FischerBurmeister::Equilibrate() {
  auto N = N_.get();
  auto rows = w_.get(), cols = true_z_.get();
  const int size = static_cast<int>(rows.size());
  for (int sweep = 0; sweep < kEquilibrationSweeps; ++sweep) {
    rows.setZero();
    for (int j = 0; j < size; ++j) {
      rows = rows.cwiseMax(N.col(j).cwiseAbs());
      cols[j] = 1 / std::sqrt(PositiveOr(N.col(j).cwiseAbs().maxCoeff(), 1));
    }
    for (double& x : rows) x = 1 / std::sqrt(PositiveOr(x, 1));
    for (int j = 0; j < size; ++j) N.col(j) = cols[j] * N.col(j).cwiseProduct(rows);
    E_.get() = E_.get().cwiseProduct(rows);
    D_.get() = D_.get().cwiseProduct(cols);
  }
}

LevenbergMarquardtStatus FischerBurmeister::Minimize(const FischerBurmeisterSettings& settings,
                                                     double tolerance, int max_iterations,
                                                     FischerBurmeisterStats* stats) {
  LevenbergMarquardtSettings lm;
  lm.variant = settings.variant;
  lm.max_iterations = max_iterations;
  lm.tolerance = tolerance;
  lm.scale = PositiveOr(q_.get().cwiseAbs().maxCoeff(), 1e-300);
  lm.deadline = settings.deadline;
  const auto size = static_cast<size_t>(q_.get().size());
  return method_
      .Solve(lm, &system_, {lower_.get().data(), size}, {upper_.get().data(), size}, z_.get(),
             &stats->lm)
      .status;
}

double FischerBurmeister::CalcTrueResidual(const ComplementarityProblem& problem) {
  auto z = true_z_.get();
  z = z_.get().cwiseProduct(D_.get()).cwiseMax(problem.lower).cwiseMin(problem.upper);
  return CalcComplementarityResidual(problem, z, w_.get());
}

// z_ with the conditions that hold at it taken as known.
void FischerBurmeister::Refine() {
  auto z = z_.get(), w = w_.get();
  const auto N = N_.get();
  const auto lower = lower_.get(), upper = upper_.get();
  w = q_.get();
  w.noalias() += N * z;
  inside_.clear();
  for (int i = 0; i < static_cast<int>(z.size()); ++i) {
    const bool at_lower = z[i] - lower[i] < w[i], at_upper = upper[i] - z[i] < -w[i];
    if (lower[i] == upper[i] || at_lower) {
      z[i] = lower[i];
    } else if (at_upper) {
      z[i] = upper[i];
    } else {
      inside_.push_back(i);
    }
  }
  const int count = static_cast<int>(inside_.size());
  if (count == 0) return;
  N_inside_.Resize(count, count);
  w_inside_.Resize(count);
  step_.Resize(count);
  auto N_inside = N_inside_.get();
  for (int j = 0; j < count; ++j) {
    for (int i = 0; i < count; ++i) N_inside(i, j) = N(inside_[i], inside_[j]);
  }
  least_squares_.SetMatrix(N_inside);
  least_squares_.Factor(kRefinementDamping * PositiveOr(least_squares_.largest_diagonal(), 1));
  // The second round removes the rounding of the first.
  for (int round = 0; round < 2; ++round) {
    w = q_.get();
    w.noalias() += N * z;
    for (int i = 0; i < count; ++i) w_inside_.get()[i] = w[inside_[i]];
    least_squares_.Solve(w_inside_.get(), step_.get());
    for (int i = 0; i < count; ++i) z[inside_[i]] -= step_.get()[i];
  }
}

bool FischerBurmeister::Attempt(const ComplementarityProblem& problem,
                                const FischerBurmeisterSettings& settings,
                                FischerBurmeisterStats* stats) {
  ++stats->attempts;
  int left = settings.max_iterations;
  for (const double look : kFischerLooks) {
    const int before = stats->lm.iterations;
    const LevenbergMarquardtStatus status = Minimize(settings, look, left, stats);
    left -= stats->lm.iterations - before;
    if (status != LevenbergMarquardtStatus::kConverged || left <= 0) break;
    if (Judge(problem, settings, status, stats)) return true;
    z_.get() = unrefined_.get();
  }
  const LevenbergMarquardtStatus status =
      Minimize(settings, kFischerTolerance, std::max(left, 1), stats);
  return Judge(problem, settings, status, stats);
}

bool FischerBurmeister::Judge(const ComplementarityProblem& problem,
                              const FischerBurmeisterSettings& settings,
                              LevenbergMarquardtStatus status, FischerBurmeisterStats* stats) {
  const double residual_unrefined = CalcTrueResidual(problem);
  double residual = residual_unrefined;
  unrefined_.get() = z_.get();
  Refine();
  const double refined = CalcTrueResidual(problem);
  if (refined < residual) {
    ++stats->refinements;
    residual = refined;
  } else {
    z_.get() = unrefined_.get();
  }
  if (!(residual < result_.residual)) return false;
  result_.residual = residual;
  result_.residual_unrefined = residual_unrefined;
  best_.get() = z_.get();
  const bool stopped = status == LevenbergMarquardtStatus::kIterationLimit ||
                       status == LevenbergMarquardtStatus::kDeadline;
  result_.status = residual <= settings.tolerance ? ComplementarityStatus::kSolved
                   : stopped                      ? ComplementarityStatus::kIterationLimit
                                                  : ComplementarityStatus::kInaccurate;
  return result_.status == ComplementarityStatus::kSolved;
}

bool FischerBurmeister::TryOtherVariant(const ComplementarityProblem& problem,
                                        const FischerBurmeisterSettings& settings,
                                        FischerBurmeisterStats* stats) {
  z_.get() = start_.get();
  FischerBurmeisterSettings other = settings;
  other.variant = OtherVariant(settings.variant);
  ++stats->variant_changes;
  return Attempt(problem, other, stats);
}

bool FischerBurmeister::TryProximal(const ComplementarityProblem& problem, double epsilon,
                                    const FischerBurmeisterSettings& settings,
                                    FischerBurmeisterStats* stats) {
  z_.get() = start_.get();
  FischerBurmeisterSettings other = settings;
  other.variant = OtherVariant(settings.variant);
  for (int i = 0; i < kProximalSteps && !settings.deadline.HasPassed(); ++i) {
    system_.SetProximal(epsilon, z_.get());
    ++stats->proximal_steps;
    if (Minimize(settings, kOnTheWay, settings.max_iterations, stats) !=
        LevenbergMarquardtStatus::kConverged) {
      ++stats->variant_changes;
      Minimize(other, kOnTheWay, settings.max_iterations, stats);
    }
    epsilon *= kEpsilonFactor;
  }
  system_.ClearProximal();
  return Attempt(problem, settings, stats);
}

bool FischerBurmeister::TrySweeps(const ComplementarityProblem& problem,
                                  const FischerBurmeisterSettings& settings,
                                  FischerBurmeisterStats* stats) {
  auto z = z_.get();
  const auto N = N_.get();
  z = start_.get();
  for (int sweep = 0; sweep < kFischerSweeps; ++sweep) {
    for (int i = 0; i < static_cast<int>(z.size()); ++i) {
      // Rows without a diagonal (those that bound friction) have a step of their own size.
      const double w = N.row(i).dot(z) + q_.get()[i];
      z[i] = std::clamp(z[i] - w / PositiveOr(N(i, i), 1), lower_.get()[i], upper_.get()[i]);
    }
  }
  stats->sweeps += kFischerSweeps;
  return z.allFinite() && Attempt(problem, settings, stats);
}

FischerBurmeisterResult FischerBurmeister::Solve(const ComplementarityProblem& problem,
                                                 const FischerBurmeisterSettings& settings,
                                                 Eigen::Ref<VecX> z,
                                                 FischerBurmeisterStats* stats) {
  result_ = {};
  if (!IsWellPosed(problem) || !z.allFinite()) return result_;
  if (problem.size() == 0) return {ComplementarityStatus::kSolved, 0, 0};
  result_.residual = kInfinity;
  ScaleProblem(problem);
  z_.get() = z.cwiseQuotient(D_.get()).cwiseMax(lower_.get()).cwiseMin(upper_.get());
  start_.get() = z_.get();
  best_.get() = z_.get();
  const bool solved = settings.proximal > 0
                          ? TryProximal(problem, settings.proximal, settings, stats)
                          : Attempt(problem, settings, stats);
  if (!solved && settings.allow_restarts && !settings.deadline.HasPassed()) {
    TryOtherVariant(problem, settings, stats) ||
        TryProximal(problem, kFirstEpsilon, settings, stats) || TrySweeps(problem, settings, stats);
  }
  z = best_.get().cwiseProduct(D_.get()).cwiseMax(problem.lower).cwiseMin(problem.upper);
  return result_;
}

}  // namespace voigt
