// Derivatives of the solution against differences of solutions, on random problems of all laws.

#include "voigt/formulations/compliant/sensitivity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/support/random_model.h"
#include "tests/support/random_problem.h"
#include "voigt/formulations/compliant/compliant.h"

namespace voigt {
namespace {

using testing::MakeRandomProblem;
using testing::Random;
using testing::RandomProblem;
using testing::RandomProblemOptions;
using testing::Uniform;

constexpr double kDifference = 1e-5;

CompliantSettings Settings(FrictionMode mode) {
  CompliantSettings settings;
  settings.friction = mode;
  settings.tolerance = 1e-14;
  return settings;
}

// Which laws are at which of their ends: differences across a switch mean nothing.
std::vector<int> FindModes(const VelocityProblem& problem, const VecX& gamma) {
  std::vector<int> modes;
  for (const RowGroup& group : problem.groups) {
    const auto impulses = gamma.segment(group.first_row, group.row_count);
    if (group.law == Law::kContact) {
      for (const Disc& disc : group.discs()) {
        const double radius = disc.mu * impulses[0];
        const double norm = impulses.segment(disc.first, disc.count).norm();
        modes.push_back(impulses[0] <= 0 ? 0 : norm < radius * (1 - 1e-9) ? 1 : 2);
      }
      continue;
    }
    for (int r = 0; r < group.row_count; ++r) {
      const Row& row = problem.rows[group.first_row + r];
      if (group.law == Law::kUnilateral) modes.push_back(impulses[r] > 0);
      if (group.law == Law::kBounded) {
        modes.push_back(impulses[r] <= row.lower ? 0 : impulses[r] < row.upper ? 1 : 2);
      }
    }
  }
  return modes;
}

void Apply(const Perturbation& change, double factor, VelocityProblem* problem) {
  problem->v_star += factor * change.dv_star;
  for (int i = 0; i < problem->row_count(); ++i) {
    Row& row = problem->rows[i];
    row.phi += factor * change.dphi[i];
    row.v_hat += factor * row.v_hat_slope * change.dphi[i];
  }
  for (size_t g = 0; g < problem->groups.size(); ++g) {
    problem->groups[g].mu += factor * change.dmu[g];
    problem->groups[g].torsion += factor * change.dtorsion[g];
    problem->groups[g].rolling += factor * change.drolling[g];
  }
}

// Which data change.
struct Part {
  bool v_star = true, phi = true, mu = true;
};

// Of the size of the problem's velocities.
Perturbation MakeChange(const VelocityProblem& problem, const Part& part, Random* random) {
  Perturbation out;
  const double speed = problem.v_star.cwiseAbs().maxCoeff();
  const auto draw = [&](bool is_on) { return is_on ? Uniform(random, -1, 1) : 0; };
  out.dv_star.resize(problem.nv());
  for (double& x : out.dv_star) x = speed * draw(part.v_star);
  out.dphi.resize(problem.row_count());
  for (double& x : out.dphi) x = problem.h * speed * draw(part.phi);
  for (VecX* list : {&out.dmu, &out.dtorsion, &out.drolling}) list->setZero(problem.groups.size());
  for (size_t g = 0; g < problem.groups.size(); ++g) {
    const RowGroup& group = problem.groups[g];
    if (group.mu > 0) out.dmu[g] = 0.1 * draw(part.mu);
    if (group.torsion > 0) out.dtorsion[g] = 0.1 * group.torsion * draw(part.mu);
    if (group.rolling > 0) out.drolling[g] = 0.1 * group.rolling * draw(part.mu);
  }
  return out;
}

class SensitivityTest : public ::testing::TestWithParam<FrictionMode> {
 protected:
  // The normal impulses of lagged friction are those that come out, so that one pass decides.
  RandomProblem MakeProblem(int seed, const RandomProblemOptions& options) {
    RandomProblem random = MakeRandomProblem(seed, options);
    if (GetParam() != FrictionMode::kLagged) return random;
    Compliant coulomb(Settings(FrictionMode::kCoulomb));
    Solution solution;
    coulomb.Solve(random.problem(), VecX(), &solution);
    for (RowGroup& group : random.owned.problem.groups) {
      group.lagged_impulse = solution.gamma[group.first_row];
    }
    return random;
  }

  // The error of the derivative, or NaN where differences tell nothing: across switches, of
  // problems that are not solved, and where those of two lengths do not agree, be it by curvature,
  // by what the solver's tolerance leaves, or by a kink that the modes do not show.
  double CalcError(const VelocityProblem& problem, const Perturbation& change) {
    Compliant compliant(Settings(GetParam()));
    Solution at[5], here;
    for (int i = 0; i < 5; ++i) {
      VelocityProblem moved = problem;
      Apply(change, (i - 2) * kDifference, &moved);
      compliant.Solve(moved, VecX(), &at[i]);
      if (at[i].status != SolveStatus::kSolved) return kNaN;
      if (FindModes(moved, at[i].gamma) != FindModes(problem, at[0].gamma)) return kNaN;
    }
    VecX dv1;
    compliant.Solve(problem, VecX(), &here);
    EXPECT_TRUE(compliant.CalcDerivative(problem, here, change, &dv1));
    const VecX difference = (at[3].v1 - at[1].v1) / (2 * kDifference);
    const VecX longer = (at[4].v1 - at[0].v1) / (4 * kDifference);
    const VecX forward = (at[3].v1 - at[2].v1) / kDifference;
    const double scale = problem.v_star.cwiseAbs().maxCoeff() + difference.cwiseAbs().maxCoeff();
    const auto distance = [&](const VecX& other) {
      return (other - difference).cwiseAbs().maxCoeff() / scale;
    };
    if (distance(longer) > 1e-7 || distance(forward) > 1e-4) return kNaN;
    return distance(dv1);
  }

  void ExpectDerivatives(const RandomProblemOptions& options, const Part& part, double share) {
    Random random(3);
    int compared = 0;
    const int count = 300;
    for (int seed = 0; seed < count; ++seed) {
      const RandomProblem problem = MakeProblem(seed, options);
      const Perturbation change = MakeChange(problem.problem(), part, &random);
      const double error = CalcError(problem.problem(), change);
      if (std::isnan(error)) continue;
      ++compared;
      EXPECT_LT(error, 1e-6) << "seed " << seed;
    }
    EXPECT_GT(compared, share * count);
  }
};

RandomProblemOptions Plain() {
  RandomProblemOptions options;
  options.allow_redundant = false;
  return options;
}

TEST_P(SensitivityTest, OfTheFreeVelocity) {
  ExpectDerivatives(Plain(), {true, false, false}, 0.5);
}

// Gaps that rigid rows cannot follow all at once have no derivative: soft rows.
TEST_P(SensitivityTest, OfGaps) {
  RandomProblemOptions options = Plain();
  options.allow_rigid = false;
  options.max_stiffness = 1e6;
  ExpectDerivatives(options, {false, true, false}, 0.5);
}

TEST_P(SensitivityTest, OfFriction) { ExpectDerivatives(Plain(), {false, false, true}, 0.5); }

TEST_P(SensitivityTest, OfAllTogetherWithFewRigidContacts) {
  RandomProblemOptions options = Plain();
  options.max_contacts = 2;
  options.max_others = 0;
  ExpectDerivatives(options, {}, 0.5);
}

TEST_P(SensitivityTest, OfForceLaws) {
  RandomProblemOptions options = Plain();
  options.max_contacts = 2;
  options.max_others = 0;
  options.force_laws = true;
  ExpectDerivatives(options, {}, 0.3);
}

TEST_P(SensitivityTest, OfTorsionAndRolling) {
  RandomProblemOptions options = Plain();
  options.max_contacts = 2;
  options.max_others = 0;
  options.turning_friction = true;
  ExpectDerivatives(options, {false, false, true}, 0.4);
  ExpectDerivatives(options, {}, 0.4);
  options.force_laws = true;
  ExpectDerivatives(options, {}, 0.25);
}

// What one factor gives for many changes is what each gets alone, to the last bit.
TEST_P(SensitivityTest, OfManyChangesAtOnce) {
  Random random(5);
  RandomProblemOptions options = Plain();
  options.turning_friction = options.force_laws = true;
  for (int seed = 0; seed < 40; ++seed) {
    const RandomProblem drawn = MakeProblem(seed, options);
    const VelocityProblem& problem = drawn.problem();
    std::vector<Perturbation> changes;
    for (int i = 0; i < 4; ++i) changes.push_back(MakeChange(problem, {}, &random));
    changes.push_back({});
    Compliant compliant(Settings(GetParam()));
    Solution solution;
    compliant.Solve(problem, VecX(), &solution);
    MatX together;
    if (!compliant.CalcDerivatives(problem, solution, changes, &together)) continue;
    ASSERT_EQ(together.cols(), 5);
    EXPECT_EQ(together.col(4), VecX::Zero(problem.nv()));
    for (int i = 0; i < 5; ++i) {
      VecX alone;
      ASSERT_TRUE(compliant.CalcDerivative(problem, solution, changes[i], &alone));
      EXPECT_EQ(together.col(i), alone) << "seed " << seed << ", change " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, SensitivityTest,
                         ::testing::Values(FrictionMode::kCoulomb, FrictionMode::kLagged,
                                           FrictionMode::kCone),
                         [](const auto& p) { return std::string(ToString(p.param)); });

// A block that slides keeps all of a push along its way, and loses h g per unit of friction; one
// that sticks does not feel the push.
TEST(Sensitivity, OfASlidingBlock) {
  OwnedProblem owned;
  owned.pattern = TreePattern({-1, -1, -1});
  owned.M = VecX::Constant(3, 2.0);
  VelocityProblem& problem = owned.problem;
  const double h = 0.01, g = 9.81, mu = 0.3;
  problem.h = h;
  owned.Attach();
  RowGroup group;
  group.law = Law::kContact;
  group.row_count = group.col_count = 3;
  group.mu = mu;
  problem.groups = {group};
  problem.cols = {0, 1, 2};
  problem.rows.resize(3);
  SetUnilateralSpring({}, h, 1, &problem.rows[0]);
  problem.G = {0, 0, 1, 1, 0, 0, 0, 1, 0};
  for (const double speed : {1.0, 0.01}) {
    problem.v_star = Vec3(speed, 0, -h * g);
    Compliant compliant;
    Solution solution;
    compliant.Solve(problem, VecX(), &solution);
    const bool slides = speed == 1;
    VecX dv1;
    Perturbation change;
    change.dv_star = Vec3(1, 0, 0);
    ASSERT_TRUE(compliant.CalcDerivative(problem, solution, change, &dv1));
    EXPECT_LT((dv1 - Vec3(slides, 0, 0)).norm(), 1e-14);
    // The slip turns: what is across it shrinks like the speed.
    change.dv_star = Vec3(0, 1, 0);
    ASSERT_TRUE(compliant.CalcDerivative(problem, solution, change, &dv1));
    EXPECT_LT((dv1 - Vec3(0, slides ? 1 - mu * h * g / speed : 0, 0)).norm(), 1e-14);
    // A harder landing makes more friction.
    change.dv_star = Vec3(0, 0, -1);
    ASSERT_TRUE(compliant.CalcDerivative(problem, solution, change, &dv1));
    EXPECT_LT((dv1 - Vec3(slides ? -mu : 0, 0, 0)).norm(), 1e-14);
    change = {};
    change.dmu = VecX::Ones(1);
    ASSERT_TRUE(compliant.CalcDerivative(problem, solution, change, &dv1));
    EXPECT_LT((dv1 - Vec3(slides ? -h * g : 0, 0, 0)).norm(), 1e-14);
    // Rigid contacts close their gaps within the step.
    change = {};
    change.dphi = Vec3(1, 0, 0);
    ASSERT_TRUE(compliant.CalcDerivative(problem, solution, change, &dv1));
    EXPECT_NEAR(dv1[2], -1 / h, 1e-10);
  }
}

}  // namespace
}  // namespace voigt
