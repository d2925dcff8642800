// Random contact problems, judged by the natural map, and with other methods beside it.

#include "voigt/kernels/interior_point.h"

#include <gtest/gtest.h>

#include "tests/support/random_problem.h"
#include "voigt/formulations/compliant/compliant.h"
#include "voigt/formulations/compliant/island_scales.h"
#include "voigt/formulations/compliant/problem_as_convex_program.h"
#include "voigt/kernels/islands.h"
#include "voigt/kernels/natural_newton.h"

namespace voigt {
namespace {

// Runs the method on every island of a problem.
class Solver {
 public:
  Solver(const VelocityProblem& problem, ConvexSet set) {
    convex_.Update(problem, FrictionMode::kCone);
    for (ConvexBlock& block : convex_.program().blocks) {
      if (IsCoupled(block.set)) block.set = set;
    }
    v_ = problem.v_star;
    gamma_.setZero(problem.row_count());
  }

  // The largest natural residual relative to the velocities; negative where it does not apply.
  double Solve() {
    ConvexProgram& program = convex_.program();
    Islands islands;
    islands.Find(program);
    ws_.Resize(program);
    double worst = 0;
    for (int i = 0; i < islands.count(); ++i) {
      NewtonMatrix matrix;
      RowIndependence independence;
      matrix.Analyze(program, islands.blocks(i), islands.ranges(i), MatrixKind::kAuto);
      const IslandView island{program, islands.blocks(i), islands.ranges(i), &matrix,
                              &independence};
      if (!InteriorPoint::Applies(island)) return -1;
      IslandScales scales;
      scales.Update(program, island.blocks, &ws_.S);
      scales.SetFloor(program, island.blocks, 1e-8, &ws_.R);
      InteriorPointSettings settings;
      settings.scale = scales.CalcVelocity(program, island.blocks, gamma_, ws_.S).value();
      const InteriorPointResult result =
          interior_point_.Solve(island, settings, &v_, &gamma_, &ws_, &stats_);
      if (!std::isfinite(result.residual)) continue;  // no contacts
      settings.scale = scales.CalcVelocity(program, island.blocks, gamma_, ws_.S).value();
      EXPECT_EQ(CalcNaturalResidual(island, &v_, gamma_, &ws_), result.residual);
      worst = std::max(worst, result.residual / settings.scale);
    }
    return worst;
  }

  const VecX& v() const { return v_; }
  const VecX& gamma() const { return gamma_; }
  const NewtonStats& stats() const { return stats_; }

 private:
  ProblemAsConvexProgram convex_;
  NewtonWorkspace ws_;
  InteriorPoint interior_point_;
  NewtonStats stats_;
  VecX v_, gamma_;
};

// Contacts alone; with one disc each, or with two or three.
class InteriorPointOn : public ::testing::TestWithParam<bool> {
 protected:
  static testing::RandomProblem MakeContacts(int seed) {
    testing::RandomProblemOptions options;
    options.max_others = 0;
    options.turning_friction = GetParam();
    return testing::MakeRandomProblem(seed, options);
  }
};

// Cones are convex: what it finds is what the minimum is. Where a contact is about to part, the way
// to the last digits is long, which is left to Newton's method on the natural map.
TEST_P(InteriorPointOn, FindsTheMinimumOverCones) {
  int count = 0, near = 0;
  for (int seed = 0; seed < 600; ++seed) {
    const auto random = MakeContacts(seed);
    Solver solver(random.problem(), ConvexSet::kCone);
    const double residual = solver.Solve();
    if (residual < 0) continue;
    ++count;
    if (residual > 1e-5) continue;
    ++near;
    CompliantSettings settings;
    settings.friction = FrictionMode::kCone;
    Compliant compliant(settings);
    Solution other;
    compliant.Solve(random.problem(), {}, &other);
    if (other.status != SolveStatus::kSolved) continue;
    const VecX difference = solver.v() - other.v1;
    EXPECT_LT(difference.lpNorm<Eigen::Infinity>(), 1e-3 * (1 + other.v1.lpNorm<Eigen::Infinity>()))
        << seed;
  }
  EXPECT_GT(count, 100);
  EXPECT_GE(near, (GetParam() ? 95 : 97) * count / 100) << near << " of " << count;
}

// The law is not convex: some of it takes other methods.
TEST_P(InteriorPointOn, MeetsTheCoulombLaw) {
  int count = 0, near = 0;
  for (int seed = 0; seed < 600; ++seed) {
    const auto random = MakeContacts(seed);
    Solver solver(random.problem(), ConvexSet::kCoulomb);
    const double residual = solver.Solve();
    if (residual < 0) continue;
    ++count;
    near += residual < 1e-5;
  }
  EXPECT_GT(count, 100);
  EXPECT_GE(near, 95 * count / 100) << near << " of " << count;
}

std::string NameOfContacts(const ::testing::TestParamInfo<bool>& info) {
  return info.param ? "WithSeveralDiscs" : "WithOneDisc";
}

INSTANTIATE_TEST_SUITE_P(Contacts, InteriorPointOn, ::testing::Bool(), NameOfContacts);

}  // namespace
}  // namespace voigt
