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
    keeps_shared_ = false;
  }
  for (int r = 0; r < rows; ++r) touches_[r] = touches_[r] && problem.is_one_sided[r];
  is_friction_.assign(rows, 0);
  for (const FrictionElement& element : problem.elements) {
    std::fill_n(is_friction_.begin() + element.first_row, element.row_count, 1);
  }
  drops_ = false;
  RestWhatDrops();
  // What pushes without friction is where normal forces start.
  a_floor_ = a_scale_ = std::max(problem.a_scale, problem.a0.lpNorm<Eigen::Infinity>());
  for (const FrictionElement& element : problem.elements) {
    if (element.is_of_row()) continue;
    const double own = problem.A(element.first_row, element.first_row);
    a_floor_ = a_scale_ = std::max(a_floor_, own * element.mu * element.n0.norm());
  }
  const double A_max = rows > 0 ? problem.A.diagonal().maxCoeff() : 0;
  lambda_floor_ = lambda_scale_ = A_max > 0 && a_scale_ > 0 ? a_scale_ / A_max : 1;
  shares_ = false;
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
    const bool parts =
        element.normal_row >= 0 && !touches_[element.normal_row] && !(element.normal_offset > 0);
    FrictionState& state = states_[k];
    if (parts) {
      state = FrictionState::kParts;
    } else if (element.slides) {
      state = FrictionState::kSlips;
      d_[k] = element.direction;
    } else if (element.begins) {
      if (state != FrictionState::kCreeps) d_[k] = element.direction;
      state = FrictionState::kCreeps;
    } else if (element.holds || state != FrictionState::kCreeps) {
      state = FrictionState::kSticks;
    }
  }
}

WorkingSet::Trial WorkingSet::Try() {
  ++stats_->solves;
  SettleStates();
  Trial trial = SolveForces();
  const bool is_off = trial == Trial::kUnsettled;
  if ((is_off || trial == Trial::kConsistent) && TurnToOppose(is_off)) trial = SolveForces();
  if (trial != Trial::kConsistent) return trial;
  if (FindViolation().size > 0) return Trial::kViolated;
  return Contradicts() ? Trial::kContradiction : Trial::kConsistent;
}

// Whether a row that is held moves all the same. Friction that is told to hold may, a little: the
// corners of a box that rocks on what yields cannot all be at rest, and as little as that was none
// when it was decided that they are (IsWithin).
bool WorkingSet::Contradicts() const {
  constexpr double kHoldsWell = 4 * kSharesWell;
  return std::any_of(held_.begin(), held_.end(), [&](int r) {
    const double part = is_friction_[r] ? kHoldsWell : settings_.tolerance;
    return std::fabs(a_[r]) > part * a_scale_;
  });
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
    } else if (states_[k] == FrictionState::kCreeps && !element.begins) {
      // Where friction holds more at rest, what does not move is held.
      const double least = drops_ && element.drop < 1 ? a_least : -a_least;
      const double missing = least + a_least - a.dot(d_[k]);
      if (missing > a_least) consider({missing / own(first), -1, k, FrictionState::kSticks});
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

void WorkingSet::Return(const Choice& choice) {
  touches_ = choice.touches;
  states_ = choice.states;
  d_ = choice.d;
  N_ = choice.N;
}

// Whether the load can be shared with these rows, too; otherwise what was found stands.
bool WorkingSet::ShareWith(std::span<const int> rows) {
  const Choice found = Keep();
  const VecX lambda = lambda_, a = a_;
  for (int r : rows) touches_[r] = true;
  if (Try() == Trial::kConsistent) return true;
  Return(found);
  lambda_ = lambda;
  a_ = a;
  return false;
}

// One-sided rows that are just met without pushing are to carry some of the load, if they can: all
// of them, or as many as can one after the other.
void WorkingSet::ShareWithRedundant() {
  std::vector<int> met;
  for (int r = 0; r < problem_->rows(); ++r) {
    const bool is_met = std::fabs(a_[r]) <= settings_.tolerance * a_scale_;
    if (problem_->is_one_sided[r] && !touches_[r] && is_met) met.push_back(r);
  }
  if (met.empty() || ShareWith(met) || met.size() == 1) return;
  for (const int& r : met) ShareWith({&r, 1});
}

// Ways to choose states, each a number in a mixed system: one-sided rows touch or not, elements at
// rest stick or creep, with one row to either side, with more from one way along a row on.
int WorkingSet::CountSets() const {
  double count = 1;
  for (char one_sided : problem_->is_one_sided) count *= one_sided ? 2 : 1;
  for (const FrictionElement& element : problem_->elements) {
    count *= element.is_settled() ? 1 : 1 + 2 * element.row_count;
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
    if (element.is_settled()) continue;
    const int choice = digit(1 + 2 * element.row_count);
    states_[k] = choice == 0 ? FrictionState::kSticks : FrictionState::kCreeps;
    if (choice > 0) d_[k] = (choice % 2 == 1 ? 1 : -1) * Vec3::Unit((choice - 1) / 2);
    N_[k] = lambda_scale_;
  }
}

// Friction that holds too much begins to creep, all of it at once. False if there is none.
bool WorkingSet::SwapAllBeyond() {
  bool any = false;
  for (int k = 0; k < static_cast<int>(states_.size()); ++k) {
    const FrictionElement& element = problem_->elements[k];
    if (element.holds || states_[k] != FrictionState::kSticks) continue;
    Vec3 force = Vec3::Zero();
    force.head(element.row_count) = lambda_.segment(element.first_row, element.row_count);
    if (force.norm() - element.mu * N_[k] <= settings_.tolerance * lambda_scale_) continue;
    Swap({force.norm(), -1, k, FrictionState::kCreeps, -force.normalized()});
    any = true;
  }
  return any;
}

// From the states at hand, until none is violated or a choice comes again.
WorkingSet::Trial WorkingSet::SearchBySwaps(bool many_at_once) {
  seen_.clear();
  SettleStates();
  while (IsNewSet()) {
    const Trial trial = Try();
    if (trial != Trial::kViolated) return trial;
    if (!many_at_once || !SwapAllBeyond()) Swap(FindViolation());
  }
  ++stats_->cycles;
  return Trial::kViolated;
}

// The friction whose unknown Newton's matrix determines least.
int WorkingSet::FindWeakest() const {
  if (newton_.cols() != error_.size() || error_.size() == 0) return -1;
  const int unknown = newton_.permutationQ().indices()[newton_.cols() - 1];
  const int count = static_cast<int>(states_.size());
  return problem_->elements[unknown < count ? unknown : turns_[unknown - count].element].first_row;
}

// Which row tells best where a choice of states has failed.
void WorkingSet::FindTrouble(Trial trial, WorkingResult* result) const {
  const auto take = [&](int element) { result->row = problem_->elements[element].first_row; };
  if (trial == Trial::kSingular) {
    result->row = FindWeakest();
    return;
  }
  if (trial == Trial::kContradiction) {
    for (int r : held_) {
      if (std::fabs(a_[r]) <= result->contradiction) continue;
      result->contradiction = std::fabs(a_[r]);
      result->row = r;
    }
    return;
  }
  if (trial == Trial::kUnsettled) {
    int worst = 0;
    error_.head(states_.size()).cwiseAbs().maxCoeff(&worst);
    return take(worst);
  }
  const Violation violation = FindViolation();
  if (violation.row >= 0) result->row = violation.row;
  if (violation.element >= 0) take(violation.element);
}

// Friction that holds more at rest is at rest where it can be, whatever it did before.
void WorkingSet::RestWhatDrops() {
  for (size_t k = 0; k < states_.size(); ++k) {
    if (Drops(problem_->elements[k])) states_[k] = FrictionState::kSticks;
  }
}

// Whether all of it is. What is at its limit and does not move is held, by another way of sharing
// than the least.
bool WorkingSet::RestsAll() {
  std::vector<int> held;
  for (int k = 0; k < static_cast<int>(states_.size()); ++k) {
    if (!Drops(problem_->elements[k]) || states_[k] != FrictionState::kCreeps) continue;
    if (!IsAtRest(k)) return false;
    held.push_back(k);
  }
  for (int k : held) states_[k] = FrictionState::kSticks;
  shares_ |= !held.empty();
  return true;
}

// Friction at its limit that does not move is held by what sticks beside it: two points in one
// place are at rest both or neither.
void WorkingSet::RestWhatIsHeld() {
  const int count = static_cast<int>(states_.size());
  const auto may = [&](int k, FrictionState state) {
    return !problem_->elements[k].is_settled() && states_[k] == state;
  };
  bool sticks = false;
  for (int k = 0; k < count; ++k) sticks |= may(k, FrictionState::kSticks);
  for (int k = 0; k < count && sticks; ++k) {
    if (!may(k, FrictionState::kCreeps) || !IsAtRest(k)) continue;
    states_[k] = FrictionState::kSticks;
    shares_ = true;
  }
}

WorkingResult WorkingSet::Solve(const WorkingProblem& problem, const WorkingSettings& settings,
                                WorkingStats* stats) {
  settings_ = settings;
  stats_ = stats;
  Start(problem);
  const bool drops = std::any_of(problem.elements.begin(), problem.elements.end(), Drops);
  // First as if it did not drop: as long as any way of sharing the load lets all of it rest, it
  // does, though it might slide as well.
  const WorkingResult result = Search();
  if (!drops || (result.status == WorkingStatus::kSolved && RestsAll())) return result;
  drops_ = true;
  shares_ = false;
  RestWhatDrops();
  return Search();
}

WorkingResult WorkingSet::Search() {
  const WorkingProblem& problem = *problem_;
  WorkingResult result;
  Trial trial = SearchBySwaps(false);
  const Trial ended = trial;
  result.pivot = pivot_;
  if (trial != Trial::kConsistent) FindTrouble(trial, &result);
  // The feet of one body share what they hold and reach their limits together. One of them that
  // creeps among others that stick moves nowhere, and in which direction it would is not
  // determined: the search by single swaps has ended there. Once more, from all that sticks.
  if (trial != Trial::kConsistent) {
    touches_.assign(problem.is_one_sided.begin(), problem.is_one_sided.end());
    states_.assign(states_.size(), FrictionState::kSticks);
    N_.setConstant(lambda_scale_);
    trial = SearchBySwaps(true);
  }
  if (trial != Trial::kConsistent) trial = SearchFromSweeps();
  const int sets = trial == Trial::kConsistent ? 0 : CountSets();
  for (int i = 0; i < sets && trial != Trial::kConsistent; ++i) {
    ChooseSet(i);
    trial = Try();
  }
  if (trial == Trial::kConsistent) {
    result = {.status = WorkingStatus::kSolved, .pivot = pivot_, .pivot_row = FindWeakest()};
    if (!shares_) ShareWithRedundant();
    RestWhatIsHeld();
    return result;
  }
  result.is_proof = sets > 0 && std::none_of(problem.elements.begin(), problem.elements.end(),
                                             [](const auto& e) { return e.row_count > 1; });
  result.status = ended == Trial::kSingular        ? WorkingStatus::kSingular
                  : ended == Trial::kContradiction ? WorkingStatus::kInconsistent
                                                   : WorkingStatus::kNone;
  return result;
}

}  // namespace voigt
