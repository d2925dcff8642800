#pragma once

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "voigt/kernels/working_settings.h"
#include "voigt/math/types.h"

// Constraints, stiction and sliding friction at the level of accelerations [Sherman].
//
// Rows have accelerations a = a₀ + A λ with A = G M⁻¹ Gᵀ, positive semidefinite. A row is
//
//   bilateral    a = 0
//   one-sided    0 ≤ λ ⟂ a ≥ 0
//   friction     one to three rows of a friction element
//
// A friction element has a normal force N, which may come from anything linear in the multipliers:
// N = ‖n₀ + C λ‖ (the reaction of a joint or of a line that a point is held on), or, where it is
// that of a one-sided row, N = λ of that row and what is known beside it. Friction may be about a
// one-sided row and have N = ‖n₀ + C λ‖, as that of a belt that can be slack. An element that
// slides, along a known unit vector d, is driven by it: λ_t = −μ N d, a working constraint. One at
// rest sticks, a_t = 0, as long as ‖λ_t‖ ≤ μ N; otherwise it begins to slip along some d with λ_t =
// −δ μ N d and a_t = ‖a_t‖ d, where δ μ is the friction of sliding.
namespace voigt {

enum class FrictionState : std::uint8_t {
  kSlips,   // slides already, along a given direction
  kSticks,  // at rest, and stays there
  kCreeps,  // begins to slip, along the direction that was found
  kParts,   // its one-sided normal has no force
};

struct FrictionElement {
  int first_row = 0, row_count = 1;  // 1 to 3
  double mu = 0;                     // of its motion: kinetic if it slides, static if it is at rest
  double drop = 1;                   // what creep leaves of μ, at most all
  bool slides = false;
  bool begins = false;            // creeps, whatever it might do instead
  bool holds = false;             // sticks, whatever force that takes
  Vec3 direction = Vec3::Zero();  // d, of one that slides, in as many entries as it has rows; of
                                  // one that begins to, where to look for it first
  int normal_row = -1;            // a one-sided row without whose force there is no friction,
  double normal_offset = 0;       // with what is known of it, at least zero; N is its λ, or
  MatX C;                         // parts of N × rows, and
  VecX n0;

  bool is_of_row() const { return C.size() == 0; }               // N is λ of the normal row
  bool is_settled() const { return slides || begins || holds; }  // there is nothing to choose
};

struct WorkingProblem {
  MatX A;
  VecX a0;
  double a_scale = 0;              // of what a₀ is the difference of, where that is more than a₀
  std::vector<char> is_one_sided;  // per row
  // Per row that is no friction: λ = unit · y, and y is what least squares counts, as moments in
  // forces at a lever. None: all are one.
  VecX unit;
  std::vector<FrictionElement> elements;  // their rows are neither bilateral nor one-sided

  int rows() const { return static_cast<int>(a0.size()); }
};

enum class WorkingStatus : std::uint8_t {
  kSolved,
  kInconsistent,  // bilateral rows contradict each other: no acceleration meets them
  kSingular,      // friction grows as fast as what it comes from: Painlevé's limit
  kNone,          // no choice of states is consistent; proven where all were tried
};

const char* ToString(WorkingStatus status);

struct WorkingResult {
  WorkingStatus status = WorkingStatus::kNone;
  bool is_proof = false;     // of kNone: all choices were tried
  int row = -1;              // of what fails: a row that is off, or of friction that is at odds
  double contradiction = 0;  // of kInconsistent: by how much, m/s²
  double pivot = 1;          // the least of Newton's matrix, beside those without friction
  int pivot_row = -1;        // of the friction that is determined least; none without a matrix
};

struct WorkingStats {
  int solves = 0;          // choices of states tried
  int iterations = 0;      // of Newton's method on normal forces and directions
  int factorizations = 0;  // of its matrix, which is kept while errors fall a hundredfold
  int fixed_points = 0;    // iterations N ← N(λ(N)), where they are asked for
  int takeovers = 0;       // choices for which these did not contract: Newton's method followed
  int swaps = 0;
  int cycles = 0;  // searches by swaps that came to a choice for the second time
  int starts = 0;  // problems whose states were sought again from those of sweeps
  int sweeps = 0;  // of Gauss and Seidel, in these
  int shares = 0;  // problems where friction that repeats holds by other than the least forces
};

// Finds which one-sided rows push and which friction elements stick, slip or part. For a choice of
// states, multipliers of the held rows, in their units, are least-squares solutions: rows that
// repeat each other share, friction that sticks in proportion to μ N (its rows are scaled by √(μ
// N), so that whenever some way of sharing a force is feasible this one is), and what other rows
// can hold is not left to friction. Normal forces N and directions d of impending slip are found by
// Newton's method from those at hand, or by repetition (WorkingSettings::iteration). Then the most
// violated condition is swapped: the one whose mending takes the largest multiplier. A set seen
// before ends this. Then the same search begins anew: from all that sticks, with all friction
// beyond its limit swapped at once; from the states that sweeps of Gauss and Seidel end in; and
// then all sets are tried, in a fixed order, as long as there are no more than max_tried.
//
// Where friction repeats in a plane, as that of four corners does, least squares may ask more of
// one corner than it has while another way of sharing holds them all. If sweeps find one, or have
// found one for a problem before that still serves, it is taken, and shares() says so.
//
// Where creep leaves less of μ than there is at rest, all that is sought first as if it did not:
// what some sharing holds at rest is at rest.
class WorkingSet {
 public:
  // Guesses: the states and multipliers of the last call, if the problem has the same shape, and
  // Newton's matrix and a way of sharing as long as they serve.
  WorkingResult Solve(const WorkingProblem& problem, const WorkingSettings& settings,
                      WorkingStats* stats);
  void Forget() {
    lambda_.resize(0);
    keeps_factor_ = keeps_shared_ = false;
  }

  // Of the last call: a solution only for kSolved, otherwise the last choice that was tried.
  const VecX& lambda() const { return lambda_; }
  const VecX& acceleration() const { return a_; }
  const std::vector<FrictionState>& states() const { return states_; }  // per element
  const VecX& normal_force() const { return N_; }                       // per element
  const std::vector<Vec3>& direction() const { return d_; }      // per element: of slip or creep
  const std::vector<char>& touches() const { return touches_; }  // per row: one-sided and held
  bool shares() const { return shares_; }                        // by forces that sweeps have found

 private:
  enum class Trial { kConsistent, kViolated, kContradiction, kSingular, kUnsettled };
  struct Violation {
    double size = 0;  // of the multiplier that mends it
    int row = -1, element = -1;
    FrictionState next = FrictionState::kSticks;
    Vec3 direction = Vec3::Zero();
  };

  // What forces found by sweeps may be beyond, of forces, and held rows off, of accelerations.
  static constexpr double kSharesWell = 1e-6;

  void Start(const WorkingProblem& problem);
  static bool Drops(const FrictionElement& element) {
    return element.drop < 1 && !element.is_settled();
  }
  void RestWhatDrops();
  bool RestsAll();
  void RestWhatIsHeld();
  WorkingResult Search();
  bool IsDriven(int k) const {
    return states_[k] == FrictionState::kSlips || states_[k] == FrictionState::kCreeps;
  }
  void SettleStates();
  void ListHeld();
  Trial Try();
  bool Contradicts() const;
  Trial SolveForces();
  bool IterateNormals();
  Trial IterateNewton();
  void FactorHeld();
  void SolveHeld(const VecX& right, VecX* x) const;
  void CalcAccelerations();
  void DriveFriction();
  double CalcNormal(int k, VecX* gradient) const;
  // A direction across that of creep, along which it may turn, and the place of that unknown.
  struct Turn {
    int element = 0, unknown = 0;
    Vec3 across = Vec3::Zero();
  };
  void ListTurns();
  void AddTurn(int k, const Vec3& across);
  void CalcResponse(int k, const Vec3& d, Eigen::Ref<VecX> out);
  // μ of an element as its state has it.
  double MuOf(int k) const {
    const FrictionElement& element = problem_->elements[k];
    const bool drops = drops_ && states_[k] == FrictionState::kCreeps;
    return drops ? element.drop * element.mu : element.mu;
  }
  // a·d of an element.
  double AlongOf(int k) const {
    const FrictionElement& element = problem_->elements[k];
    const int rows = element.row_count;
    return d_[k].head(rows).dot(a_.segment(element.first_row, rows));
  }
  // Whether an element does not move.
  bool IsAtRest(int k) const {
    const FrictionElement& element = problem_->elements[k];
    const double a = a_.segment(element.first_row, element.row_count).norm();
    return a <= settings_.tolerance * a_scale_;
  }
  // ‖λ_t‖ of an element that creeps, and the acceleration that a unit of force makes.
  double LimitOf(int k) const {
    return std::max(MuOf(k) * std::fabs(N_[k]), settings_.tolerance * lambda_scale_);
  }
  double UnitOf(int k) const {
    const FrictionElement& element = problem_->elements[k];
    return problem_->A.diagonal().segment(element.first_row, element.row_count).sum();
  }
  void Evaluate();
  void CalcErrors();
  bool IsSettled(double tolerance, double sticking) const;
  bool IsAligned() const;
  bool AllMove() const;
  void UpdateJacobian();
  bool FactorJacobian();
  bool HasFactor() const;
  void KeepFactor();
  bool Advance();
  bool CalcTurnsBeside();
  void Move(double t);
  Violation FindViolation() const;
  void FindTrouble(Trial trial, WorkingResult* result) const;
  int FindWeakest() const;
  void Swap(const Violation& violation);
  bool IsNewSet();
  Trial SearchBySwaps(bool many_at_once);
  bool SwapAllBeyond();
  bool ShareWith(std::span<const int> rows);
  void ShareWithRedundant();
  // What was chosen, to come back to.
  struct Choice {
    std::vector<char> touches;
    std::vector<FrictionState> states;
    std::vector<Vec3> d;
    VecX N;
  };
  Choice Keep() const { return {touches_, states_, d_, N_}; }
  void Return(const Choice& choice);
  // Of working_set_turns.cc:
  bool TurnAgainst(int k);
  bool TurnToOppose(bool all);
  // Of working_set_sweeps.cc:
  Trial SearchFromSweeps();
  bool ShareAsBefore();
  Trial SearchFromSweepsOf(bool sliding);
  bool RunSweeps();
  double SweepOnce();
  bool IsWithin(double part) const;
  double SetRows(int first, int count, const Vec3& value);
  double SweepNormal(int r);
  double SweptMuOf(const FrictionElement& element) const {
    return sweeps_sliding_ ? element.drop * element.mu : element.mu;
  }
  double SweepFriction(int k);
  void TakeStates();
  bool ShareAsSwept();
  int CountSets() const;
  void ChooseSet(int index);

  const WorkingProblem* problem_ = nullptr;
  WorkingSettings settings_;
  WorkingStats* stats_ = nullptr;
  VecX lambda_, a_, N_;
  std::vector<Vec3> d_;
  std::vector<char> touches_;
  std::vector<FrictionState> states_;
  std::vector<char> is_friction_;  // per row
  std::vector<int> held_;          // rows whose acceleration is zero
  VecX scale_;                     // of the held rows
  MatX A_held_, response_, a_response_, jacobian_;
  VecX x_, right_, gradient_, error_, weight_, step_, N_start_, driven_column_;
  std::vector<Vec3> d_start_;
  std::vector<Turn> turns_, turns_start_;
  Eigen::CompleteOrthogonalDecomposition<MatX> factor_;
  Eigen::FullPivLU<MatX> newton_;
  double pivot_ = 1;           // its least, relative
  bool keeps_factor_ = false;  // for the next problem with these states
  double factor_pivot_ = 1;
  std::vector<char> factor_touches_;
  std::vector<FrictionState> factor_states_;
  double a_scale_ = 1, lambda_scale_ = 1;
  double a_floor_ = 1, lambda_floor_ = 1;  // those of the problem before anything acts
  bool drops_ = false;                     // what creeps has the friction of sliding
  bool shares_ = false;
  bool sweeps_sliding_ = false;  // friction of sweeps is that of sliding, at rest, too
  double swept_change_ = 0;      // of the last sweep, m/s²
  VecX swept_;
  bool keeps_shared_ = false;  // a sharing that sweeps have found, of a problem of this shape:
  Choice shared_;
  VecX shared_lambda_;
  std::vector<std::uint64_t> seen_;
};

}  // namespace voigt
