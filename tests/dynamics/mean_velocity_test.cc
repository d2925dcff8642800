#include "voigt/dynamics/mean_velocity.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/random_model.h"
#include "tests/support/scenes.h"
#include "voigt/dynamics/free_velocity.h"
#include "voigt/dynamics/momentum_energy.h"
#include "voigt/model/model_builder.h"
#include "voigt/steppers/adaptive.h"
#include "voigt/steppers/integrate.h"

namespace voigt {
namespace {

// A random tree without any force, so that inertia alone moves it.
Model ForceFreeTree(testing::Random* random) {
  testing::RandomTreeOptions options;
  options.max_dofs = 20;
  ModelSpec spec = testing::MakeRandomTree(random, options).spec();
  spec.gravity.setZero();
  return ModelBuilder(spec).Build();
}

VecX MeanVelocityOf(const Model& model, const State& state, double h) {
  Configuration start(model);
  EXPECT_TRUE(start.Update(model, state.q));
  FreeVelocity free(model);
  EXPECT_TRUE(free.Update(model, start, state, VecX(), h));
  start.SetRates(model, state.v);
  MeanVelocity mean(model);
  mean.Update(model, start, state.v, h, [&](VecX* x) { free.Solve(model, start, x); });
  return mean.v();
}

// Following v̂ for h misses the true path by O(h³); following v₁ would miss it by O(h²).
TEST(MeanVelocity, FollowsThePathOfInertiaToSecondOrder) {
  int judged = 0;
  for (int seed = 0; seed < 40; ++seed) {
    testing::Random random(seed);
    const Model model = ForceFreeTree(&random);
    const State state = testing::MakeRandomState(model, &random);
    const auto error = [&](double h) {
      State reference = state;
      EXPECT_TRUE(AdaptiveIntegrator(model).AdvanceTo(h, &reference));
      VecX q = state.q;
      IntegratePositions(model, MeanVelocityOf(model, state, h), h, &q);
      NormalizePositions(model, &q);
      return (q - reference.q).norm();
    };
    const double coarse = error(2e-3), fine = error(1e-3);
    if (fine < 1e-12) continue;  // nothing but rounding
    ++judged;
    EXPECT_NEAR(std::log2(coarse / fine), 3, 0.1) << "seed " << seed;
  }
  EXPECT_GT(judged, 30);
}

// What inertia does to a tree that cannot be told is left out, of that tree alone.
TEST(MeanVelocity, IsFiniteWhereNoResponseIs) {
  const Scene scene = ParseScene(R"(
bodies: [{name: a, mass: 1, inertia: [1, 2, 2.5]}, {name: b, mass: 1, inertia: [1, 2, 2.5]}]
joints: [{name: ja, type: free, child: a}, {name: jb, type: free, child: b}]
)",
                                 "bodies");
  const Model& model = scene.model;
  Configuration start(model);
  ASSERT_TRUE(start.Update(model, scene.initial.q));
  const VecX v = VecX::LinSpaced(12, 1, 2);
  start.SetRates(model, v);
  MeanVelocity mean(model);
  mean.Update(model, start, v, 0.1, [&](VecX* x) {
    start.factor().Solve(model.tree().pattern, *x);
    (*x)[4] = kNaN;
  });
  EXPECT_EQ(mean.v().head(6), v.head(6));
  EXPECT_TRUE(mean.v().allFinite());
  EXPECT_GT((mean.v() - v).tail(6).norm(), 1e-3);
}

// Free spheres go straight, to the last bit and without a look at the rest; what turns about
// another point than its centre of mass, or has an axis, does not.
TEST(MeanVelocity, OfRoundBodiesIsTheirVelocity) {
  const auto move = [](const std::vector<std::string>& bodies, const VecX& v) {
    std::string text = "gravity: [0, 0, 0]\nbodies:\n", joints = "joints:\n";
    for (size_t i = 0; i < bodies.size(); ++i) {
      text += fmt::format("  - {{name: b{}, mass: 2, {}}}\n", i, bodies[i]);
      joints += fmt::format("  - {{name: j{}, type: free, child: b{}}}\n", i, i);
    }
    const Scene scene = ParseScene(text + joints, "bodies");
    State state = scene.initial;
    state.v = v;
    return MeanVelocityOf(scene.model, state, 0.01);
  };
  const std::string ball = "inertia: [0.1, 0.1, 0.1]", rod = "inertia: [0.1, 0.2, 0.25]";
  const std::string off = "com: [0.1, 0, 0], inertia: [0.1, 0.1, 0.1]";
  VecX one(6), two(12);
  one << 1, 2, 3, 4, 5, 6;
  two << one, one;
  EXPECT_EQ(move({ball}, one), one);
  for (const std::string& other : {rod, off}) {
    const VecX v = move({ball, other}, two);
    EXPECT_EQ(v.head(6), one);
    EXPECT_GT((v.tail(6) - one).norm(), 1e-3);
    EXPECT_EQ(v.tail(6), move({other}, one));
  }
}

TEST(MeanVelocity, NeverMoreThanDoublesTheVelocity) {
  for (int seed = 0; seed < 40; ++seed) {
    testing::Random random(seed);
    const Model model = ForceFreeTree(&random);
    State state = testing::MakeRandomState(model, &random);
    state.v *= 100;
    Kinematics kin(model);
    const auto length = [&](const VecX& v) {
      UpdatePositions(model, state.q, &kin);
      UpdateVelocities(model, v, &kin);
      return std::sqrt(CalcKineticEnergy(model, kin, v));
    };
    const VecX change = MeanVelocityOf(model, state, 0.1) - state.v;
    EXPECT_LE(length(change), length(state.v) * (1 + 1e-9)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace voigt
