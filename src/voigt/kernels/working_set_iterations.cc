#include <algorithm>
#include <cmath>

#include "voigt/kernels/working_set.h"

// Normal forces and directions of creep of a choice of states, by Newton's method or by repetition.
namespace voigt {
namespace {

constexpr double kSingularThreshold = 1e-10;
// Errors of forces that are left to rounding where rows repeat each other, and those of normal
// forces that only say how friction is shared.
constexpr double kRounding = 1e-11, kSharing = 1e-9;
// Angles between friction that creeps and its acceleration, rad, and what rounding leaves of
// accelerations, of those that are added up.
constexpr double kAngle = 1e-11, kRoundingOfSums = 1e-15;
// A step that leaves more than this of errors is one of a matrix that is old; one of a new matrix
// that leaves more than that has come to rounding.
constexpr double kFallsFast = 0.01, kFallsAtAll = 0.5;
// A matrix with a lesser pivot is not kept for the next problem: how near to singular it is
// then is asked for anew.
constexpr double kKeepsPivot = 1e-3;
// Repetition that leaves more than this of errors is too slow.
constexpr double kContracts = 0.9;

}  // namespace

// Whether errors are no more than that, of the forces. N of friction that sticks says no more than
// how it is shared.
bool WorkingSet::IsSettled(double tolerance, double sticking) const {
  for (int i = 0; i < error_.size(); ++i) {
    const bool sticks = i < N_.size() && !IsDriven(i);
    const double most = std::max(tolerance, sticks ? sticking : 0);
    if (!(std::fabs(error_[i]) <= most * lambda_scale_)) return false;
  }
  return true;
}

// Whether friction that creeps is along its acceleration. Where inertia differs a lot from one
// direction to another, what is across may be little beside the forces and much beside an
// acceleration that has only begun.
bool WorkingSet::IsAligned() const {
  for (const Turn& turn : turns_) {
    const FrictionElement& element = problem_->elements[turn.element];
    const int rows = element.row_count;
    const auto a = a_.segment(element.first_row, rows);
    const double across = std::fabs(turn.across.head(rows).dot(a));
    if (!(across <= std::max(kAngle * a.norm(), kRoundingOfSums * a_scale_))) return false;
  }
  return true;
}

// Whether all that creeps moves, or is said to begin to. Slow motion leaves Newton's matrix next to
// nothing to tell directions by, and they are found all the same. Where nothing moves they are not.
bool WorkingSet::AllMove() const {
  for (int k = 0; k < static_cast<int>(states_.size()); ++k) {
    const FrictionElement& element = problem_->elements[k];
    if (states_[k] != FrictionState::kCreeps || element.begins) continue;
    if (!(AlongOf(k) > settings_.tolerance * a_scale_)) return false;
  }
  return true;
}

// Newton's matrix, anew. False if it is singular.
bool WorkingSet::FactorJacobian() {
  ++stats_->factorizations;
  UpdateJacobian();
  newton_.compute(jacobian_);
  // Relative to what it is without friction, the identity: a single number is never small beside
  // itself.
  const double least = newton_.matrixLU().diagonal().cwiseAbs().minCoeff();
  pivot_ = least / std::max(1.0, newton_.maxPivot());
  keeps_factor_ = false;
  return pivot_ > kSingularThreshold;
}

// Whether the matrix at hand is one of these states.
bool WorkingSet::HasFactor() const {
  return keeps_factor_ && factor_states_ == states_ && factor_touches_ == touches_ &&
         newton_.cols() == error_.size();
}

void WorkingSet::KeepFactor() {
  keeps_factor_ = pivot_ > kKeepsPivot;
  factor_pivot_ = pivot_;
  factor_states_ = states_;
  factor_touches_ = touches_;
}

// The step at hand, taken. Whether it makes errors less.
bool WorkingSet::Advance() {
  N_start_ = N_;
  d_start_ = d_;
  turns_start_ = turns_;
  const double before = error_.norm();
  Move(1);
  Evaluate();
  return error_.norm() < before;
}

WorkingSet::Trial WorkingSet::IterateNewton() {
  bool has_factor = HasFactor();
  for (int iteration = 0; iteration < settings_.max_newton; ++iteration) {
    ++stats_->iterations;
    const bool is_new = !has_factor;
    if (is_new && !FactorJacobian()) {
      return IsSettled(kRounding, kSharing) && AllMove() ? Trial::kConsistent : Trial::kSingular;
    }
    const double before = error_.norm();
    step_ = newton_.solve(weight_.cwiseProduct(error_));
    bool is_less = Advance();
    // A part of the step does, if the matrix is new.
    for (double t = 0.5; is_new && t > 1e-3 && !is_less; t *= 0.5) {
      Move(t);
      Evaluate();
      is_less = error_.norm() < before;
    }
    const bool is_aligned = IsAligned();
    if (is_aligned && IsSettled(0.1 * settings_.tolerance, kSharing)) return Trial::kConsistent;
    // Errors that rounding leaves of forces which repeat each other go on to fall by a little.
    const bool falls = error_.norm() < (is_new ? kFallsAtAll : 1) * before;
    const bool is_at_rounding = !falls && (is_aligned || is_new);
    if (is_at_rounding && IsSettled(kRounding, kSharing)) return Trial::kConsistent;
    // What turns may be more or less than before, by the new directions (AddTurn).
    has_factor = is_less && error_.norm() < kFallsFast * before && newton_.cols() == error_.size();
    if (is_less || is_new) continue;
    Move(0);
    Evaluate();
  }
  return Trial::kUnsettled;
}

// What turns friction that creeps, beside a step of normal forces: Newton's method with N given.
bool WorkingSet::CalcTurnsBeside() {
  const auto count = N_.size(), turns = static_cast<Eigen::Index>(turns_.size());
  if (turns == 0) return true;
  UpdateJacobian();
  keeps_factor_ = false;
  const Eigen::FullPivLU<MatX> own(jacobian_.bottomRightCorner(turns, turns));
  if (!own.isInvertible()) return false;
  const VecX right = weight_.tail(turns).cwiseProduct(error_.tail(turns)) -
                     jacobian_.bottomLeftCorner(turns, count) * step_.head(count);
  step_.tail(turns) = own.solve(right);
  return true;
}

// N ← N(λ(N)). False where that contracts slowly or not at all; N and d are then the best.
bool WorkingSet::IterateNormals() {
  for (int iteration = 0; iteration < settings_.max_fixed_point; ++iteration) {
    ++stats_->fixed_points;
    const double before = error_.norm();
    step_ = error_;
    if (!CalcTurnsBeside()) return false;
    const bool is_less = Advance();
    const bool is_aligned = IsAligned();
    if (is_aligned && IsSettled(0.1 * settings_.tolerance, kSharing)) return true;
    if (error_.norm() < kContracts * before) continue;
    if (is_aligned && IsSettled(kRounding, kSharing)) return true;
    if (!is_less) {
      Move(0);
      Evaluate();
    }
    return false;
  }
  return false;
}

// Multipliers, normal forces and directions of a choice of states.
WorkingSet::Trial WorkingSet::SolveForces() {
  Evaluate();
  pivot_ = HasFactor() ? factor_pivot_ : 1;
  if (states_.empty()) return Trial::kConsistent;
  if (settings_.iteration == NormalForceIteration::kFixedPoint) {
    if (IterateNormals()) return Trial::kConsistent;
    ++stats_->takeovers;
  }
  const Trial trial = IterateNewton();
  if (trial == Trial::kConsistent) KeepFactor();
  return trial;
}

}  // namespace voigt
