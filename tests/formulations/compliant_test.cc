// The compliant formulation against closed solutions and dense references.

#include "voigt/formulations/compliant/compliant.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "tests/support/dense_problem.h"
#include "voigt/problem/row_law.h"

namespace voigt {
namespace {

using testing::AddGroup;
using testing::MakeProblem;

Solution SolveWith(const OwnedProblem& owned, const CompliantSettings& settings = {},
                   const VecX& warm = {}) {
  Compliant compliant(settings);
  Solution out;
  compliant.Solve(owned.problem, warm, &out);
  return out;
}

// A = I + XW = [[11, 9], [9, 11]], r = X⁻¹ c with c = (10, 9.5): the printed minimum-norm program
// gives (0.544554, 0.445545), the implicit law (0.6125, 0.3625).
TEST(Compliant, FollowsTheLawNotThePrintedProgram) {
  const double X = 10;
  const MatX W = (MatX(2, 2) << 1, 0.9, 0.9, 1).finished();
  const MatX G = W.llt().matrixL();
  OwnedProblem owned = MakeProblem(MatX::Identity(2, 2), VecX::Zero(2), 1);
  AddGroup(Law::kUnilateral, G, &owned);
  const double c[2] = {10, 9.5};
  for (int i = 0; i < 2; ++i) {
    owned.problem.rows[i].R = 1 / X;
    owned.problem.rows[i].v_hat = c[i] / X;
  }
  const Solution solution = SolveWith(owned);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_NEAR(solution.gamma[0], 0.6125, 1e-14);
  EXPECT_NEAR(solution.gamma[1], 0.3625, 1e-14);
}

// Unit mass, normals (1, 0) and (0.6, 0.8), v = (−1, 2), rigid unilateral dampers: λ = (1, 0).
TEST(Compliant, UnilateralDampersCreateNoEnergy) {
  OwnedProblem owned = MakeProblem(MatX::Identity(2, 2), Vec2(-1, 2), 0.01);
  AddGroup(Law::kUnilateral, (MatX(2, 2) << 1, 0, 0.6, 0.8).finished(), &owned);
  const Solution solution = SolveWith(owned);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_NEAR(solution.gamma[0], 1, 1e-15);
  EXPECT_EQ(solution.gamma[1], 0);
  EXPECT_NEAR((solution.v1 - Vec2(0, 2)).norm(), 0, 1e-15);
}

// Bilateral rows against a dense solution, from soft to rigid, with rows repeated three times.
TEST(Compliant, BilateralRowsOfAnyStiffnessEvenIfRepeated) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 200; ++trial) {
    const int nv = 6, nc = 1 + trial % 4;
    MatX A(nv, nv), G(nc, nv);
    VecX v_star(nv), v_hat(nc);
    for (double& x : A.reshaped()) x = normal(random);
    for (double& x : G.reshaped()) x = normal(random);
    for (double& x : v_star) x = normal(random);
    for (double& x : v_hat) x = normal(random);
    const MatX M = A * A.transpose() + MatX::Identity(nv, nv);
    const double stiffness[] = {1, 1e6, 1e12, 1e15, kInfinity};
    const double K = stiffness[trial % 5], h = 0.1;
    const double R = std::isinf(K) ? 0 : 1 / (h * h * K);

    // Three equal rows of compliance 3R act as one of R.
    OwnedProblem owned = MakeProblem(M, v_star, h);
    for (int copy = 0; copy < 3; ++copy) {
      AddGroup(Law::kBilateral, G, &owned);
      for (int i = 0; i < nc; ++i) {
        Row& row = owned.problem.rows[copy * nc + i];
        row.R = 3 * R;
        row.v_hat = v_hat[i];
      }
    }
    const Solution solution = SolveWith(owned);
    ASSERT_EQ(solution.status, SolveStatus::kSolved)
        << trial << " residual " << solution.residual << " K " << K;

    const MatX W = G * M.llt().solve(G.transpose());
    const VecX exact = (W + R * MatX::Identity(nc, nc)).llt().solve(v_hat - G * v_star);
    const VecX expected = G.transpose() * exact;
    const VecX sum = solution.gamma.segment(0, nc) + solution.gamma.segment(nc, nc) +
                     solution.gamma.segment(2 * nc, nc);
    EXPECT_LT((G.transpose() * sum - expected).norm(), 1e-11 * expected.norm()) << K;
    // Shared evenly: unique where rows are rigid, and without noise.
    EXPECT_LT((solution.gamma.segment(0, nc) - exact / 3).norm(), 1e-6 * exact.norm()) << K;
    const VecX momentum = M * (solution.v1 - v_star) - G.transpose() * sum;
    EXPECT_LT(momentum.norm(), 1e-13 * (M * v_star).norm());
  }
}

// Unilateral rows against all active sets, tried one by one.
TEST(Compliant, UnilateralRowsMeetTheComplementarityConditions) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 500; ++trial) {
    const int nv = 3 + trial % 4, nc = 1 + trial % 7;
    MatX A(nv, nv), G(nc, nv);
    VecX v_star(nv), v_hat(nc);
    for (double& x : A.reshaped()) x = normal(random);
    for (double& x : G.reshaped()) x = normal(random);
    for (double& x : v_star) x = normal(random);
    for (double& x : v_hat) x = normal(random);
    const MatX M = A * A.transpose() + MatX::Identity(nv, nv);
    const double R = 1e-3;
    OwnedProblem owned = MakeProblem(M, v_star, 0.01);
    for (int i = 0; i < nc; ++i) {
      AddGroup(Law::kUnilateral, G.row(i), &owned);
      owned.problem.rows[i].R = R;
      owned.problem.rows[i].v_hat = v_hat[i];
    }
    const Solution solution = SolveWith(owned);
    ASSERT_EQ(solution.status, SolveStatus::kSolved) << trial;

    const MatX W = G * M.llt().solve(G.transpose()) + R * MatX::Identity(nc, nc);
    const VecX q = G * v_star - v_hat;
    int found = 0;
    for (int set = 0; set < (1 << nc); ++set) {
      std::vector<int> active;
      for (int i = 0; i < nc; ++i) {
        if (set >> i & 1) active.push_back(i);
      }
      VecX gamma = VecX::Zero(nc);
      if (!active.empty()) {
        const MatX W_active = W(active, active);
        const VecX rhs = -q(active), solved = W_active.llt().solve(rhs);
        gamma(active) = solved;
      }
      const VecX u = W * gamma + q;
      if (gamma.minCoeff() < 0 || u.minCoeff() < -1e-10) continue;
      ++found;
      EXPECT_LT((gamma - solution.gamma).norm(), 1e-9 * (1 + gamma.norm())) << trial;
    }
    EXPECT_GE(found, 1);
  }
}

// A table on four rigid legs, its centre of mass off the middle: physics leaves one number open,
// and the answer is that of equally stiff legs, the least norm, wherever the solver starts.
TEST(Compliant, RigidLegsShareAsEquallyStiffOnesDo) {
  // Rates: z, and turns about x and y; 8 kg with moments 1 and 2 kg m² falling at 0.1 m/s.
  const MatX M = Vec3(8, 1, 2).asDiagonal();
  OwnedProblem owned = MakeProblem(M, Vec3(-0.1, 0, 0), 0.01);
  const double legs[4][2] = {{0.5, 0.4}, {-0.3, 0.4}, {-0.3, -0.6}, {0.5, -0.6}};
  MatX G(4, 3);
  for (int i = 0; i < 4; ++i) G.row(i) << 1, legs[i][1], -legs[i][0];
  for (int i = 0; i < 4; ++i) AddGroup(Law::kUnilateral, G.row(i), &owned);
  const VecX load = -M * owned.problem.v_star;
  const VecX expected = G * (G.transpose() * G).ldlt().solve(load);
  ASSERT_GT(expected.minCoeff(), 0);
  for (const VecX& start : {VecX(), VecX(VecX::Zero(4)), VecX(Vec4(1, 2, 3, 4))}) {
    const Solution solution = SolveWith(owned, {}, start);
    EXPECT_EQ(solution.status, SolveStatus::kSolved);
    EXPECT_LT((solution.gamma - expected).norm(), 1e-6 * expected.norm());
    EXPECT_LT(solution.v1.norm(), 1e-14);
  }
}

}  // namespace
}  // namespace voigt
