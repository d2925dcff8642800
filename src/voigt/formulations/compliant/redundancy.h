#pragma once

#include <functional>

#include "voigt/kernels/natural_newton.h"
#include "voigt/problem/dependent_rows.h"

namespace voigt {

// Rigid bilateral rows of an island that repeat each other (problem/dependent_rows.h), solved
// together with all else: dependent rows are asked for what they can give together,
//
//   b ← b + ρ N Nᵀ u,     Nᵀ ρ γ = 0.
//
// Looked for only where a solution is suspicious, so that consistent rows, repeated or not, are
// solved as they are.
class Redundancy {
 public:
  // Forgets the last island.
  void Reset(const IslandView& island);

  // Once per island: looks for dependent rows if the impulses did not converge, or did and move far
  // less than they would one by one, γᵀ W γ ≪ Σ w γ² over rigid rows: so it is where rows that
  // should be dependent, and are not quite, hold what they cannot hold. If there are any, the
  // impulses of the island are set to zero, for they may be of any size. `scale`: the largest
  // velocity of the island, with those that impulses make.
  bool Look(const VelocityProblem& problem, const IslandView& island, bool converged, double scale,
            VecX* gamma, NewtonWorkspace* ws);
  bool may_look() const { return !has_looked_; }
  bool is_found() const { return dependent_.count() > 0; }

  // Newton's method on the natural map of the program whose b follows the contradiction, which
  // depends on v, a little. `update` sets the velocities that the residual is compared with.
  NaturalNewtonResult Solve(const IslandView& island, NaturalNewtonSettings settings,
                            const std::function<void(NaturalNewtonSettings*)>& update,
                            ConvexProgram* program, VecX* v, VecX* gamma, NewtonWorkspace* ws,
                            NewtonStats* stats);

  // Puts b back; the largest velocity by which rows contradict each other.
  double PutBack(ConvexProgram* program) const;
  // Whether that is no more than the gaps of the rows make of velocities `scale`.
  bool IsExplained(double scale, double h) const {
    return dependent_.IsExplained(contradiction_, scale, h);
  }
  int count() const { return dependent_.count(); }

 private:
  bool ImpulsesCancel(const IslandView& island, double scale, const VecX& gamma,
                      NewtonWorkspace* ws) const;
  void Shift(const IslandView& island, ConvexProgram* program, VecX* v, VecX* gamma,
             NewtonWorkspace* ws);

  bool has_looked_ = false;
  DependentRows dependent_;
  VecX u_, contradiction_;
};

}  // namespace voigt
