#pragma once

#include <memory>
#include <span>

#include "voigt/problem/attempt.h"
#include "voigt/problem/friction_mode.h"
#include "voigt/problem/perturbation.h"
#include "voigt/problem/solution.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

class WorkerPool;

// Which method solves the linear systems of an island.
enum class InnerSolver {
  kAuto,  // by predicted cost
  kDense,
  kTreeSparse,   // where no row couples two branches: the mass matrix's own pattern
  kBlockSparse,  // block Cholesky with minimum-degree ordering
};

struct CompliantSettings {
  FrictionMode friction = FrictionMode::kCoulomb;
  InnerSolver inner = InnerSolver::kAuto;
  // Of the residual, relative to the velocities of the problem: below the first a solution is
  // accepted, and goes on to the second only while every step gains a digit.
  double tolerance = 1e-8, aim = 1e-12;
  int max_iterations = 500;                 // Newton steps per island, over all passes
  AttemptSet attempts = AttemptSet::All();  // that islands may get, for studies
  double time_limit = 0;  // s of wall time per solve; 0: none. A limit makes runs irreproducible
};

// The compliant formulation [Drumwright 2019] without curvature terms in φ̇₁
// (constraints/curvature.h has them, for studies): a strictly convex program in velocity space.
// README.md of this folder has the equations.
class Compliant {
 public:
  explicit Compliant(const CompliantSettings& settings = {});
  ~Compliant();
  Compliant(Compliant&&) noexcept;
  Compliant& operator=(Compliant&&) noexcept;

  // `warm_start`: impulses to start from, one per row, or empty. A solution that is unique does not
  // depend on it beyond rounding, nor does the sharing of forces among rows that repeat each other.
  void Solve(const VelocityProblem& problem, const VecX& warm_start, Solution* solution);

  // Islands are solved by the threads of a pool, which must live as long as this is used; null goes
  // back to the caller's own. The bits are the same either way.
  void UseThreads(WorkerPool* pool);

  // x ← H⁻¹ x with the factors of the last Solve: the response of the mechanism with all that its
  // constraints hold, M̂ + Gᵀ P G with P the slopes of the laws at the solution.
  void SolveHeld(const VelocityProblem& problem, VecX* x, VecX* gamma);

  // dv₁ for a small change of the problem that the last Solve solved (sensitivity.h). False if
  // there is none to be found; *dv1 is then zero.
  bool CalcDerivative(const VelocityProblem& problem, const Solution& solution,
                      const Perturbation& change, VecX* dv1);
  // The same for several changes, a column each; the matrix is factored once for all of them.
  bool CalcDerivatives(const VelocityProblem& problem, const Solution& solution,
                       std::span<const Perturbation> changes, MatX* dv1);

  const CompliantSettings& settings() const;

 private:
  struct Workspace;
  std::unique_ptr<Workspace> ws_;
};

}  // namespace voigt
