#pragma once

#include "voigt/formulations/formulation.h"

namespace voigt::testing {

// A problem alone, solved from zero by a formulation.
inline Solution SolveWith(FormulationKind kind, const VelocityProblem& problem,
                          const ImpulseSpaceSettings& settings = {}) {
  FormulationSettings all;
  all.kind = kind;
  all.impulse_space = settings;
  Solution out;
  MakeFormulation(all)->Solve(problem, VecX(), &out);
  return out;
}

}  // namespace voigt::testing
