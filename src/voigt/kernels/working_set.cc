#include "voigt/kernels/working_set.h"

#include <algorithm>
#include <cmath>

#include "voigt/base/check.h"

namespace voigt {
namespace {

constexpr double kRankThreshold = 1e-11;
constexpr double kSingularThreshold = 1e-10;

Vec2 Across(const Vec2& d) { return {-d[1], d[0]}; }

}  // namespace

const char* ToString(WorkingStatus status) {
  switch (status) {
    case WorkingStatus::kSolved:
      return "solved";
    case WorkingStatus::kInconsistent:
      return "bilateral constraints contradict each other";
    case WorkingStatus::kSingular:
      return "friction grows as fast as the forces that it comes from";
    case WorkingStatus::kNone:
      return "no choice of stick and slip is consistent";
  }
  return "";
}

void WorkingSet::Start(const WorkingProblem& problem) {
  problem_ = &problem;
  const int rows = problem.rows(), elements = static_cast<int>(problem.elements.size());
  VOIGT_CHECK(problem.A.rows() == rows && problem.A.cols() == rows);
  VOIGT_CHECK(static_cast<int>(problem.is_one_sided.size()) == rows);
  const bool fits = lambda_.size() == rows && static_cast<int>(states_.size()) == elements;
  if (!fits) {
    lambda_.setZero(rows);
    N_.setZero(elements);
    d_.assign(elements, Vec2::Zero());
    touches_.assign(problem.is_one_sided.begin(), problem.is_one_sided.end());
    states_.assign(elements, FrictionState::kSticks);
  }
  for (int r = 0; r < rows; ++r) touches_[r] = touches_[r] && problem.is_one_sided[r];
  // What pushes without friction is where normal forces start.
  a_scale_ = problem.a0.lpNorm<Eigen::Infinity>();
  const double A_max = rows > 0 ? problem.A.diagonal().maxCoeff() : 0;
  lambda_scale_ = A_max > 0 ? a_scale_ / A_max : 1;
  for (int k = 0; k < elements; ++k) {
    if (!(N_[k] > 0)) N_[k] = lambda_scale_;
  }
  seen_.clear();
}

// Elements that slide do so, those whose normal has parted have parted, and the others stick or
// creep.
void WorkingSet::SettleStates() {
  for (size_t k = 0; k < states_.size(); ++k) {
    const FrictionElement& element = problem_->elements[k];
    const bool parts = element.normal_row >= 0 && !touches_[element.normal_row];
    FrictionState& state = states_[k];
    if (parts) {
      state = FrictionState::kParts;
    } else if (element.slides) {
      state = FrictionState::kSlips;
      d_[k] = element.direction;
    } else if (state != FrictionState::kCreeps) {
      state = FrictionState::kSticks;
    }
  }
}

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

WorkingSet::Trial WorkingSet::Try() {
  ++stats_->solves;
  SettleStates();
  const Trial trial = SolveForces();
  if (trial != Trial::kConsistent) return trial;
  if (FindViolation().size > 0) return Trial::kViolated;
  for (int r : held_) {
    if (std::fabs(a_[r]) > settings_.tolerance * a_scale_) return Trial::kContradiction;
  }
  return Trial::kConsistent;
}

// The condition whose mending takes the largest multiplier.
WorkingSet::Violation WorkingSet::FindViolation() const {
  Violation worst;
  const double a_least = settings_.tolerance * a_scale_;
  const double lambda_least = settings_.tolerance * lambda_scale_;
  const auto consider = [&](const Violation& violation) {
    if (violation.size > worst.size) worst = violation;
  };
  const auto own = [&](int r) { return std::max(problem_->A(r, r), 1e-300); };
  for (int r = 0; r < problem_->rows(); ++r) {
    if (!problem_->is_one_sided[r]) continue;
    if (touches_[r] && lambda_[r] < -lambda_least) consider({-lambda_[r], r});
    if (touches_[r] && a_[r] > a_least) consider({a_[r] / own(r), r});  // held, but not met
    if (!touches_[r] && a_[r] < -a_least) consider({-a_[r] / own(r), r});
  }
  for (int k = 0; k < static_cast<int>(states_.size()); ++k) {
    const FrictionElement& element = problem_->elements[k];
    const int first = element.first_row, count = element.row_count;
    Vec2 force = Vec2::Zero(), a = Vec2::Zero();
    force.head(count) = lambda_.segment(first, count);
    a.head(count) = a_.segment(first, count);
    if (states_[k] == FrictionState::kSticks) {
      const double excess = force.norm() - element.mu * N_[k];
      if (excess > lambda_least) {
        consider({excess, -1, k, FrictionState::kCreeps, -force.normalized()});
      } else if (a.norm() > a_least) {
        consider({a.norm() / own(first), -1, k, FrictionState::kCreeps, a.normalized()});
      }
    } else if (states_[k] == FrictionState::kCreeps && a.dot(d_[k]) < -a_least) {
      consider({-a.dot(d_[k]) / own(first), -1, k, FrictionState::kSticks});
    }
  }
  return worst;
}

void WorkingSet::Swap(const Violation& violation) {
  ++stats_->swaps;
  if (violation.row >= 0) {
    touches_[violation.row] = !touches_[violation.row];
    return;
  }
  states_[violation.element] = violation.next;
  if (violation.next == FrictionState::kCreeps) d_[violation.element] = violation.direction;
}

bool WorkingSet::IsNewSet() {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  const auto add = [&](int value) {
    hash = (hash ^ static_cast<unsigned>(value)) * 1099511628211u;
  };
  for (char touches : touches_) add(touches);
  for (size_t k = 0; k < states_.size(); ++k) {
    add(static_cast<int>(states_[k]));
    // With one row there are two ways to creep.
    if (problem_->elements[k].row_count == 1) add(d_[k][0] > 0);
  }
  if (std::find(seen_.begin(), seen_.end(), hash) != seen_.end()) return false;
  seen_.push_back(hash);
  return true;
}

// One-sided rows that are just met without pushing are to carry some of the load, if they can.
WorkingSet::Trial WorkingSet::ShareWithRedundant() {
  saved_touches_ = touches_;
  bool any = false;
  for (int r = 0; r < problem_->rows(); ++r) {
    const bool is_met = std::fabs(a_[r]) <= settings_.tolerance * a_scale_;
    if (!problem_->is_one_sided[r] || touches_[r] || !is_met) continue;
    touches_[r] = any = true;
  }
  if (!any) return Trial::kConsistent;
  if (Try() == Trial::kConsistent) return Trial::kConsistent;
  touches_ = saved_touches_;
  return Try();
}

// Ways to choose states, each a number in a mixed system: one-sided rows touch or not, elements at
// rest stick or creep, with one row to either side, with two from one of four directions on.
int WorkingSet::CountSets() const {
  double count = 1;
  for (char one_sided : problem_->is_one_sided) count *= one_sided ? 2 : 1;
  for (const FrictionElement& element : problem_->elements) {
    count *= element.slides ? 1 : 1 + 2 * element.row_count;
  }
  return count <= settings_.max_tried ? static_cast<int>(count) : 0;
}

void WorkingSet::ChooseSet(int index) {
  const auto digit = [&index](int base) {
    const int out = index % base;
    index /= base;
    return out;
  };
  for (int r = 0; r < problem_->rows(); ++r) {
    if (problem_->is_one_sided[r]) touches_[r] = static_cast<char>(digit(2) == 0);
  }
  for (size_t k = 0; k < states_.size(); ++k) {
    const FrictionElement& element = problem_->elements[k];
    if (element.slides) continue;
    const int choice = digit(1 + 2 * element.row_count);
    states_[k] = choice == 0 ? FrictionState::kSticks : FrictionState::kCreeps;
    const Vec2 starts[] = {Vec2::UnitX(), -Vec2::UnitX(), Vec2::UnitY(), -Vec2::UnitY()};
    if (choice > 0) d_[k] = starts[choice - 1];
    N_[k] = lambda_scale_;
  }
}

WorkingResult WorkingSet::Solve(const WorkingProblem& problem, const WorkingSettings& settings,
                                WorkingStats* stats) {
  settings_ = settings;
  stats_ = stats;
  Start(problem);
  WorkingResult result;
  SettleStates();
  Trial trial = Trial::kViolated;
  while (trial != Trial::kConsistent && IsNewSet()) {
    trial = Try();
    if (trial == Trial::kViolated) Swap(FindViolation());
    if (trial != Trial::kViolated) break;
  }
  const Trial ended = trial;
  const int sets = trial == Trial::kConsistent ? 0 : CountSets();
  for (int i = 0; i < sets && trial != Trial::kConsistent; ++i) {
    ChooseSet(i);
    trial = Try();
  }
  if (trial == Trial::kConsistent) {
    ShareWithRedundant();
    result.status = WorkingStatus::kSolved;
    return result;
  }
  result.is_proof = sets > 0 && std::none_of(problem.elements.begin(), problem.elements.end(),
                                             [](const auto& e) { return e.row_count > 1; });
  result.status = ended == Trial::kSingular        ? WorkingStatus::kSingular
                  : ended == Trial::kContradiction ? WorkingStatus::kInconsistent
                                                   : WorkingStatus::kNone;
  for (int r : held_) {
    if (std::fabs(a_[r]) <= result.contradiction) continue;
    result.contradiction = std::fabs(a_[r]);
    result.row = r;
  }
  return result;
}

}  // namespace voigt
