// Contact problems that others wrote, by the compliant formulation.

#include <gtest/gtest.h>

#include "tests/support/data.h"
#include "tests/support/siconos_data.h"
#include "voigt/audit/audit.h"
#include "voigt/formulations/compliant/compliant.h"
#include "voigt/problem/delassus.h"

namespace voigt {
namespace {

TEST(FrictionContact, ReferenceProblemsMeetCoulombsLaw) {
  if (!testing::HasReferenceData()) GTEST_SKIP() << "no reference data";
  Auditor auditor;
  Audit audit;
  printf("%-32s %8s %5s %-24s %9s %6s %6s\n", "problem", "contacts", "rank", "status", "residual",
         "Newton", "passes");
  for (const auto& data : testing::ReadAllFrictionContact()) {
    // Gyroscopic terms and digits that were not written: the symmetric part of W is the problem.
    const MatX W = 0.5 * (data.W + data.W.transpose());
    const OwnedProblem owned = MakeProblemFromDelassus(W, data.q, data.dimension, data.mu, 1e-6);
    Compliant compliant;
    Solution solution;
    compliant.Solve(owned.problem, VecX(), &solution);
    auditor.Calc(owned.problem, solution.gamma, solution.v1, nullptr, {}, &audit);
    printf("%-32s %8d %5d %-24s %9.1e %6d %6d\n", data.name.c_str(), data.contacts(),
           owned.problem.nv(), std::string(ToString(solution.status)).c_str(), audit.law,
           solution.stats.newton_iterations, solution.stats.friction_passes);
    EXPECT_LT(audit.law, 1e-8) << data.name;
    EXPECT_LT(audit.momentum, 1e-13) << data.name;
    // What is claimed must be so.
    if (solution.status == SolveStatus::kSolved) {
      EXPECT_LT(audit.law, 1e-11) << data.name;
    }
  }
}

}  // namespace
}  // namespace voigt
