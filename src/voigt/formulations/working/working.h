#pragma once

#include "voigt/kernels/working_set.h"
#include "voigt/problem/acceleration_problem.h"

namespace voigt {

// Constraints with friction on accelerations, by active sets [Sherman]: README.md has the steps.
//
// Bilateral rows, rows in touch and friction that sticks are held by least-squares multipliers,
// where friction that repeats shares in proportion to what it can hold; friction that slides is
// driven by its normal force, which Newton's method finds, or repetition; which rows are held is
// found by swapping the most violated one.
class Working {
 public:
  explicit Working(const WorkingSettings& settings = {}) : settings_(settings) {}

  // Starts from what the last problem of the same shape ended with. λ is NaN unless solved.
  WorkingResult Solve(const AccelerationProblem& problem, VecX* lambda);

  // The inelastic impulses that stop sliding within friction, where a problem has no accelerations:
  // the same problem once more, on rates u = G v in place of accelerations, with all friction at
  // rest and to decide. Fills γ; false if none of the friction that slides can stop.
  bool SolveLock(const AccelerationProblem& problem, const VecX& u, VecX* gamma);

  // Impulses of an impact with friction, that of joints included: on rates u = G v, with all
  // friction to decide and normal forces of impulses alone. Compression, 0 ≤ γ_n ⟂ u_n ≥ 0, leaves
  // impulses x; Poisson's restitution follows from the rates after it, with normal impulses of at
  // least e x_n [Anitescu & Potra 1997]. e: per row, zero but for one-sided ones. Fills x and γ,
  // the sum of both phases; false where none are found.
  bool SolveImpact(const AccelerationProblem& problem, const VecX& u, const VecX& e, VecX* x,
                   VecX* gamma);

  void Forget() { set_.Forget(); }

  // Of the last Solve, per block of friction.
  bool sticks(int k) const { return set_.states()[k] == FrictionState::kSticks; }
  // Sticks by other than the least forces, which ask for more of some friction than it has.
  bool shares(int k) const { return set_.shares() && sticks(k); }
  const Vec3& direction(int k) const { return set_.direction()[k]; }  // of slip or creep
  double normal_force(int k) const { return set_.normal_force()[k]; }

  const WorkingStats& stats() const { return stats_; }  // of all calls

 private:
  void Reduce(const AccelerationProblem& problem);
  void ReduceToImpulses(const AccelerationProblem& problem, const VecX& u);

  WorkingSettings settings_;
  WorkingProblem reduced_;
  WorkingSet set_;
  WorkingStats stats_;
};

}  // namespace voigt
