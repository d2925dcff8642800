#include "voigt/kernels/boxed_pivoting.h"

#include <algorithm>
#include <cmath>

#include "voigt/base/check.h"
#include "voigt/kernels/dense_cholesky.h"

namespace voigt {
namespace {

// Below this, relative to their largest, entries of z − bound and of w count as zero.
// Times the size, as sums of so many terms are rounded.
constexpr double kWrongSign = 1e-15;
constexpr double kSingularCholesky = 1e-11;
constexpr double kSingularInside = 1e-12;
// ε of the first proximal step, relative to the largest entry of N, and of the last. It falls
// tenfold from step to step: sets that are far from right give points that are large like 1/ε,
// whose signs are made of rounding errors where ε is small at once.
constexpr double kFirstShift = 1, kLastShift = 1e-8;
// Partial exchanges before single ones, in units of the patience.
constexpr int kPartial = 5;
constexpr int kMaxProximalSteps = 60;
// A residual that no further proximal step needs to improve.
constexpr double kProximalGoal = 1e-15;

Eigen::Map<VecX> Vector(std::vector<double>* x) {
  return Eigen::Map<VecX>(x->data(), static_cast<int>(x->size()));
}

}  // namespace

BoxedPivotingResult BoxedPivoting::Solve(const ComplementarityProblem& problem,
                                         const BoxedPivotingSettings& settings, Eigen::Ref<VecX> z,
                                         BoxedPivotingStats* stats) {
  VOIGT_CHECK(z.size() == problem.size());
  problem_ = &problem;
  settings_ = &settings;
  stats_ = stats;
  *stats = BoxedPivotingStats();
  best_ = kInfinity;
  if (!IsWellPosed(problem)) return {};
  const int size = problem.size();
  max_steps_ = settings.max_steps > 0 ? settings.max_steps : 1000 + 10 * size;
  for (std::vector<double>* x : {&z_, &w_, &center_, &clamped_, &scratch_}) x->assign(size, 0.0);
  SetPlaces(z);

  N_max_ = size > 0 ? problem.N.cwiseAbs().maxCoeff() : 0;

  // As it is; by proximal steps where that fails; and again as it is, with more patience.
  const End end = Exchange(0, std::min(max_steps_, size + 50));
  if (end != End::kSingular) Judge(z);
  if (best_ > settings.tolerance) SolveProximal(z);
  if (best_ > settings.tolerance && end != End::kSingular) {
    std::fill(center_.begin(), center_.end(), 0.0);
    if (Exchange(0, max_steps_) != End::kSingular) Judge(z);
  }
  if (std::isinf(best_)) {
    z = VecX::Zero(size).cwiseMax(problem.lower).cwiseMin(problem.upper);
    best_ = CalcComplementarityResidual(problem, z, Vector(&scratch_));
  }
  const int steps = stats->block_steps + stats->single_steps;
  stats->guess_held = settings.use_guess && steps == 0;
  if (best_ <= settings.tolerance) return {ComplementarityStatus::kSolved, best_};
  const bool is_limit = steps >= max_steps_ || settings.deadline.HasPassed();
  return {is_limit ? ComplementarityStatus::kIterationLimit : ComplementarityStatus::kInaccurate,
          best_};
}

// From the guess, or else from the signs of q.
void BoxedPivoting::SetPlaces(const Eigen::Ref<const VecX>& z) {
  places_.resize(problem_->size());
  for (int i = 0; i < problem_->size(); ++i) {
    const double lower = problem_->lower[i], upper = problem_->upper[i];
    Place place = Place::kInside;
    if (lower == upper) {
      place = Place::kLower;
    } else if (settings_->use_guess) {
      if (z[i] <= lower) place = Place::kLower;
      if (z[i] >= upper) place = Place::kUpper;
    } else {
      if (lower != -kInfinity && problem_->q[i] >= 0) place = Place::kLower;
      if (upper != kInfinity && problem_->q[i] < 0 && lower == -kInfinity) place = Place::kUpper;
    }
    places_[i] = place;
  }
}

BoxedPivoting::End BoxedPivoting::Exchange(double shift, int max_steps) {
  int fewest = problem_->size() + 1, patience = settings_->patience;
  for (;;) {
    if (!SolveInside(shift)) return End::kSingular;
    FindWrong();
    const int count = static_cast<int>(wrong_.size());
    if (count == 0) return End::kRightSigns;
    const int steps = stats_->block_steps + stats_->single_steps;
    if (steps >= max_steps || settings_->deadline.HasPassed()) return End::kLimit;
    if (count < fewest) {
      fewest = count;
      patience = settings_->patience;
    } else {
      --patience;
    }
    if (patience >= 0) {
      for (const int i : wrong_) ChangeSides(i);
      ++stats_->block_steps;
    } else if (patience >= -kPartial * settings_->patience) {
      // A part of them, another one each time, leaves the cycles of whole exchanges.
      for (const int i : wrong_) {
        if (((i * 2654435761u) ^ (static_cast<unsigned>(steps) * 40503u)) >> 9 & 1) ChangeSides(i);
      }
      ++stats_->block_steps;
    } else {
      ChangeSides(wrong_.front());
      ++stats_->single_steps;
    }
  }
}

// z and w of the places as they are, for N + shift I and q − shift center.
bool BoxedPivoting::SolveInside(double shift) {
  const int size = problem_->size();
  Eigen::Map<VecX> w = Vector(&w_);
  w = problem_->q - shift * Vector(&center_);
  inside_.clear();
  for (int i = 0; i < size; ++i) {
    if (places_[i] == Place::kInside) {
      inside_.push_back(i);
      continue;
    }
    z_[i] = places_[i] == Place::kLower ? problem_->lower[i] : problem_->upper[i];
    if (z_[i] == 0) continue;
    w += z_[i] * problem_->N.col(i);
    w[i] += shift * z_[i];
  }
  const int count = static_cast<int>(inside_.size());
  core_.resize(static_cast<size_t>(count) * count);
  swaps_.resize(count);
  for (int b = 0; b < count; ++b) {
    const double* column = problem_->N.col(inside_[b]).data();
    double* out = core_.data() + static_cast<size_t>(count) * b;
    for (int a = settings_->is_symmetric ? b : 0; a < count; ++a) out[a] = column[inside_[a]];
    out[b] += shift;
    scratch_[b] = -w[inside_[b]];
  }
  DenseBlock core(core_.data(), count, count, Eigen::OuterStride<>(count));
  ++stats_->factors;
  if (settings_->is_symmetric) {
    // Shifted matrices are as definite as the shift makes them.
    if (!FactorCholesky(core, shift > 0 ? 0 : kSingularCholesky)) return false;
    SolveCholesky(core, scratch_.data());
  } else {
    if (!(FactorLu(core, swaps_.data()) > (shift > 0 ? 0 : kSingularInside))) return false;
    SolveLu(core, swaps_.data(), scratch_.data());
  }
  for (int a = 0; a < count; ++a) {
    const int i = inside_[a];
    z_[i] = scratch_[a];
    w += z_[i] * problem_->N.col(i);
    w[i] += shift * z_[i];
  }
  return true;
}

void BoxedPivoting::FindWrong() {
  double z_max = 0, q_max = 0;
  for (int i = 0; i < problem_->size(); ++i) {
    z_max = std::max(z_max, std::abs(z_[i]));
    q_max = std::max(q_max, std::abs(problem_->q[i]));
  }
  // w is as wrong as the largest of the terms that it is the sum of.
  const double slack = kWrongSign * (10 + problem_->size());
  const double z_slack = slack * z_max;
  const double w_slack = slack * std::max(q_max, N_max_ * z_max);
  wrong_.clear();
  for (int i = 0; i < problem_->size(); ++i) {
    const double lower = problem_->lower[i], upper = problem_->upper[i];
    bool is_wrong = false;
    switch (places_[i]) {
      case Place::kLower:
        is_wrong = w_[i] < -w_slack && lower < upper;
        break;
      case Place::kUpper:
        is_wrong = w_[i] > w_slack;
        break;
      case Place::kInside:
        is_wrong = z_[i] < lower - z_slack || z_[i] > upper + z_slack;
        break;
    }
    if (is_wrong) wrong_.push_back(i);
  }
}

void BoxedPivoting::ChangeSides(int i) {
  if (places_[i] != Place::kInside) {
    places_[i] = Place::kInside;
  } else {
    places_[i] = z_[i] < problem_->lower[i] ? Place::kLower : Place::kUpper;
  }
}

// The residual of z_, put into the box; z becomes that point if it is the best one.
double BoxedPivoting::Judge(Eigen::Ref<VecX> z) {
  Eigen::Map<VecX> point = Vector(&clamped_);
  point = Vector(&z_).cwiseMax(problem_->lower).cwiseMin(problem_->upper);
  const double residual = CalcComplementarityResidual(*problem_, point, Vector(&scratch_));
  if (residual < best_) {
    best_ = residual;
    z = point;
  }
  return residual;
}

void BoxedPivoting::SolveProximal(Eigen::Ref<VecX> z) {
  // From zero, or what is nearest to it: the least norm is then not far.
  for (int i = 0; i < problem_->size(); ++i) {
    center_[i] = std::min(std::max(0.0, problem_->lower[i]), problem_->upper[i]);
  }
  int without_progress = 0;
  double shift = kFirstShift;
  for (int step = 0; step < kMaxProximalSteps && without_progress < 3; ++step) {
    ++stats_->proximal_steps;
    const double before = best_;
    const End end = Exchange(std::max(shift, kLastShift) * N_max_, max_steps_);
    if (end == End::kSingular) return;
    const double residual = Judge(z);
    if (end == End::kLimit || residual <= kProximalGoal) return;
    without_progress = best_ < 0.5 * before || shift > kLastShift ? 0 : without_progress + 1;
    shift /= 10;
    center_ = clamped_;
  }
}

}  // namespace voigt
