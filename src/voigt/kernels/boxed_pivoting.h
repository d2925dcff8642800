#pragma once

#include <vector>

#include "voigt/base/stopwatch.h"
#include "voigt/kernels/complementarity.h"
#include "voigt/kernels/dense_lu.h"

namespace voigt {

struct BoxedPivotingSettings {
  int max_steps = 0;          // 0: 1000 and 10 for each variable
  int patience = 10;          // whole exchanges that may fail to leave fewer wrong signs than ever
  double tolerance = 1e-10;   // of the residual (CalcComplementarityResidual)
  bool is_symmetric = false;  // N is: its lower triangle is read for factors, by Cholesky
  bool use_guess = false;     // z holds a guess on entry
  Deadline deadline;
};

struct BoxedPivotingStats {
  int block_steps = 0;   // exchanges of all variables with wrong signs
  int single_steps = 0;  // exchanges of one
  int factors = 0;
  int proximal_steps = 0;   // 0 where every factor was regular
  bool guess_held = false;  // the guessed set was the right one
};

struct BoxedPivotingResult {
  ComplementarityStatus status = ComplementarityStatus::kFailed;
  double residual = kNaN;  // of z, whatever the status
};

// Block principal pivoting [Júdice & Pires 1994] for boxed problems. Variables are at their lower
// bound, at their upper one, or inside, where N_AA z_A = −q_A − N_AB z_B determines them; those
// with the wrong sign of w, or outside of their bounds, change sides: all at once as long as their
// number falls, then changing parts of them, and in the end only the first of them, which ends
// after finitely many steps for P matrices [Murty 1974]. Few factors are needed, of the size of the
// set A, as long as whole exchanges do.
//
// Where N_AA is singular, as for semidefinite N whose rows repeat each other, the problem is solved
// by proximal steps: z ← solution for N + εI and q − εz, which converge to a solution if there is
// one; ε falls while they go on, and the last steps leave the set as it is. Nothing is proven where
// they do not, and they may end at the limit of steps: singular problems of some hundred variables
// (random ones of half the rank) are often left unsolved, with a status that says so. Lemke's
// method (lemke.h) is the one to take for them.
class BoxedPivoting {
 public:
  // z: guess if settings.use_guess; result: the solution, or else the best point met.
  BoxedPivotingResult Solve(const ComplementarityProblem& problem,
                            const BoxedPivotingSettings& settings, Eigen::Ref<VecX> z,
                            BoxedPivotingStats* stats);

 private:
  enum class Place : char { kLower, kUpper, kInside };
  enum class End { kRightSigns, kLimit, kSingular };

  void SetPlaces(const Eigen::Ref<const VecX>& z);
  End Exchange(double shift, int max_steps);
  bool SolveInside(double shift);
  void FindWrong();
  void ChangeSides(int i);
  double Judge(Eigen::Ref<VecX> z);
  void SolveProximal(Eigen::Ref<VecX> z);

  const ComplementarityProblem* problem_ = nullptr;
  const BoxedPivotingSettings* settings_ = nullptr;
  BoxedPivotingStats* stats_ = nullptr;
  int max_steps_ = 0;
  double best_ = kInfinity, N_max_ = 0;
  std::vector<Place> places_;
  std::vector<int> inside_, wrong_, swaps_;
  std::vector<double> core_;            // N_AA and its factor
  std::vector<double> z_, w_, center_;  // the point; N z + q (with its shift); z of the last point
  std::vector<double> clamped_, scratch_;
};

}  // namespace voigt
