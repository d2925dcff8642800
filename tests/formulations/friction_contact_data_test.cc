// Contact problems that others wrote, by the compliant formulation.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/all_digits.h"
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
    Compliant compliant(testing::AllDigits<CompliantSettings>());
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

// Coulomb's law for u = W γ + q as the natural map, written here and for W as it is: the largest of
// |min(w γ_n, u_n)| and ‖w γ_t − P(w γ_t − u_t)‖, P onto the disc of radius w μ γ_n, w the diagonal
// of W there, over the largest of |q| and |w γ|.
double CalcFileResidual(const testing::FrictionContactData& data, const VecX& gamma) {
  const VecX u = data.W * gamma + data.q;
  const double scale = std::max(data.q.cwiseAbs().maxCoeff(),
                                data.W.diagonal().cwiseProduct(gamma).cwiseAbs().maxCoeff());
  double worst = 0;
  const int tangents = data.dimension - 1;
  for (int i = 0; i < data.contacts(); ++i) {
    const int n = data.dimension * i;
    worst = std::max(worst, std::fabs(std::min(data.W(n, n) * gamma[n], u[n])));
    const double w = data.W.diagonal().segment(n + 1, tangents).mean();
    const VecX now = w * gamma.segment(n + 1, tangents), x = now - u.segment(n + 1, tangents);
    const double radius = w * data.mu[i] * std::max(0.0, gamma[n]);
    const VecX projected = x.norm() > radius ? VecX(radius / x.norm() * x) : x;
    worst = std::max(worst, (now - projected).norm());
  }
  return worst / scale;
}

// The files' own W, unsymmetric by up to 7e-4 in five of nine: what its symmetric part, as it was
// factored, leaves out goes to the right, q ← q_file + (W − G Gᵀ) γ, and the problem is solved
// again. Each round brings γ nearer by about the asymmetry times what W is worse conditioned than
// its diagonal.
TEST(FrictionContact, ReferenceProblemsMeetCoulombsLawWithTheirOwnMatrices) {
  if (!testing::HasReferenceData()) GTEST_SKIP() << "no reference data";
  printf("%-32s %9s  residuals after each round\n", "problem", "asymmetry");
  for (const auto& data : testing::ReadAllFrictionContact()) {
    const MatX W = 0.5 * (data.W + data.W.transpose());
    OwnedProblem owned = MakeProblemFromDelassus(W, data.q, data.dimension, data.mu, 1e-6);
    const MatX G = owned.problem.ToDenseG(), left_out = data.W - G * G.transpose();
    Compliant compliant(testing::AllDigits<CompliantSettings>());
    Solution solution;
    double residual = kInfinity;
    printf("%-32s %9.1e ", data.name.c_str(), data.asymmetry());
    for (int round = 0; round < 12 && residual > 1e-11; ++round) {
      compliant.Solve(owned.problem, VecX(), &solution);
      residual = CalcFileResidual(data, solution.gamma);
      printf(" %.1e", residual);
      const VecX q = data.q + left_out * solution.gamma;
      for (int r = 0; r < owned.problem.row_count(); ++r) {
        owned.problem.rows[r].phi_t = q[r];
        owned.problem.rows[r].guess = solution.gamma[r];
      }
    }
    printf("\n");
    EXPECT_LT(residual, 1e-11) << data.name;
  }
}

}  // namespace
}  // namespace voigt
