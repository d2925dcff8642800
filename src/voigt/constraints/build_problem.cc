#include "voigt/constraints/build_problem.h"

namespace voigt {

void BuildProblem(const Model& model, const ConstraintSet& constraints, const Configuration& start,
                  const FreeVelocity& free, const State& state, double h,
                  VelocityProblem* problem) {
  problem->h = h;
  problem->pattern = &model.tree().pattern;
  problem->M = &free.M(start);
  problem->factor = &free.factor(start);
  problem->v_star = free.v_star();
  problem->ClearRows();
  const ConstraintContext at{model, start.kin(), state.q, state.v, state.t, h};
  constraints.AddRows(at, problem);
}

}  // namespace voigt
