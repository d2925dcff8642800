#pragma once

#include <vector>

#include "voigt/base/stopwatch.h"
#include "voigt/kernels/basis_factor.h"
#include "voigt/kernels/box_as_lcp.h"
#include "voigt/kernels/complementarity.h"
#include "voigt/kernels/free_elimination.h"

namespace voigt {

struct LemkeSettings {
  int max_pivots = 0;        // 0: 1000 and 50 for each variable
  double tolerance = 1e-10;  // of the residual (CalcComplementarityResidual)
  bool use_guess = false;    // z holds a guess on entry, such as the solution of a similar problem
  // Lemke::set() after a similar problem: a better guess than z, which it replaces, where variables
  // are basic and at their bounds at once (degenerate problems). Unused if it is of another size.
  const std::vector<char>* set = nullptr;
  int max_restarts = 2;  // with other covering vectors (the first also from another basis), after
                         // a path that ended without solution
  // d > 0 per variable, of the first attempt and in units of w; if null, ones in the units that
  // BoxAsLcp scales to. Upper bounds take d of their variable.
  const VecX* covering = nullptr;
  Deadline deadline;
};

struct LemkeStats {
  int pivots = 0;           // of all attempts
  int factors = 0;          // LU factors made
  int ties = 0;             // ratio tests that q alone did not decide
  int restarts = 0;         // cold attempts after the first
  int split = 0;            // free variables that could not be eliminated
  bool guess_held = false;  // the guessed set was the right one: no pivot was made
  bool guess_led = false;   // a path from the guessed set found the solution
};

struct LemkeResult {
  ComplementarityStatus status = ComplementarityStatus::kFailed;
  double residual = kNaN;  // of z, whatever the status
};

// Lemke's complementary pivoting [Cottle, Pang & Stone 1992, §4.4] for boxed problems. It finds a
// solution, or proves that there is none, where N is copositive-plus (positive semidefinite ones
// are; those of contact with polyhedral friction are copositive [Anitescu, Miller & Hart 2003]) and
// solves any problem with a P matrix or another of the classes that it is known to process.
//
// The box is taken apart into pairs (box_as_lcp.h). Free variables are pivoted in first; where
// their block of N is singular, rows that repeat others are recognised (free_elimination.h). Then
// with ω = N̂ ζ + q̂ + d z₀ a path of bases is followed from z₀ = max(−q̂/d) to z₀ = 0, each
// with one pair of which neither member is basic. No tableau is kept: bases are factored
// (basis_factor.h), one column is solved for in each step.
//
// Ties of the ratio test are broken by the lexicographic rule, which keeps degenerate problems from
// cycling: the path is that of q̂ + ε p + ε² B₀ (ε, ε², …) for infinitely small ε, with a generic
// vector p > 0. B⁻¹p is carried along with B⁻¹q̂ and decides practically all ties at the price of
// one vector; only those that it leaves look at the columns of B⁻¹B₀.
//
// A guess is tried first: the basis of the variables that it has inside of their bounds. If its
// solution has the right signs, that is all; otherwise a path starts there (with d ← B₀ d), and
// where this one does not end in a solution, the usual one follows.
class Lemke {
 public:
  // z: guess if settings.use_guess; result: the solution, or else the best point met (in its
  // bounds), its residual beside it.
  LemkeResult Solve(const ComplementarityProblem& problem, const LemkeSettings& settings,
                    Eigen::Ref<VecX> z, LemkeStats* stats);

  // After kSolved: which variables are basic. Bit 0: z is not at its (lower) bound; bit 1: it is at
  // the upper one of two.
  const std::vector<char>& set() const { return set_; }

  // After kInfeasible: y that proves it (IsInfeasible). After kRay: the direction of z along the
  // last ray, which for copositive-plus N would be such a proof.
  const std::vector<double>& ray() const { return ray_; }

 private:
  enum class Start { kReady, kContradiction, kSingular };
  enum class End { kSolution, kRay, kLimit, kSingular };

  ComplementarityStatus SolveCold(Eigen::Ref<VecX> z);
  bool StartFromGuess(const Eigen::Ref<const VecX>& z);
  bool IsGuessedBasic(int p, const Eigen::Ref<const VecX>& z) const;
  bool IsSecond(int p) const;
  void KeepSet();
  Start StartCold();
  bool Flip();
  bool FactorBasis();
  void SetLevels(int attempt);
  double Covering(int position, int attempt) const;
  void CalcColumn(int variable, double* out) const;
  void MultiplyBasis(const std::vector<double>& x, std::vector<double>* out);
  End FollowPath(int attempt, int max_pivots);
  int FirstLeaving() const;
  int FindLeaving();
  void KeepLowestTies(const double* level, double tolerance);
  int BreakTies();
  void Pivot(int position, int entering);
  void KeepRay(int entering);
  bool HasRightSigns() const;
  ComplementarityStatus Finish(End end, Eigen::Ref<VecX> z);
  double JudgeBasis(Eigen::Ref<VecX> z);
  void Refine();

  // Variables: ω_p is p, ζ_p is size + p, z₀ is 2 size.
  bool IsRestricted(int variable) const {
    return variable < size_ || variable == 2 * size_ ||
           reduced_.pair(variable - size_).kind != BoxAsLcp::Kind::kFree;
  }
  int Complement(int variable) const {
    return variable < size_ ? variable + size_ : variable - size_;
  }

  const ComplementarityProblem* problem_ = nullptr;
  const LemkeSettings* settings_ = nullptr;
  LemkeStats* stats_ = nullptr;
  const std::vector<char>* guessed_set_ = nullptr;
  int size_ = 0, max_pivots_ = 0;
  double best_ = kInfinity;  // residual of the best point
  bool knows_free_ = false;  // the free variables can be eliminated, or have been split

  BoxAsLcp reduced_;
  FreeElimination elimination_;
  BasisFactor factor_;
  std::vector<int> basic_, start_, positions_, dense_, ties_;  // variables by position, …
  std::vector<char> restricted_, is_unit_, set_;               // by position, pair, variable
  std::vector<double> x_, x_p_, alpha_;  // B⁻¹ q̂, B⁻¹ p, B⁻¹ of the entering column
  std::vector<double> p_, d_, scratch_, zeta_, ray_, z_, w_;
};

}  // namespace voigt
