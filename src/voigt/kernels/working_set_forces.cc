#include <algorithm>
#include <cmath>

#include "voigt/kernels/working_set.h"

// Multipliers, normal forces and directions of creep for a choice of states.
namespace voigt {
namespace {

constexpr double kRankThreshold = 1e-11;
constexpr double kSingularThreshold = 1e-10;

Vec2 Across(const Vec2& d) { return {-d[1], d[0]}; }

}  // namespace

// Bilateral rows, one-sided ones in touch, and friction that sticks.
void WorkingSet::ListHeld() {
  const int rows = problem_->rows();
  x_.setOnes(rows);  // scales; zero: not held
  for (int r = 0; r < rows; ++r) {
    if (problem_->is_one_sided[r] && !touches_[r]) x_[r] = 0;
  }
  for (size_t k = 0; k < states_.size(); ++k) {
    const FrictionElement& element = problem_->elements[k];
    const bool sticks = states_[k] == FrictionState::kSticks;
    const double limit = std::max(element.mu * std::fabs(N_[k]), 1e-8 * lambda_scale_);
    x_.segment(element.first_row, element.row_count).setConstant(sticks ? std::sqrt(limit) : 0);
  }
  held_.clear();
  for (int r = 0; r < rows; ++r) {
    if (x_[r] > 0) held_.push_back(r);
  }
  scale_.resize(held_.size());
  for (size_t i = 0; i < held_.size(); ++i) scale_[i] = x_[held_[i]];
}

void WorkingSet::FactorHeld() {
  const int count = static_cast<int>(held_.size());
  if (count == 0) return;
  A_held_.resize(count, count);
  for (int j = 0; j < count; ++j) {
    for (int i = 0; i < count; ++i) {
      A_held_(i, j) = scale_[i] * problem_->A(held_[i], held_[j]) * scale_[j];
    }
  }
  factor_.setThreshold(kRankThreshold);
  factor_.compute(A_held_);
}

// The least-squares multipliers x of the held rows with A x = right there, and zeros elsewhere.
void WorkingSet::SolveHeld(const VecX& right, VecX* x) const {
  x->setZero(problem_->rows());
  if (held_.empty()) return;
  VecX scaled(held_.size());
  for (size_t i = 0; i < held_.size(); ++i) scaled[i] = scale_[i] * right[held_[i]];
  const VecX solution = factor_.solve(scaled);
  for (size_t i = 0; i < held_.size(); ++i) (*x)[held_[i]] = scale_[i] * solution[i];
}

// λ_t = −μ N d of elements that slip or creep.
void WorkingSet::DriveFriction() {
  for (size_t k = 0; k < states_.size(); ++k) {
    const FrictionElement& element = problem_->elements[k];
    if (states_[k] == FrictionState::kSticks) continue;
    const double force = IsDriven(k) ? -element.mu * N_[k] : 0;
    for (int i = 0; i < element.row_count; ++i) {
      lambda_[element.first_row + i] = force * d_[k][i];
    }
  }
}

void WorkingSet::CalcAccelerations() {
  a_ = problem_->a0;
  a_.noalias() += problem_->A * lambda_;
}

// N of an element by the multipliers, and ∂N/∂λ.
double WorkingSet::CalcNormal(int k, VecX* gradient) const {
  const FrictionElement& element = problem_->elements[k];
  gradient->setZero(problem_->rows());
  if (element.normal_row >= 0) {
    (*gradient)[element.normal_row] = 1;
    return lambda_[element.normal_row];
  }
  const VecX normal = element.n0 + element.C * lambda_;
  const double N = normal.norm();
  if (N > 0) *gradient = element.C.transpose() * (normal / N);
  return N;
}

// The response of all multipliers to a unit of force on an element, along −d.
void WorkingSet::CalcResponse(int k, const Vec2& d, Eigen::Ref<VecX> out) {
  const FrictionElement& element = problem_->elements[k];
  driven_column_.setZero(problem_->rows());
  for (int i = 0; i < element.row_count; ++i) driven_column_[element.first_row + i] = -d[i];
  right_.noalias() = -(problem_->A * driven_column_);
  SolveHeld(right_, &x_);
  out = x_ + driven_column_;
}

// Newton's method. Unknowns: N_k of driven elements, and for elements that creep in a plane the
// force s = μ N θ across d that turns it. Equations: N_k = N_k(λ), and a_t has no part across d, in
// units of force.
void WorkingSet::CalcErrors() {
  const int count = static_cast<int>(states_.size());
  error_.setZero(2 * count);
  for (int k = 0; k < count; ++k) {
    error_[k] = CalcNormal(k, &gradient_) - N_[k];
    if (!Turns(k)) continue;
    const int first = problem_->elements[k].first_row;
    error_[count + k] = -Across(d_[k]).dot(a_.segment<2>(first)) / UnitOf(k);
  }
}

void WorkingSet::UpdateJacobian() {
  const int count = static_cast<int>(states_.size());
  response_.setZero(problem_->rows(), 2 * count);
  for (int k = 0; k < count; ++k) {
    if (!IsDriven(k)) continue;
    CalcResponse(k, problem_->elements[k].mu * d_[k], response_.col(k));
    if (Turns(k)) CalcResponse(k, Across(d_[k]), response_.col(count + k));
  }
  a_response_.noalias() = problem_->A * response_;
  jacobian_.setIdentity(2 * count, 2 * count);
  weight_.setOnes(2 * count);
  for (int k = 0; k < count; ++k) {
    CalcNormal(k, &gradient_);
    if (IsDriven(k)) jacobian_.row(k) -= gradient_.transpose() * response_;
    if (!Turns(k)) continue;
    const int first = problem_->elements[k].first_row;
    const Vec2 across = Across(d_[k]), a = a_.segment<2>(first);
    jacobian_.row(count + k) = across.transpose() * a_response_.middleRows<2>(first) / UnitOf(k);
    jacobian_(count + k, count + k) -= d_[k].dot(a) / (LimitOf(k) * UnitOf(k));
    // Weak friction is hard to turn; that alone makes no matrix singular.
    const double largest = jacobian_.row(count + k).lpNorm<Eigen::Infinity>();
    jacobian_.row(count + k) /= std::max(1.0, largest);
    weight_[count + k] = 1 / std::max(1.0, largest);
  }
}

// N and d a part t of the step away from where they were.
void WorkingSet::Move(double t) {
  constexpr double kLargestTurn = 0.5;  // rad
  const int count = static_cast<int>(states_.size());
  N_ = N_start_ + t * step_.head(count);
  for (int k = 0; k < count; ++k) {
    if (!Turns(k)) continue;
    const double limit = problem_->elements[k].mu * std::fabs(N_start_[k]);
    const double turn = limit > 0 ? t * step_[count + k] / limit : 0;
    const double angle = std::clamp(turn, -kLargestTurn, kLargestTurn);
    d_[k] = (std::cos(angle) * d_start_[k] + std::sin(angle) * Across(d_start_[k])).normalized();
  }
}

// Multipliers and accelerations for N and d.
void WorkingSet::Evaluate() {
  ListHeld();
  FactorHeld();
  lambda_.setZero(problem_->rows());
  DriveFriction();
  CalcAccelerations();
  right_ = -a_;
  SolveHeld(right_, &x_);
  lambda_ += x_;
  CalcAccelerations();
  lambda_scale_ = std::max(lambda_.lpNorm<Eigen::Infinity>(), 1e-300);
  CalcErrors();
}

// Multipliers, normal forces and directions of a choice of states.
WorkingSet::Trial WorkingSet::SolveForces() {
  Evaluate();
  if (states_.empty()) return Trial::kConsistent;
  for (int iteration = 0; iteration < settings_.max_newton; ++iteration) {
    ++stats_->iterations;
    UpdateJacobian();
    newton_.setThreshold(kSingularThreshold);
    newton_.compute(jacobian_);
    if (!newton_.isInvertible()) return Trial::kSingular;
    step_ = newton_.solve(weight_.cwiseProduct(error_));
    N_start_ = N_;
    d_start_ = d_;
    const double before = error_.norm();
    for (double t = 1; t > 1e-3; t *= 0.5) {
      Move(t);
      Evaluate();
      if (error_.norm() < before) break;
    }
    const double enough = 0.1 * settings_.tolerance * lambda_scale_;
    if (error_.lpNorm<Eigen::Infinity>() <= enough) return Trial::kConsistent;
  }
  return Trial::kUnsettled;
}

}  // namespace voigt
