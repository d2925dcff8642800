// Solves one problem alone, as SaveProblem wrote it: for reports of bugs and comparisons of
// solvers.
//
//   solve_problem FILE [coulomb|lagged|cone]
//
// Prints what the solver says of itself, what the audit says of it, and the impulses. Exit status:
// 0 if it was solved, 1 if not, 2 if the file or the arguments were bad.

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <optional>
#include <string_view>

#include "voigt/audit/audit.h"
#include "voigt/formulations/compliant/compliant.h"
#include "voigt/problem/problem_file.h"

namespace voigt {
namespace {

std::optional<FrictionMode> ParseMode(std::string_view word) {
  for (const FrictionMode mode :
       {FrictionMode::kCoulomb, FrictionMode::kLagged, FrictionMode::kCone}) {
    if (word == ToString(mode)) return mode;
  }
  return {};
}

void PrintImpulses(const VelocityProblem& problem, const LawResidual& law, const VecX& gamma) {
  fmt::print("{:>5} {:<10} {:>13} {:>13} {:>13} {:>9}\n", "row", "law", "impulse", "φ̇₁", "u",
             "residual");
  for (const RowGroup& group : problem.groups) {
    for (int i = group.first_row; i < group.first_row + group.row_count; ++i) {
      fmt::print("{:>5} {:<10} {:>13.6e} {:>13.6e} {:>13.6e} {:>9.1e}\n", i, ToString(group.law),
                 gamma[i], law.phi_dot()[i], law.u()[i], law.rows()[i]);
    }
  }
}

int Run(const char* path, FrictionMode mode) {
  const OwnedProblem owned = LoadProblem(path);
  CompliantSettings settings;
  settings.friction = mode;
  Compliant compliant(settings);
  Solution solution;
  compliant.Solve(owned.problem, VecX(), &solution);

  Auditor auditor;
  Audit audit;
  auditor.Calc(owned.problem, solution.gamma, solution.v1, nullptr, RuleOf(solution), &audit);
  fmt::print("{} degrees of freedom, {} rows, friction {}\n", owned.problem.nv(),
             owned.problem.row_count(), ToString(mode));
  fmt::print("status {}, residual {:.1e}, {} Newton steps, {} passes\n", ToString(solution.status),
             solution.residual, solution.stats.newton_iterations, solution.stats.friction_passes);
  for (const AuditItem& item : ListItems(audit, solution.tolerance)) {
    fmt::print("  {:<16} {:>9.1e}{}\n", item.name, item.value, item.passes() ? "" : "  !");
  }
  PrintImpulses(owned.problem, auditor.law(), solution.gamma);
  const bool is_fine =
      solution.status == SolveStatus::kSolved || solution.status == SolveStatus::kRedundant;
  return is_fine ? 0 : 1;
}

}  // namespace
}  // namespace voigt

int main(int argc, char** argv) {
  const auto mode = voigt::ParseMode(argc > 2 ? argv[2] : "coulomb");
  if (argc < 2 || argc > 3 || !mode) {
    fmt::print(stderr, "usage: solve_problem FILE [coulomb|lagged|cone]\n");
    return 2;
  }
  try {
    return voigt::Run(argv[1], *mode);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
