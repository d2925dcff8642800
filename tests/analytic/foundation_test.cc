// A cube on an elastic foundation [Drumwright 2019, §5.5] beside the same springs integrated
// explicitly and beside their equilibrium. The errors to expect of the implicit law were computed
// independently.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "tests/support/foundation_scene.h"

namespace voigt {
namespace {

using testing::FoundationCase;
using testing::PoseVector;

// Errors of the pose after one second at h = 0.01 and 0.001, to a fifth of what is expected.
void ExpectErrors(const FoundationCase& c, const PoseVector& reference, double coarse,
                  double fine) {
  const double error_coarse = (testing::RunFoundationScene(c, 0.01) - reference).norm();
  const double error_fine = (testing::RunFoundationScene(c, 0.001) - reference).norm();
  EXPECT_LT(error_coarse, 1.2 * coarse);
  EXPECT_GT(error_coarse, coarse / 1.2);
  EXPECT_LT(error_fine, 1.2 * fine);
  EXPECT_GT(error_fine, fine / 1.2);
}

PoseVector RestAfterOneSecond(const FoundationCase& c) {
  return FindFoundationRest(c, c.LoadPoint(1)).pose;
}

TEST(Foundation, ErrsAsTheImplicitLawDoes) {
  const FoundationCase light{10, 1e7, 5}, heavy{10, 1e7, 50};
  ExpectErrors(light, IntegrateFoundation(light, 1), 1.38e-7, 5.2e-8);
  ExpectErrors(heavy, IntegrateFoundation(heavy, 1), 1.53e-6, 2.2e-7);
}

TEST(LongFoundation, ErrsAsTheImplicitLawDoesWithManyElements) {
  const FoundationCase light{30, 1e7, 5}, heavy{30, 1e7, 50};
  ExpectErrors(light, IntegrateFoundation(light, 1), 1.50e-7, 1.5e-8);
  ExpectErrors(heavy, IntegrateFoundation(heavy, 1), 1.56e-6, 1.5e-7);
}

// Vibrations of 1e5 rad/s die at once in steps that do not see them, and what remains is how far
// the law lags behind the load.
TEST(Foundation, LagsBehindItsRestAsTheImplicitLawDoesWhenStiff) {
  for (int per_side : {10, 30}) {
    const FoundationCase light{per_side, 1e11, 5}, heavy{per_side, 1e11, 50};
    ExpectErrors(light, RestAfterOneSecond(light), 1.50e-11, 1.5e-12);
    ExpectErrors(heavy, RestAfterOneSecond(heavy), 1.56e-10, 1.6e-11);
  }
}

// With 100 dampers the true motion still vibrates after a second, by more than the finer step errs.
TEST(LongFoundation, ErrsByTheVibrationsThatItDampsWhenStiff) {
  const FoundationCase light{10, 1e11, 5};
  ExpectErrors(light, IntegrateFoundation(light, 1, 1e-9), 1.50e-11, 3.0e-12);
}

// Under 50 N they lift elements off at each turn, and the last digits of any integration decide
// their phase: errors are known to 6e-11 only.
TEST(LongFoundation, ErrsByNoMoreThanUnforeseeableVibrations) {
  const FoundationCase heavy{10, 1e11, 50};
  const PoseVector moving = IntegrateFoundation(heavy, 1, 1e-8);
  EXPECT_NEAR((testing::RunFoundationScene(heavy, 0.01) - moving).norm(), 2.4e-10, 1.2e-10);
  EXPECT_NEAR((testing::RunFoundationScene(heavy, 0.001) - moving).norm(), 1.3e-10, 1.2e-10);
}

// The two references agree where both hold: inertia (10 rad/s beside 1e3) is all that differs.
TEST(Foundation, ReferencesAgreeWhereTheLoadRunsSlowly) {
  const FoundationCase c{30, 1e7, 5};
  const PoseVector moving = IntegrateFoundation(c, 1);
  EXPECT_LT((RestAfterOneSecond(c) - moving).norm(), 2e-9);
}

// Inertia falls with the square of the frequency: 900 dampers leave nothing else.
TEST(LongFoundation, ReferencesAgreeWhenStiff) {
  for (double load : {5.0, 50.0}) {
    const FoundationCase c{30, 1e11, load};
    EXPECT_LT((RestAfterOneSecond(c) - IntegrateFoundation(c, 1, 1e-8)).norm(), 1e-14);
  }
}

// Pressure.

class FoundationPressure : public ::testing::TestWithParam<FoundationCase> {
 protected:
  // At rest under a load that stands still at (0.3, 0.4) of the top.
  Simulator MakeAtRest() const {
    Simulator simulator = testing::MakeSimulator(
        testing::LoadFoundationScene(GetParam(), {{"loads.load_o.force", "[0, 0, 0.4 * load]"},
                                                  {"loads.load_x.force", "[0, 0, -0.6 * load]"},
                                                  {"loads.load_y.force", "[0, 0, -0.8 * load]"}}));
    for (int i = 0; i < 200; ++i) simulator.Step();
    EXPECT_LT(simulator.state().v.norm(), 1e-12);
    EXPECT_EQ(simulator.problem().row_count(), GetParam().count());
    return simulator;
  }

  // Forces of the elements, in the order of FoundationCase::Element.
  static VecX ReadForces(const Simulator& simulator) {
    return simulator.solution().gamma / simulator.problem().h;
  }

  // Relative errors to allow: lever arms of a leaning cube differ from those of an upright one by
  // its tilt, and heights near half a metre tell depths by what rounding leaves.
  double Lean() const { return 10 * GetParam().weight() / GetParam().E; }
  double Rounding() const { return 1e-16 * GetParam().E / GetParam().weight(); }
};

TEST_P(FoundationPressure, CarriesWeightLoadAndMoments) {
  const FoundationCase& c = GetParam();
  const Simulator simulator = MakeAtRest();
  // Rows know their lever arms: rates are the velocity of the cube, then its turning.
  VecX wrench = VecX::Zero(simulator.problem().nv());
  simulator.problem().AddTransposed(ReadForces(simulator), &wrench);
  EXPECT_NEAR(wrench[2], c.weight(), 1e-10 * c.weight());
  EXPECT_NEAR(wrench[3], 0.4 * c.load, (1e-10 + Lean()) * c.load);
  EXPECT_NEAR(wrench[4], -0.3 * c.load, (1e-10 + Lean()) * c.load);
  EXPECT_NEAR(wrench[5], 0, (1e-10 + Lean()) * c.load);
}

// λ is linear over the part of the face that touches, and zero beyond the line where it would pull.
TEST_P(FoundationPressure, IsLinearWhereTheFaceTouches) {
  const FoundationCase& c = GetParam();
  const VecX lambda = ReadForces(MakeAtRest());
  const VecX expected = FindFoundationRest(c, {0.3, 0.4}).lambda;
  ASSERT_EQ(lambda.size(), c.count());
  EXPECT_EQ((lambda.array() > 0).count(), (expected.array() > 0).count());
  EXPECT_EQ(expected.minCoeff() > 0, c.load < 10);
  EXPECT_GE(lambda.minCoeff(), 0);
  EXPECT_LT((lambda - expected).cwiseAbs().maxCoeff(),
            (2 * Rounding() + Lean()) * expected.maxCoeff());
}

// As long as nothing lifts off, the beam formula N/n + M x/Σx².
using LightFoundationPressure = FoundationPressure;

TEST_P(LightFoundationPressure, IsThatOfABeam) {
  const FoundationCase& c = GetParam();
  const VecX lambda = ReadForces(MakeAtRest());
  const double sum_xx = c.count() / 12.0 * (1 - 1.0 / c.count());
  VecX expected(c.count());
  for (int i = 0; i < c.count(); ++i) {
    const double moment = c.load * Vec2(0.3, 0.4).dot(c.Element(i));
    expected[i] = c.weight() / c.count() + moment / sum_xx;
  }
  EXPECT_LT((lambda - expected).cwiseAbs().maxCoeff(),
            (2 * Rounding() + Lean()) * expected.maxCoeff());
}

std::vector<FoundationCase> CasesUnder(std::initializer_list<double> loads) {
  std::vector<FoundationCase> out;
  for (int per_side : {10, 30}) {
    for (double E : {1e7, 1e11}) {
      for (double load : loads) out.push_back({per_side, E, load});
    }
  }
  return out;
}

std::string NameOf(const ::testing::TestParamInfo<FoundationCase>& entry) {
  const FoundationCase& c = entry.param;
  return std::to_string(c.count()) + "Elements" + (c.E < 1e9 ? "OfRubber" : "OfSteel") +
         std::to_string(static_cast<int>(c.load)) + "N";
}

INSTANTIATE_TEST_SUITE_P(Cases, FoundationPressure, ::testing::ValuesIn(CasesUnder({5, 50})),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(Cases, LightFoundationPressure, ::testing::ValuesIn(CasesUnder({5})),
                         NameOf);

}  // namespace
}  // namespace voigt
