#include "voigt/kernels/working_set.h"

#include <algorithm>
#include <cmath>

#include "voigt/base/check.h"

namespace voigt {

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
    d_.assign(elements, Vec3::Zero());
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
    } else if (element.holds || state != FrictionState::kCreeps) {
      state = FrictionState::kSticks;
    }
  }
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
    if (element.holds) continue;
    Vec3 force = Vec3::Zero(), a = Vec3::Zero();
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
// rest stick or creep, with one row to either side, with more from one way along a row on.
int WorkingSet::CountSets() const {
  double count = 1;
  for (char one_sided : problem_->is_one_sided) count *= one_sided ? 2 : 1;
  for (const FrictionElement& element : problem_->elements) {
    count *= element.slides || element.holds ? 1 : 1 + 2 * element.row_count;
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
    if (element.slides || element.holds) continue;
    const int choice = digit(1 + 2 * element.row_count);
    states_[k] = choice == 0 ? FrictionState::kSticks : FrictionState::kCreeps;
    if (choice > 0) d_[k] = (choice % 2 == 1 ? 1 : -1) * Vec3::Unit((choice - 1) / 2);
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

  // Friction that holds too much begins to creep, all of it at once. False if there is none.
  const auto swap_all_beyond = [&] {
    bool any = false;
    for (int k = 0; k < static_cast<int>(states_.size()); ++k) {
      const FrictionElement& element = problem.elements[k];
      if (element.holds || states_[k] != FrictionState::kSticks) continue;
      Vec3 force = Vec3::Zero();
      force.head(element.row_count) = lambda_.segment(element.first_row, element.row_count);
      if (force.norm() - element.mu * N_[k] <= settings.tolerance * lambda_scale_) continue;
      Swap({force.norm(), -1, k, FrictionState::kCreeps, -force.normalized()});
      any = true;
    }
    return any;
  };
  // The feet of one body share what they hold and reach their limits together. One of them that
  // creeps among others that stick moves nowhere, and in which direction it would is not
  // determined: the search by single swaps has ended there. Once more, from all that sticks.
  if (trial != Trial::kConsistent) {
    touches_.assign(problem.is_one_sided.begin(), problem.is_one_sided.end());
    states_.assign(states_.size(), FrictionState::kSticks);
    N_.setConstant(lambda_scale_);
    seen_.clear();
    SettleStates();
    trial = Trial::kViolated;
    while (trial == Trial::kViolated && IsNewSet()) {
      trial = Try();
      if (trial == Trial::kViolated && !swap_all_beyond()) Swap(FindViolation());
    }
  }
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
