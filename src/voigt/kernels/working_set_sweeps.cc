// States to begin the search with, by sweeps of Gauss and Seidel.

#include <algorithm>
#include <cmath>

#include "voigt/kernels/working_set.h"

namespace voigt {
namespace {

constexpr int kMostSweeps = 5000;      // per friction element: higher stacks need more
constexpr double kSwept = 1e-13;       // change of a sweep that is none, of the accelerations
constexpr double kSweptWell = 1e-7;    // and that which is enough for states
constexpr double kSweptFully = 1e-11;  // and for accelerations
constexpr double kWithin = 1e-6;       // of its limit: friction that may be at it

}  // namespace

// λ of some rows, and what that makes of all accelerations. Returns how much of an own acceleration
// it changes.
double WorkingSet::SetRows(int first, int count, const Vec3& value) {
  double moved = 0;
  for (int i = 0; i < count; ++i) {
    const int r = first + i;
    const double change = value[i] - lambda_[r];
    if (change == 0) continue;
    lambda_[r] = value[i];
    a_ += change * problem_->A.col(r);
    moved = std::max(moved, std::fabs(change) * problem_->A(r, r));
  }
  return moved;
}

double WorkingSet::SweepNormal(int r) {
  const double own = problem_->A(r, r);
  if (!(own > 0)) return 0;
  return SetRows(r, 1, Vec3(std::max(0.0, lambda_[r] - a_[r] / own), 0, 0));
}

double WorkingSet::SweepFriction(int k) {
  const FrictionElement& element = problem_->elements[k];
  const int first = element.first_row, count = element.row_count;
  const double N =
      element.is_of_row() ? lambda_[element.normal_row] + element.normal_offset : N_[k];
  Vec3 force = Vec3::Zero();
  if (element.slides) {
    force = -element.mu * N * element.direction;
    return SetRows(first, count, force);
  }
  // A unit of force on one of the rows moves all of them by no more than this.
  const double own =
      problem_->A.block(first, first, count, count).cwiseAbs().rowwise().sum().maxCoeff();
  if (!(own > 0)) return 0;
  force.head(count) = lambda_.segment(first, count) - a_.segment(first, count) / own;
  const double size = force.norm(), limit = SweptMuOf(element) * N;
  if (size > limit) force *= limit / size;
  return SetRows(first, count, force);
}

// Rows without conditions together, then one-sided rows and friction, each by its law with all
// others held. Normal forces that are reactions stay as they were before the sweep.
double WorkingSet::SweepOnce() {
  ++stats_->sweeps;
  right_ = -a_;
  SolveHeld(right_, &x_);
  double moved = 0;
  for (int r : held_) moved = std::max(moved, std::fabs(x_[r]) * problem_->A(r, r));
  lambda_ += x_;
  a_.noalias() += problem_->A * x_;
  for (int k = 0; k < static_cast<int>(states_.size()); ++k) {
    if (problem_->elements[k].is_of_row()) continue;
    const double N = CalcNormal(k, &gradient_);
    moved = std::max(moved, std::fabs(N - N_[k]) * a_floor_ / lambda_floor_);
    N_[k] = N;
  }
  for (int r = 0; r < problem_->rows(); ++r) {
    if (problem_->is_one_sided[r]) moved = std::max(moved, SweepNormal(r));
  }
  for (int k = 0; k < static_cast<int>(states_.size()); ++k) {
    if (!problem_->elements[k].holds) moved = std::max(moved, SweepFriction(k));
  }
  return moved;
}

// From no friction. Whether they settle.
bool WorkingSet::RunSweeps() {
  // What is held exactly in each sweep: bilateral rows, and friction that holds whatever it takes.
  touches_.assign(touches_.size(), 0);
  for (size_t k = 0; k < states_.size(); ++k) {
    states_[k] = problem_->elements[k].holds ? FrictionState::kSticks : FrictionState::kParts;
  }
  N_.setConstant(lambda_floor_);
  lambda_scale_ = lambda_floor_;
  ListHeld();
  FactorHeld();
  lambda_.setZero(problem_->rows());
  N_.setZero();
  CalcAccelerations();
  swept_change_ = kInfinity;
  const int most = kMostSweeps * std::max(1, static_cast<int>(states_.size()));
  for (int i = 0; i < most && swept_change_ > kSwept * a_floor_; ++i) {
    swept_change_ = SweepOnce();
    if (!lambda_.allFinite()) return false;
    if (i % 100 == 99) CalcAccelerations();  // of rounding
  }
  CalcAccelerations();
  lambda_scale_ = std::max(lambda_.lpNorm<Eigen::Infinity>(), lambda_floor_);
  return swept_change_ <= kSweptWell * a_floor_;
}

// What rows and friction do where the sweeps have ended.
void WorkingSet::TakeStates() {
  for (int r = 0; r < problem_->rows(); ++r) {
    touches_[r] = problem_->is_one_sided[r] && lambda_[r] > kSwept * lambda_scale_;
  }
  for (size_t k = 0; k < states_.size(); ++k) {
    const FrictionElement& element = problem_->elements[k];
    const int first = element.first_row, count = element.row_count;
    N_[k] = CalcNormal(static_cast<int>(k), &gradient_);
    Vec3 a = Vec3::Zero();
    a.head(count) = a_.segment(first, count);
    const double force = lambda_.segment(first, count).norm();
    const bool is_at_limit = force >= (1 - kWithin) * SweptMuOf(element) * N_[k];
    states_[k] = FrictionState::kSticks;
    if (element.holds || !is_at_limit || a.norm() <= kSweptWell * a_floor_) continue;
    states_[k] = FrictionState::kCreeps;
    d_[k] = a.normalized();
  }
}

// Whether multipliers and accelerations obey all laws but for a part of those in play.
bool WorkingSet::IsWithin(double part) const {
  const double a_least = part * a_floor_, lambda_least = part * lambda_scale_;
  for (int r = 0; r < problem_->rows(); ++r) {
    if (!problem_->is_one_sided[r]) continue;
    if (touches_[r] ? lambda_[r] < -lambda_least : a_[r] < -a_least) return false;
  }
  for (int r : held_) {
    if (std::fabs(a_[r]) > a_least) return false;
  }
  for (int k = 0; k < static_cast<int>(states_.size()); ++k) {
    const FrictionElement& element = problem_->elements[k];
    const int first = element.first_row, count = element.row_count;
    if (element.holds || states_[k] == FrictionState::kParts) continue;
    const VecX force = lambda_.segment(first, count);
    if (force.norm() > element.mu * N_[k] + lambda_least) return false;
    const VecX drive = -MuOf(k) * N_[k] * d_[k].head(count);
    if (IsDriven(k) && (force - drive).norm() > lambda_least) return false;
    const bool creeps = states_[k] == FrictionState::kCreeps && !element.begins;
    if (creeps && AlongOf(k) < -a_least) return false;
  }
  return true;
}

// The multipliers of the sweeps, brought to where held rows do not move; or as they are, where the
// sweeps have settled fully. Whether they are within all limits.
bool WorkingSet::ShareAsSwept() {
  const Choice swept = Keep();
  const auto take_normals = [&] {
    for (size_t k = 0; k < states_.size(); ++k) N_[k] = CalcNormal(static_cast<int>(k), &gradient_);
  };
  if (SolveForces() == Trial::kConsistent) {
    // Friction that is driven is that of Newton's method, and all else the sweeps'.
    VecX shared = swept_;
    for (size_t k = 0; k < states_.size(); ++k) {
      if (!IsDriven(static_cast<int>(k))) continue;
      const FrictionElement& element = problem_->elements[k];
      shared.segment(element.first_row, element.row_count) =
          lambda_.segment(element.first_row, element.row_count);
    }
    lambda_ = shared;
    CalcAccelerations();
    right_ = -a_;
    SolveHeld(right_, &x_);
    lambda_ += x_;
    CalcAccelerations();
    take_normals();
    if (IsWithin(kSharesWell)) return true;
  }
  if (swept_change_ > kSweptFully * a_floor_) return false;
  Return(swept);
  SettleStates();
  ListHeld();
  lambda_ = swept_;
  CalcAccelerations();
  take_normals();
  return IsWithin(kSharesWell);
}

// Friction at rest is Coulomb's problem: convex where normal forces are known, and otherwise one
// that sweeps mostly settle. They are slow to end and quick to tell who sticks.
WorkingSet::Trial WorkingSet::SearchFromSweepsOf(bool sliding) {
  ++stats_->starts;
  sweeps_sliding_ = sliding;
  if (!RunSweeps()) return Trial::kUnsettled;
  TakeStates();
  swept_ = lambda_;
  const Choice swept = Keep();
  const Trial trial = SearchBySwaps(false);
  if (trial == Trial::kConsistent) return trial;
  Return(swept);
  SettleStates();
  if (!ShareAsSwept()) return trial;
  shared_ = swept;
  shared_lambda_ = swept_;
  keeps_shared_ = shares_ = true;
  ++stats_->shares;
  return Trial::kConsistent;
}

// By the forces that sweeps have found for a problem before, brought to where held rows of this one
// do not move. Whether they are within all limits.
bool WorkingSet::ShareAsBefore() {
  if (!keeps_shared_) return false;
  Return(shared_);
  SettleStates();
  swept_ = shared_lambda_;
  swept_change_ = kInfinity;
  if (!ShareAsSwept()) return false;
  shares_ = true;
  ++stats_->shares;
  return true;
}

// First as much as friction holds at rest. That may find nothing where friction of sliding is less:
// with as little of it at rest, too, what is found is a solution of both.
WorkingSet::Trial WorkingSet::SearchFromSweeps() {
  if (ShareAsBefore()) return Trial::kConsistent;
  const Trial trial = SearchFromSweepsOf(false);
  return trial == Trial::kConsistent || !drops_ ? trial : SearchFromSweepsOf(true);
}

}  // namespace voigt
