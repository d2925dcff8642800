#pragma once

#include <vector>

#include "tests/support/all_digits.h"
#include "voigt/audit/audit.h"
#include "voigt/formulations/formulation.h"

namespace voigt::testing {

// All but `compliant-qcqp`, which is for study: its forces are not those of the laws.
inline std::vector<FormulationKind> ListKindsWithLaws() {
  std::vector<FormulationKind> out;
  for (FormulationKind kind : ListFormulationKinds()) {
    if (kind != FormulationKind::kCompliantQcqp) out.push_back(kind);
  }
  return out;
}

// A problem alone, solved from zero by a formulation to all digits.
inline Solution SolveWith(FormulationKind kind, const VelocityProblem& problem,
                          const ImpulseSpaceSettings& settings = {}) {
  FormulationSettings all;
  all.kind = kind;
  all.impulse_space = settings;
  AskForAllDigits(&all);
  Solution out;
  MakeFormulation(all)->Solve(problem, VecX(), &out);
  return out;
}

inline Solution SolveFrom(const VecX& start, const VelocityProblem& problem,
                          const CompliantSettings& settings = {}) {
  Solution out;
  Compliant(settings).Solve(problem, start, &out);
  return out;
}

// By the law that the solution claims.
inline Audit JudgeSolution(const VelocityProblem& problem, const Solution& solution) {
  Auditor auditor;
  Audit out;
  auditor.Calc(problem, solution.gamma, solution.v1, nullptr, RuleOf(solution), &out);
  return out;
}

}  // namespace voigt::testing
