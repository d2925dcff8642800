// The two accuracies of a solution: what is accepted, and what methods aim at where that is cheap;
// and impulses of the last step that serve.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/all_digits.h"
#include "tests/support/dense_problem.h"
#include "tests/support/random_problem.h"
#include "tests/support/solve_with.h"
#include "voigt/audit/audit.h"
#include "voigt/audit/law_residual.h"
#include "voigt/formulations/compliant/compliant.h"
#include "voigt/problem/row_law.h"

namespace voigt {
namespace {

using testing::AllDigits;
using testing::JudgeSolution;
using testing::MakeRandomProblem;
using testing::RandomProblem;
using testing::SolveFrom;

// Most problems end at the aim, for Newton's method converges; what does not is accepted at the
// tolerance. The audit judges each by what was asked for.
TEST(Accuracies, SolutionsGoOnToTheAimWhereThatIsCheap) {
  constexpr int kProblems = 400;
  int judged = 0, at_aim = 0;
  for (int seed = 0; seed < kProblems; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed);
    const Solution solution = SolveFrom({}, random.problem());
    if (solution.status != SolveStatus::kSolved) continue;
    ++judged;
    EXPECT_LE(solution.residual, 1e-8) << seed;
    at_aim += solution.residual <= 1e-12;
    for (const AuditItem& item : ListItems(JudgeSolution(random.problem(), solution), 1e-8)) {
      EXPECT_TRUE(item.passes()) << "seed " << seed << ": " << item.name << ' ' << item.value;
    }
  }
  EXPECT_GE(judged, kProblems - 4);
  EXPECT_GE(at_aim, 0.9 * judged);
}

// A coarse answer costs no more steps than a fine one and is near it.
TEST(Accuracies, ACoarseToleranceIsCheaper) {
  constexpr int kProblems = 200;
  long coarse_steps = 0, fine_steps = 0;
  for (int seed = 0; seed < kProblems; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed);
    const Solution fine = SolveFrom({}, random.problem(), AllDigits<CompliantSettings>());
    CompliantSettings settings;
    settings.tolerance = settings.aim = 1e-3;
    const Solution coarse = SolveFrom({}, random.problem(), settings);
    coarse_steps += coarse.stats.newton_iterations;
    fine_steps += fine.stats.newton_iterations;
    if (fine.status == SolveStatus::kSolved) {
      EXPECT_EQ(coarse.status, SolveStatus::kSolved) << seed;
      EXPECT_LE(fine.residual, 1e-12) << seed;
    }
    EXPECT_LT(ListItems(JudgeSolution(random.problem(), coarse), 1e-3)[0].value, 1e-3) << seed;
  }
  EXPECT_LT(coarse_steps, 0.95 * fine_steps);
}

// The same two numbers for all formulations.
TEST(Accuracies, HoldForAllFormulations) {
  constexpr int kProblems = 40;
  for (const FormulationKind kind : testing::ListKindsWithLaws()) {
    int solved = 0;
    for (int seed = 0; seed < kProblems; ++seed) {
      const RandomProblem random = MakeRandomProblem(seed);
      FormulationSettings settings;
      settings.kind = kind;
      Solution solution;
      MakeFormulation(settings)->Solve(random.problem(), VecX(), &solution);
      EXPECT_EQ(solution.tolerance, 1e-8);
      if (!IsSolved(solution.status)) continue;
      ++solved;
      EXPECT_LE(solution.residual, 1e-8) << ToString(kind) << ' ' << seed;
    }
    EXPECT_GE(solved, 0.9 * kProblems) << ToString(kind);
  }
}

// A plate of 2 kg on four rigid feet, pressed down: three feet would do.
constexpr double kMass = 2, kStep = 1e-3, kLength = 0.3, kWidth = 0.2, kMu = 0.5;

OwnedProblem MakePlate(const Vec3& velocity) {
  MatX M = MatX::Identity(6, 6) * kMass;
  for (int k = 0; k < 3; ++k) M(k, k) = 0.02 + 0.01 * k;
  VecX v_star(6);
  v_star << Vec3::Zero(), velocity - 9.81 * kStep * Vec3::UnitZ();
  OwnedProblem owned = testing::MakeProblem(M, v_star, kStep);
  for (const double x : {-kLength, kLength}) {
    for (const double y : {-kWidth, kWidth}) {
      MatX G(3, 6);
      int row = 0;
      for (const Vec3& direction :
           {Vec3(Vec3::UnitZ()), Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY())}) {
        G.row(row++) << Vec3(x, y, -0.02).cross(direction).transpose(), direction.transpose();
      }
      RowGroup& group = testing::AddGroup(Law::kContact, G, &owned);
      group.mu = kMu;
    }
  }
  return owned;
}

// The feet's normal impulses.
Eigen::Vector4d Normals(const Solution& solution) {
  Eigen::Vector4d out;
  for (int foot = 0; foot < 4; ++foot) out[foot] = solution.gamma[3 * foot];
  return out;
}

// Loads of feet that could be shared in more than one way do not depend on how the last step shared
// them; nor does the motion. Impulses that meet the law cost a few steps of Newton's method.
TEST(Accuracies, LastImpulsesServeAndAreSharedEvenly) {
  for (const double slip : {0.0, 1.0}) {
    const OwnedProblem plate = MakePlate({slip, 0, 0});
    const Solution cold = SolveFrom({}, plate.problem);
    ASSERT_EQ(cold.status, SolveStatus::kSolved);
    const Eigen::Vector4d even = Normals(cold);
    const double weight = even.sum();
    EXPECT_NEAR(weight, kMass * 9.81 * kStep, 1e-12 * weight);

    VecX uneven = cold.gamma;
    const double sign[] = {1, -1, -1, 1};
    for (int foot = 0; foot < 4; ++foot) {
      const double part = 1 + 0.3 * sign[foot] * even.minCoeff() / even[foot];
      uneven.segment<3>(3 * foot) *= part;
    }
    const Solution warm = SolveFrom(uneven, plate.problem);
    ASSERT_EQ(warm.status, SolveStatus::kSolved) << slip;
    EXPECT_LT((warm.v1 - cold.v1).norm(), 1e-11 * std::max(slip, 9.81 * kStep)) << slip;
    EXPECT_LT((Normals(warm) - even).norm(), 1e-6 * weight) << slip;
    EXPECT_LE(warm.stats.newton_iterations, 6) << slip;
    EXPECT_LE(warm.stats.solved_by, Attempt::kLocalSweeps) << slip;
  }
}

// Two feet of four can carry the plate; after some steps all do.
TEST(Accuracies, LoadsBecomeEvenStepByStep) {
  const OwnedProblem plate = MakePlate(Vec3::Zero());
  const Eigen::Vector4d even = Normals(SolveFrom({}, plate.problem));
  VecX gamma = VecX::Zero(12);
  gamma[0] = gamma[9] = 0.5 * even.sum();
  ASSERT_LE(LawResidual().Calc(plate.problem, gamma), 1e-12);
  int steps = 0;
  for (; steps < 30; ++steps) {
    const Solution solution = SolveFrom(gamma, plate.problem);
    ASSERT_EQ(solution.status, SolveStatus::kSolved);
    EXPECT_LE(solution.stats.newton_iterations, 6);
    gamma = solution.gamma;
    if ((Normals(solution) - even).norm() < 1e-6 * even.sum()) break;
  }
  EXPECT_LT(steps, 30);
}

// A foot that is off the ground by less than what is accepted carries its share; to all digits it
// does not touch, and three feet carry the plate.
TEST(Accuracies, GapsBelowWhatIsAcceptedAskForNothing) {
  OwnedProblem plate = MakePlate({1, 0, 0});
  const Eigen::Vector4d even = Normals(SolveFrom({}, plate.problem));
  constexpr double kGap = 2e-12;  // m, 2e-9 m/s
  Row& row = plate.problem.rows[0];
  row.phi = kGap;
  SetSpring({}, kStep, &row);
  ASSERT_NEAR(row.v_hat, -kGap / kStep, 1e-20);

  const Solution coarse = SolveFrom({}, plate.problem);
  EXPECT_EQ(coarse.status, SolveStatus::kSolved);
  EXPECT_LT((Normals(coarse) - even).norm(), 1e-6 * even.sum());
  EXPECT_LE(coarse.residual, 1e-8);
  EXPECT_GE(coarse.residual, 1e-9);  // the gap counts

  const Solution fine = SolveFrom({}, plate.problem, AllDigits<CompliantSettings>());
  EXPECT_EQ(fine.status, SolveStatus::kSolved);
  EXPECT_LT(Normals(fine)[0], 1e-3 * even.sum());
  EXPECT_LT((fine.v1 - coarse.v1).norm(), 1e-7);

  // Gaps that are larger count, whatever the accuracy.
  row.phi = 1e-9;
  SetSpring({}, kStep, &row);
  EXPECT_LT(Normals(SolveFrom({}, plate.problem))[0], 1e-3 * even.sum());
}

// A heavy body whose friction moves what is light: what the gap asks for would be off by ten times
// as much along the floor, and so it counts.
TEST(Accuracies, GapsThatFrictionMakesMuchOfCount) {
  MatX M = MatX::Zero(3, 3);
  M.diagonal() << 0.1, 0.1, 100;
  OwnedProblem owned = testing::MakeProblem(M, Vec3(1, 0, -9.81 * kStep), kStep);
  MatX G = MatX::Zero(3, 3);
  G(0, 2) = G(1, 0) = G(2, 1) = 1;
  testing::AddGroup(Law::kContact, G, &owned).mu = 0.01;
  Row& row = owned.problem.rows[0];
  row.phi = 2e-12;
  SetSpring({}, kStep, &row);

  const Solution solution = SolveFrom({}, owned.problem);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_LE(JudgeSolution(owned.problem, solution).law, 1e-8);
  EXPECT_NEAR(solution.v1[2], row.v_hat, 1e-8);
}

}  // namespace
}  // namespace voigt
