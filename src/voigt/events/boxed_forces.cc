#include "voigt/events/boxed_forces.h"

#include <algorithm>
#include <cmath>

#include "voigt/base/check.h"

namespace voigt {
namespace {

// Proximal steps of rows that repeat each other: relative to A, and how many. Rounding shares their
// forces unevenly by 1e-16/ε, so that ε must not be small.
constexpr double kHeldProximal = 1e-5;
constexpr int kHeldSteps = 40;
constexpr double kHeldTolerance = 1e-15, kHeldUseful = 1e-9;

}  // namespace

void BoxedForces::Reduce(const AccelerationProblem& problem) {
  std::vector<char> is_left(problem.rows(), 1);
  for (const FrictionBlock& block : problem.friction) {
    VOIGT_CHECK(block.normal_row >= 0 && block.task != FrictionTask::kDecides);
    if (block.task != FrictionTask::kSlides) continue;
    for (int i = 0; i < block.row_count; ++i) is_left[block.first_row + i] = 0;
  }
  rows_.clear();
  for (int r = 0; r < problem.rows(); ++r) {
    if (is_left[r]) rows_.push_back(r);
  }
  const int count = static_cast<int>(rows_.size());
  A_ = problem.A(rows_, rows_);
  right_ = problem.a0(rows_);
  lower_.setConstant(count, -kInfinity);
  upper_.setConstant(count, kInfinity);
  for (int i = 0; i < count; ++i) {
    if (problem.laws[rows_[i]] == AccelerationLaw::kOneSided) lower_[i] = 0;
  }
  for (const FrictionBlock& block : problem.friction) {
    if (block.task != FrictionTask::kSlides) continue;
    const auto at = std::lower_bound(rows_.begin(), rows_.end(), block.normal_row) - rows_.begin();
    for (int k = 0; k < block.row_count; ++k) {
      A_.col(at) -= block.mu * block.direction[k] * problem.A(rows_, block.first_row + k);
    }
  }
}

// z ← solution for A + ε and right − ε z.
bool BoxedForces::Solve(const AccelerationProblem& problem, double in_play, VecX* lambda) {
  Reduce(problem);
  const int count = static_cast<int>(rows_.size());
  z_.setZero(count);
  if (lambda->size() == problem.rows() && lambda->allFinite()) z_ = (*lambda)(rows_);
  const double scale = A_.diagonal().cwiseAbs().maxCoeff();
  if (!(scale > 0)) return false;
  shifted_ = A_;
  shifted_.diagonal().array() += kHeldProximal * scale;
  target_.setZero(count);
  rest_.resize(count);
  BoxedPivotingSettings settings;
  settings.use_guess = true;
  const ComplementarityProblem boxed{A_, right_, lower_, upper_};
  double least = kInfinity;
  for (int k = 0; k < kHeldSteps; ++k) {
    rest_ = right_ - kHeldProximal * scale * target_;
    BoxedPivotingStats stats;
    const auto result = pivoting_.Solve({shifted_, rest_, lower_, upper_}, settings, z_, &stats);
    if (result.status == ComplementarityStatus::kFailed || !z_.allFinite()) return false;
    target_ = z_;
    // Relative to accelerations in play: where all forces cancel, there is nothing else to compare.
    const double size = (right_.cwiseAbs() + A_.cwiseAbs() * z_.cwiseAbs()).maxCoeff();
    double residual = CalcComplementarityResidual(boxed, z_, rest_);
    if (std::max(size, in_play) > 0) residual *= size / std::max(size, in_play);
    const bool is_done = residual <= kHeldTolerance || !(residual < 0.5 * least);
    least = std::min(least, residual);
    if (is_done) break;
  }
  lambda->setZero(problem.rows());
  for (int i = 0; i < count; ++i) (*lambda)[rows_[i]] = z_[i];
  for (const FrictionBlock& block : problem.friction) {
    if (block.task != FrictionTask::kSlides) continue;
    for (int k = 0; k < block.row_count; ++k) {
      (*lambda)[block.first_row + k] = -block.mu * (*lambda)[block.normal_row] * block.direction[k];
    }
  }
  return least <= kHeldUseful;
}

}  // namespace voigt
