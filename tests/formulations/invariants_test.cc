// What every step must satisfy, on thousands of random problems: the residual of the law, momentum,
// signs, cones, energy; and changes of a problem that must not change its motion.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "tests/support/changed_problem.h"
#include "tests/support/random_problem.h"
#include "voigt/audit/audit.h"
#include "voigt/formulations/compliant/compliant.h"

namespace voigt {
namespace {

using testing::MakeRandomProblem;
using testing::RandomProblem;
using testing::RandomProblemOptions;

constexpr int kInvariantProblems = 1200;
constexpr double kTolerance = 1e-13;  // of the solver: the audit's scale is not quite the same
constexpr double kIllConditioned = 1e-9;

Solution SolveIn(const VelocityProblem& problem, FrictionMode mode, const VecX& start = VecX()) {
  CompliantSettings settings;
  settings.friction = mode;
  settings.tolerance = kTolerance;
  Compliant compliant(settings);
  Solution out;
  compliant.Solve(problem, start, &out);
  return out;
}

class Invariants : public ::testing::TestWithParam<FrictionMode> {
 protected:
  FrictionMode mode() const { return GetParam(); }

  // How much a change of the problem changed its motion, relative.
  static double Difference(const Solution& a, const Solution& b) {
    return (a.v1 - b.v1).cwiseAbs().maxCoeff() / a.v1.cwiseAbs().maxCoeff();
  }

  // To the tolerance, but for a few problems: velocities follow from residuals of 1e-13 by way of
  // the problem's condition. Coulomb's law may also have several solutions, or withstand the
  // solver.
  void ExpectSameMotion(int seed, const VelocityProblem& original, const VelocityProblem& changed,
                        const Solution& a, const Solution& b, double tolerance) {
    ++compared_;
    if (a.status != SolveStatus::kSolved || b.status != SolveStatus::kSolved) {
      EXPECT_EQ(mode(), FrictionMode::kCoulomb) << "seed " << seed << ": convex, but not solved";
      ++unsolved_;
      return;
    }
    const double difference = Difference(a, b);
    if (difference <= tolerance) return;
    if (difference <= kIllConditioned) {
      ++ill_conditioned_;
      return;
    }
    if (mode() != FrictionMode::kCoulomb) {
      ADD_FAILURE() << "seed " << seed << ": velocities differ by " << difference;
      return;
    }
    ++several_;
    EXPECT_LT(law_.Calc(original, a.gamma), 1e-12) << seed;
    EXPECT_LT(law_.Calc(changed, b.gamma), 1e-12) << seed;
  }

  void TearDown() override {
    EXPECT_LE(ill_conditioned_, 2 * compared_ / 100);
    EXPECT_LE(several_, compared_ / 100);
    EXPECT_LE(unsolved_, compared_ / 200);
  }

  LawResidual law_;
  int compared_ = 0, unsolved_ = 0, ill_conditioned_ = 0, several_ = 0;
};

TEST_P(Invariants, HoldOnRandomProblems) {
  Auditor auditor;
  Audit audit;
  for (int seed = 0; seed < kInvariantProblems; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed);
    const Solution solution = SolveIn(random.problem(), mode());
    EXPECT_EQ(solution.status, SolveStatus::kSolved) << seed;
    // Which normal impulse bounded the friction of a lagged step is for the solver to choose.
    const std::vector<double> unknown(random.problem().groups.size(), kNaN);
    auditor.Calc(random.problem(), solution.gamma, solution.v1, &random.v0, {mode(), unknown},
                 &audit);
    for (const AuditItem& item : ListItems(audit)) {
      EXPECT_TRUE(item.passes()) << "seed " << seed << ": " << item.name << " " << item.value;
    }
  }
}

// Force laws may be as steep as they like: the normal impulse, and the disc that it opens, are then
// only as good as the slope times the error of the velocity.
TEST_P(Invariants, HoldWithForceLaws) {
  RandomProblemOptions options;
  options.force_laws = true;
  Auditor auditor;
  Audit audit;
  int solved = 0;
  const int count = kInvariantProblems / 4 * 3;
  for (int seed = 0; seed < count; ++seed) {
    options.turning_friction = seed >= kInvariantProblems / 2;
    const RandomProblem random = MakeRandomProblem(seed, options);
    const VelocityProblem& problem = random.problem();
    const Solution solution = SolveIn(problem, mode());
    EXPECT_TRUE(solution.gamma.allFinite()) << seed;
    if (solution.status != SolveStatus::kSolved) continue;
    ++solved;
    const std::vector<double> unknown(problem.groups.size(), kNaN);
    auditor.Calc(problem, solution.gamma, solution.v1, &random.v0, {mode(), unknown}, &audit);
    double steepness = 0;
    for (const RowGroup& group : problem.groups) {
      const int row = group.first_row;
      if (group.force_law.is_linear()) continue;
      const double slope = CalcForceLaw(group.force_law, auditor.law().phi_dot()[row],
                                        problem.rows[row].phi, problem.h)
                               .slope;
      steepness = std::max(steepness, slope * auditor.law().w()[row]);
    }
    for (const AuditItem& item : ListItems(audit)) {
      EXPECT_LE(item.value, std::max(item.tolerance, kTolerance * steepness))
          << "seed " << seed << ": " << item.name;
    }
  }
  EXPECT_GE(solved, 9 * count / 10);
}

TEST_P(Invariants, OrderOfRowsDoesNotMatter) {
  std::mt19937 random_order(1);
  RandomProblemOptions options;
  options.allow_redundant = false;
  for (int seed = 0; seed < kInvariantProblems; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed, options);
    std::vector<int> order(random.problem().groups.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random_order);
    const OwnedProblem changed = testing::PermuteGroups(random.owned, order);
    ExpectSameMotion(seed, random.problem(), changed.problem, SolveIn(random.problem(), mode()),
                     SolveIn(changed.problem, mode()), 1e-12);
  }
}

TEST_P(Invariants, RowsTwiceWithHalfTheStiffnessAreThoseRows) {
  for (int seed = 0; seed < kInvariantProblems; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed);
    const OwnedProblem changed = testing::DuplicateRows(random.owned);
    ExpectSameMotion(seed, random.problem(), changed.problem, SolveIn(random.problem(), mode()),
                     SolveIn(changed.problem, mode()), 1e-12);
  }
}

TEST_P(Invariants, TangentsMayBeTurned) {
  for (int seed = 0; seed < kInvariantProblems; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed);
    const OwnedProblem changed = testing::TurnTangents(random.owned, 0.1 + seed);
    ExpectSameMotion(seed, random.problem(), changed.problem, SolveIn(random.problem(), mode()),
                     SolveIn(changed.problem, mode()), 1e-10);
  }
}

TEST_P(Invariants, UnitsOfMassDoNotMatter) {
  for (int seed = 0; seed < kInvariantProblems; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed);
    const OwnedProblem changed = testing::ScaleMass(random.owned, 1e3);
    ExpectSameMotion(seed, random.problem(), changed.problem, SolveIn(random.problem(), mode()),
                     SolveIn(changed.problem, mode()), 1e-10);
  }
}

TEST_P(Invariants, TheStartDoesNotMatter) {
  std::mt19937 random_start(1);
  std::normal_distribution<double> normal;
  RandomProblemOptions options;
  options.allow_redundant = false;
  for (int seed = 0; seed < kInvariantProblems; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed, options);
    const VecX start =
        VecX::NullaryExpr(random.problem().row_count(), [&] { return normal(random_start); });
    ExpectSameMotion(seed, random.problem(), random.problem(), SolveIn(random.problem(), mode()),
                     SolveIn(random.problem(), mode(), start), 1e-9);
  }
}

TEST_P(Invariants, ContactsBetweenBodiesKeepTheirMomentum) {
  RandomProblemOptions options;
  options.only_contacts_between_bodies = true;
  for (int seed = 0; seed < kInvariantProblems; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed, options);
    const Solution solution = SolveIn(random.problem(), mode());
    // Of the change M (v₁ − v*): linear, and angular about the origin.
    const VecX change =
        random.owned.pattern.ToDense(random.owned.M) * (solution.v1 - random.problem().v_star);
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    for (size_t b = 0; b < random.centres.size(); ++b) {
      const Vec3 force = change.segment<3>(6 * b + 3);
      linear += force;
      angular += change.segment<3>(6 * b) + random.centres[b].cross(force);
    }
    const double scale =
        (random.owned.pattern.ToDense(random.owned.M) * solution.v1).cwiseAbs().maxCoeff();
    EXPECT_LT(linear.norm(), 1e-12 * scale) << seed;
    EXPECT_LT(angular.norm(), 1e-12 * scale) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, Invariants,
                         ::testing::Values(FrictionMode::kCoulomb, FrictionMode::kLagged,
                                           FrictionMode::kCone),
                         [](const auto& tested) { return std::string(ToString(tested.param)); });

// A step bounds its friction by the normal impulses that it remembers, if they still hold roughly.
TEST(LaggedFriction, IsBoundedByTheRememberedImpulse) {
  Auditor auditor;
  Audit audit;
  int judged = 0;
  for (int seed = 0; seed < kInvariantProblems; ++seed) {
    RandomProblem random = MakeRandomProblem(seed);
    VelocityProblem& problem = random.owned.problem;
    const Solution before = SolveIn(problem, FrictionMode::kCoulomb);
    for (RowGroup& group : problem.groups) group.lagged_impulse = before.gamma[group.first_row];
    const Solution solution = SolveIn(problem, FrictionMode::kLagged);
    EXPECT_EQ(solution.status, SolveStatus::kSolved) << seed;
    if (solution.stats.friction_passes > solution.stats.islands) continue;
    ++judged;
    auditor.Calc(problem, solution.gamma, solution.v1, &random.v0, {FrictionMode::kLagged}, &audit);
    for (const AuditItem& item : ListItems(audit)) {
      EXPECT_TRUE(item.passes()) << "seed " << seed << ": " << item.name << " " << item.value;
    }
  }
  EXPECT_GT(judged, kInvariantProblems / 2);
}

}  // namespace
}  // namespace voigt
