#include <algorithm>
#include <cmath>

#include "voigt/kernels/working_set.h"
#include "voigt/math/rotation.h"

// Multipliers of a choice of states, for given normal forces and directions of creep, and how far
// these are from those that follow.
namespace voigt {
namespace {

constexpr double kRankThreshold = 1e-11;
// Where sliding begins there is next to no acceleration, and the corners of one body may turn their
// friction against each other without anything to tell of it: this much, of what a force moves,
// keeps them from it. One that others hold does not turn at all.
constexpr double kLeastStiffness = 1e-8, kTurns = 1e-6;

}  // namespace

// Bilateral rows, one-sided ones in touch, and friction that sticks. What bilateral rows can hold
// is theirs, and friction has the rest: friction of a ball joint does not carry what a second one
// does.
void WorkingSet::ListHeld() {
  constexpr double kShareOfFriction = 1e-4;  // where both could
  const int rows = problem_->rows();
  double largest = 0;
  x_.setZero(rows);  // squares of scales; zero: not held
  for (size_t k = 0; k < states_.size(); ++k) {
    const FrictionElement& element = problem_->elements[k];
    if (states_[k] != FrictionState::kSticks) continue;
    // Less than what counts as a violation, so that contacts that hardly press share hardly any.
    const double least = 0.1 * settings_.tolerance * lambda_scale_;
    const double limit = std::max(element.mu * std::fabs(N_[k]), least);
    x_.segment(element.first_row, element.row_count).setConstant(limit);
    largest = std::max(largest, limit);
  }
  right_.setOnes(rows);  // those that are no friction
  for (const FrictionElement& element : problem_->elements) {
    right_.segment(element.first_row, element.row_count).setZero();
  }
  for (int r = 0; r < rows; ++r) {
    const bool is_held = right_[r] > 0 && (!problem_->is_one_sided[r] || touches_[r]);
    if (!is_held) continue;
    x_[r] = largest > 0 ? largest / kShareOfFriction : 1;
    if (problem_->unit.size() > 0) x_[r] *= problem_->unit[r] * problem_->unit[r];
  }
  held_.clear();
  for (int r = 0; r < rows; ++r) {
    if (x_[r] > 0) held_.push_back(r);
  }
  scale_.resize(held_.size());
  for (size_t i = 0; i < held_.size(); ++i) scale_[i] = std::sqrt(x_[held_[i]]);
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
  for (int k = 0; k < static_cast<int>(states_.size()); ++k) {
    const FrictionElement& element = problem_->elements[k];
    if (states_[k] == FrictionState::kSticks) continue;
    const double force = IsDriven(k) ? -MuOf(k) * N_[k] : 0;
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
  if (element.is_of_row()) {
    (*gradient)[element.normal_row] = 1;
    return lambda_[element.normal_row] + element.normal_offset;
  }
  const VecX normal = element.n0 + element.C * lambda_;
  const double N = normal.norm();
  if (N > 0) *gradient = element.C.transpose() * (normal / N);
  return N;
}

// The response of all multipliers to a unit of force on an element, along −d.
void WorkingSet::CalcResponse(int k, const Vec3& d, Eigen::Ref<VecX> out) {
  const FrictionElement& element = problem_->elements[k];
  driven_column_.setZero(problem_->rows());
  for (int i = 0; i < element.row_count; ++i) driven_column_[element.first_row + i] = -d[i];
  right_.noalias() = -(problem_->A * driven_column_);
  SolveHeld(right_, &x_);
  out = x_ + driven_column_;
}

// Elements that creep in a plane or in space have directions to be found.
void WorkingSet::ListTurns() {
  turns_.clear();
  const int count = static_cast<int>(states_.size());
  for (int k = 0; k < count; ++k) {
    // What nothing can move creeps as it is moved.
    if (states_[k] != FrictionState::kCreeps || !(UnitOf(k) > 0)) continue;
    if (problem_->elements[k].row_count == 2) {
      AddTurn(k, Vec3(-d_[k][1], d_[k][0], 0));
    } else if (problem_->elements[k].row_count == 3) {
      const Mat3 frame = RotationWithZ(d_[k]);
      AddTurn(k, frame.col(0));
      AddTurn(k, frame.col(1));
    }
  }
}

// Where no force moves it across, as that of a body in its plane, it does not turn.
void WorkingSet::AddTurn(int k, const Vec3& across) {
  constexpr double kMoves = 1e-14;  // of what a unit of force moves
  const FrictionElement& element = problem_->elements[k];
  const int first = element.first_row, rows = element.row_count;
  const double own =
      across.head(rows).dot(problem_->A.block(first, first, rows, rows) * across.head(rows));
  if (!(own > kMoves * UnitOf(k))) return;
  const int unknown = static_cast<int>(states_.size() + turns_.size());
  turns_.push_back({k, unknown, across});
}

// Newton's method. Unknowns: N_k of driven elements, and for elements that creep in a plane or in
// space the forces s = μ N θ across d that turn it. Equations: N_k = N_k(λ), and a_t has no part
// across d, in units of force.
void WorkingSet::CalcErrors() {
  const int count = static_cast<int>(states_.size());
  ListTurns();
  error_.setZero(count + static_cast<int>(turns_.size()));
  for (int k = 0; k < count; ++k) error_[k] = CalcNormal(k, &gradient_) - N_[k];
  for (const Turn& turn : turns_) {
    const FrictionElement& element = problem_->elements[turn.element];
    const int rows = element.row_count;
    error_[turn.unknown] =
        -turn.across.head(rows).dot(a_.segment(element.first_row, rows)) / UnitOf(turn.element);
  }
}

void WorkingSet::UpdateJacobian() {
  const int count = static_cast<int>(states_.size());
  const int unknowns = count + static_cast<int>(turns_.size());
  response_.setZero(problem_->rows(), unknowns);
  for (int k = 0; k < count; ++k) {
    if (IsDriven(k)) CalcResponse(k, MuOf(k) * d_[k], response_.col(k));
  }
  for (const Turn& turn : turns_) {
    CalcResponse(turn.element, turn.across, response_.col(turn.unknown));
  }
  a_response_.noalias() = problem_->A * response_;
  jacobian_.setIdentity(unknowns, unknowns);
  weight_.setOnes(unknowns);
  for (int k = 0; k < count; ++k) {
    CalcNormal(k, &gradient_);
    if (IsDriven(k)) jacobian_.row(k) -= gradient_.transpose() * response_;
  }
  for (const Turn& turn : turns_) {
    const int k = turn.element, first = problem_->elements[k].first_row;
    const int rows = problem_->elements[k].row_count;
    jacobian_.row(turn.unknown) =
        turn.across.head(rows).transpose() * a_response_.middleRows(first, rows) / UnitOf(k);
    const double stiffness =
        d_[k].head(rows).dot(a_.segment(first, rows)) / (LimitOf(k) * UnitOf(k));
    double& own = jacobian_(turn.unknown, turn.unknown);
    const bool may_turn = std::fabs(own) > kTurns && std::fabs(stiffness) < kLeastStiffness;
    own -= may_turn ? kLeastStiffness : stiffness;
    // Weak friction is hard to turn; that alone makes no matrix singular.
    const double largest = jacobian_.row(turn.unknown).lpNorm<Eigen::Infinity>();
    jacobian_.row(turn.unknown) /= std::max(1.0, largest);
    weight_[turn.unknown] = 1 / std::max(1.0, largest);
  }
}

// N and d a part t of the step away from where they were.
void WorkingSet::Move(double t) {
  constexpr double kLargestTurn = 0.5;  // rad
  N_ = N_start_ + t * step_.head(N_.size());
  for (size_t i = 0; i < turns_start_.size();) {
    const int k = turns_start_[i].element;
    Vec3 turn = Vec3::Zero();
    for (; i < turns_start_.size() && turns_start_[i].element == k; ++i) {
      turn += step_[turns_start_[i].unknown] * turns_start_[i].across;
    }
    const double limit = MuOf(k) * std::fabs(N_start_[k]), size = turn.norm();
    const double angle = limit > 0 ? std::min(t * size / limit, kLargestTurn) : 0;
    d_[k] = d_start_[k];
    if (angle > 0) d_[k] = (std::cos(angle) * d_[k] + std::sin(angle) / size * turn).normalized();
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
  lambda_scale_ = std::max(lambda_.lpNorm<Eigen::Infinity>(), lambda_floor_);
  // Accelerations are what is left of these.
  if (problem_->rows() > 0) {
    driven_column_ = lambda_.cwiseAbs();
    right_.noalias() = problem_->A.cwiseAbs() * driven_column_;
    a_scale_ = std::max(a_floor_, right_.maxCoeff());
  }
  CalcErrors();
}

}  // namespace voigt
