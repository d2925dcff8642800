#pragma once

#include "tests/support/solve_with.h"
#include "voigt/audit/audit.h"
#include "voigt/formulations/formulation.h"

namespace voigt::testing {

// By maximum dissipation, or by another formulation that is compared with it.
inline Solution Dissipate(const VelocityProblem& problem, const ImpulseSpaceSettings& settings = {},
                          FormulationKind kind = FormulationKind::kMaxDissipation) {
  return SolveWith(kind, problem, settings);
}

inline Audit AuditOf(const VelocityProblem& problem, const Solution& solution) {
  Auditor auditor;
  Audit out;
  auditor.Calc(problem, solution.gamma, solution.v1, nullptr, RuleOf(solution), &out);
  return out;
}

}  // namespace voigt::testing
