// Contacts of four to six rows, against spin and rolling, on random problems: the audit, another
// method, and changes that must not matter.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/allocation_counter.h"
#include "tests/support/changed_problem.h"
#include "tests/support/dense_problem.h"
#include "tests/support/random_problem.h"
#include "voigt/audit/audit.h"
#include "voigt/formulations/compliant/compliant.h"
#include "voigt/formulations/compliant/problem_as_convex_program.h"
#include "voigt/kernels/block_gauss_seidel.h"
#include "voigt/kernels/islands.h"

namespace voigt {
namespace {

using testing::MakeRandomProblem;
using testing::RandomProblem;
using testing::RandomProblemOptions;

constexpr int kTurningProblems = 400;
constexpr double kTurningTolerance = 1e-13;

Solution SolveTurning(const VelocityProblem& problem, FrictionMode mode) {
  CompliantSettings settings;
  settings.friction = mode;
  settings.tolerance = kTurningTolerance;
  Compliant compliant(settings);
  Solution out;
  compliant.Solve(problem, VecX(), &out);
  return out;
}

double TurningDifference(const VecX& a, const VecX& b) {
  return (a - b).cwiseAbs().maxCoeff() / a.cwiseAbs().maxCoeff();
}

RandomProblemOptions Turning() {
  RandomProblemOptions options;
  options.turning_friction = true;
  return options;
}

class TurningFriction : public ::testing::TestWithParam<FrictionMode> {
 protected:
  FrictionMode mode() const { return GetParam(); }
};

TEST_P(TurningFriction, PassesTheAudit) {
  Auditor auditor;
  Audit audit;
  int sliding = 0, spinning = 0, rolling = 0, sticking = 0, solved = 0;
  for (int seed = 0; seed < kTurningProblems; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed, Turning());
    const VelocityProblem& problem = random.problem();
    const Solution solution = SolveTurning(problem, mode());
    // Coulomb's law has no convex program, and a few problems withstand.
    solved += solution.status == SolveStatus::kSolved;
    if (solution.status != SolveStatus::kSolved) continue;
    const std::vector<double> unknown(problem.groups.size(), kNaN);
    auditor.Calc(problem, solution.gamma, solution.v1, &random.v0, {mode(), unknown}, &audit);
    for (const AuditItem& item : ListItems(audit)) {
      EXPECT_TRUE(item.passes()) << "seed " << seed << ": " << item.name << " " << item.value;
    }
    for (const RowGroup& group : problem.groups) {
      if (group.law != Law::kContact || !(solution.gamma[group.first_row] > 0)) continue;
      for (const Disc& disc : group.discs()) {
        const int first = group.first_row + disc.first;
        const bool moves = auditor.law().u().segment(first, disc.count).norm() > 1e-6;
        sticking += !moves && disc.mu > 0;
        sliding += moves && disc.first == 1;
        spinning += moves && disc.first > 1 && disc.count == 1;
        rolling += moves && disc.first > 1 && disc.count == 2;
      }
    }
  }
  EXPECT_GE(solved,
            mode() == FrictionMode::kCoulomb ? 99 * kTurningProblems / 100 : kTurningProblems);
  for (const int count : {sliding, spinning, rolling, sticking}) EXPECT_GT(count, 20);
}

// Gauss–Seidel solves the same laws block by block and shares no more than the projections.
TEST_P(TurningFriction, AgreesWithGaussSeidel) {
  RandomProblemOptions options = Turning();
  options.max_contacts = 3;
  options.max_others = 1;
  options.max_mu = 0.5;
  options.allow_redundant = false;
  ProblemAsConvexProgram convex;
  BlockGaussSeidel method;
  GaussSeidelSettings settings;
  settings.tolerance = kTurningTolerance;
  settings.max_sweeps = 3000;
  GaussSeidelStats stats;
  int compared = 0, several = 0;
  for (int seed = 0; seed < kTurningProblems; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed, options);
    const VelocityProblem& problem = random.problem();
    const Solution solution = SolveTurning(problem, mode());
    convex.Update(problem, mode());
    ConvexProgram& program = convex.program();
    for (size_t g = 0; g < problem.groups.size(); ++g) {
      ConvexBlock& block = program.blocks[g];
      if (block.set != ConvexSet::kDisc) continue;
      if (mode() == FrictionMode::kCoulomb) block.set = ConvexSet::kCoulomb;
      if (mode() == FrictionMode::kLagged && block.has_friction()) {
        block.bound = solution.normal_bound[g];
      }
    }
    Islands islands;
    islands.Find(program);
    VecX v = problem.v_star, gamma = VecX::Zero(problem.row_count());
    bool converged = solution.status == SolveStatus::kSolved;
    for (int i = 0; i < islands.count(); ++i) {
      converged =
          method.Solve(program, islands.blocks(i), islands.ranges(i), settings, &v, &gamma, &stats)
              .converged &&
          converged;
    }
    if (!converged) continue;
    ++compared;
    const double difference = TurningDifference(solution.v1, v);
    if (mode() == FrictionMode::kCoulomb && difference > 1e-9) {
      ++several;  // solutions of one law, each judged elsewhere
    } else {
      EXPECT_LT(difference, 1e-9) << seed;
    }
  }
  EXPECT_GT(compared, 9 * kTurningProblems / 10);
  EXPECT_LE(several, compared / 100);
}

// The same problem without the rows behind the tangents.
OwnedProblem DropTurningRows(const OwnedProblem& original) {
  OwnedProblem out = original;
  VelocityProblem& problem = out.problem;
  problem.ClearRows();
  for (RowGroup group : original.problem.groups) {
    const RowGroup old = group;
    if (group.law == Law::kContact) group.row_count = std::min(group.row_count, 3);
    group.torsion = group.rolling = 0;
    group.first_row = problem.row_count();
    group.first_col = static_cast<int>(problem.cols.size());
    group.first_entry = static_cast<int>(problem.G.size());
    for (const int column : original.problem.cols_of(old)) problem.cols.push_back(column);
    for (int r = 0; r < group.row_count; ++r) {
      problem.rows.push_back(original.problem.rows[old.first_row + r]);
      const double* const entries = original.problem.entries(old, r);
      problem.G.insert(problem.G.end(), entries, entries + old.col_count);
    }
    problem.groups.push_back(group);
  }
  return out;
}

TEST_P(TurningFriction, OfNoLengthIsNone) {
  for (int seed = 0; seed < kTurningProblems / 4; ++seed) {
    RandomProblemOptions options = Turning();
    options.allow_redundant = false;
    RandomProblem random = MakeRandomProblem(seed, options);
    for (RowGroup& group : random.owned.problem.groups) group.torsion = group.rolling = 0;
    const OwnedProblem plain = DropTurningRows(random.owned);
    const Solution a = SolveTurning(random.problem(), mode()),
                   b = SolveTurning(plain.problem, mode());
    if (a.status != SolveStatus::kSolved || b.status != SolveStatus::kSolved) continue;
    EXPECT_LT(TurningDifference(a.v1, b.v1), 1e-9) << seed;
  }
}

TEST_P(TurningFriction, DoesNotDependOnTheTangents) {
  int different = 0;
  for (int seed = 0; seed < kTurningProblems / 4; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed, Turning());
    const OwnedProblem turned = testing::TurnTangents(random.owned, 0.1 + seed);
    const Solution a = SolveTurning(random.problem(), mode()),
                   b = SolveTurning(turned.problem, mode());
    different += !(TurningDifference(a.v1, b.v1) < 1e-9);
  }
  EXPECT_LE(different, mode() == FrictionMode::kCoulomb ? 1 : 0);
}

// Torques come in pairs, as forces do: linear momentum, and angular about the origin.
TEST_P(TurningFriction, KeepsMomentum) {
  RandomProblemOptions options = Turning();
  options.only_contacts_between_bodies = true;
  for (int seed = 0; seed < kTurningProblems / 4; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed, options);
    const Solution solution = SolveTurning(random.problem(), mode());
    const VecX change =
        random.owned.pattern.ToDense(random.owned.M) * (solution.v1 - random.problem().v_star);
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    for (size_t b = 0; b < random.centres.size(); ++b) {
      const Vec3 p = change.segment<3>(6 * b + 3);
      linear += p;
      angular += change.segment<3>(6 * b) + random.centres[b].cross(p);
    }
    const double scale =
        (random.owned.pattern.ToDense(random.owned.M) * solution.v1).cwiseAbs().maxCoeff();
    EXPECT_LT(linear.norm(), 1e-12 * scale) << seed;
    EXPECT_LT(angular.norm(), 1e-12 * scale) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, TurningFriction,
                         ::testing::Values(FrictionMode::kCoulomb, FrictionMode::kLagged,
                                           FrictionMode::kCone),
                         [](const auto& p) { return std::string(ToString(p.param)); });

// A plate on four rigid feet that has to tilt by a hair to be on all of them, which friction
// against rolling hinders: it tilts all the same, friction takes what it can, l_r of the pressure,
// and the feet do the rest. Rolling starts at rest, so that at first rows contradict each other.
TEST(TurningFrictionSolver, LetsAPlateTiltOntoItsFeet) {
  const double m = 2, I = 0.01, g = 9.81, h = 1e-3, a = 0.1, length = 1e-3;
  VecX inertia(6);
  inertia << m, m, m, I, I, 2 * I;
  for (const double tilt : {1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13}) {
    VecX v_star = VecX::Zero(6);
    v_star[2] = -h * g;
    OwnedProblem owned = testing::MakeProblem(inertia.asDiagonal(), v_star, h);
    for (const double x : {-a, a}) {
      for (const double y : {-a, a}) {
        MatX G = MatX::Zero(5, 6);
        G.row(0) << 0, 0, 1, y, -x, 0;
        G.row(1) << 1, 0, 0, 0, 0, -y;
        G.row(2) << 0, 1, 0, 0, 0, x;
        G(3, 3) = G(4, 4) = 1;
        RowGroup& group = testing::AddGroup(Law::kContact, G, &owned);
        group.mu = 0.5;
        group.rolling = length;
        owned.problem.rows[group.first_row].phi = tilt * (0.6 * y - 0.8 * x);
        SetUnilateralSpring({}, h, kInfinity, &owned.problem.rows[group.first_row]);
      }
    }
    const Solution solution = SolveTurning(owned.problem, FrictionMode::kCoulomb);
    EXPECT_EQ(solution.status, SolveStatus::kSolved) << tilt;
    EXPECT_LE(solution.stats.solved_by, Attempt::kInteriorPoint);
    // φ₁ = 0 at every foot.
    const Vec2 turn = solution.v1.segment<2>(3), wanted = -tilt / h * Vec2(0.6, 0.8);
    EXPECT_LT((turn - wanted).norm(), 1e-12 * h * g / a) << tilt;
    Vec2 friction = Vec2::Zero(), feet = Vec2::Zero();
    for (const RowGroup& group : owned.problem.groups) {
      friction += solution.gamma.segment<2>(group.first_row + 3);
      feet += solution.gamma[group.first_row] *
              Vec2(owned.problem.entries(group, 0)[3], owned.problem.entries(group, 0)[4]);
    }
    // Where it points is known as well as the turn.
    const Vec2 most = length * m * g * h * Vec2(0.6, 0.8);
    const double bound = 1e-12 * h * g / a / wanted.norm() * most.norm();
    EXPECT_LT((friction - most).norm(), bound) << tilt;
    EXPECT_LT((feet - (I * wanted - most)).norm(), bound) << tilt;
  }
}

TEST(TurningFrictionSolver, AllocatesNothingOnceWarm) {
  if (testing::CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  const RandomProblem random = MakeRandomProblem(5, Turning());
  Compliant compliant;
  Solution solution;
  for (int i = 0; i < 2; ++i) compliant.Solve(random.problem(), VecX(), &solution);
  const long before = testing::CountAllocations();
  compliant.Solve(random.problem(), VecX(), &solution);
  EXPECT_EQ(testing::CountAllocations(), before);
}

}  // namespace
}  // namespace voigt
