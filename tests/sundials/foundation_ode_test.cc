// A cube on an elastic foundation three ways: steps of the library, backward differentiation and an
// explicit method on equations written down by hand [Drumwright 2019, Table 1].

#include <gtest/gtest.h>

#include <cmath>

#include "tests/sundials/bdf.h"
#include "tests/support/foundation_scene.h"

namespace voigt {
namespace {

using testing::FoundationCase;
using testing::FoundationOde;
using testing::PoseVector;

PoseVector IntegrateFoundationByBdf(const FoundationCase& c, double tolerance) {
  const FoundationOde ode(c, FoundationOde::NaturalUnits(c));
  testing::BdfSettings settings;
  settings.relative = settings.absolute = tolerance;
  const auto rate = [&](double t, const double* x, double* dx) { ode.CalcRate(t, x, dx); };
  const testing::BdfRun run = testing::IntegrateByBdf(
      rate, std::vector<double>(FoundationOde::State{}.size()), 1, settings);
  EXPECT_TRUE(run.finished);
  return ode.PoseOf(run.x.data());
}

// The library errs by the first power of its step: twice the result of the half step less that of
// the whole one is better by an order. (400 dampers let vibrations die within the second; with
// fewer, only steps that resolve them would do.)
TEST(FoundationOde, ThreeWaysAgree) {
  for (double load : {5.0, 50.0}) {
    const FoundationCase c{20, 1e7, load};
    const double depth = c.weight() / c.E;
    const PoseVector explicitly = IntegrateFoundation(c, 1, 1e-10);
    const PoseVector implicitly = IntegrateFoundationByBdf(c, 1e-9);
    EXPECT_LT((explicitly - implicitly).norm(), 1e-6 * depth) << load;
    const PoseVector coarse = testing::RunFoundationScene(c, 2e-3),
                     fine = testing::RunFoundationScene(c, 1e-3);
    EXPECT_NEAR((coarse - implicitly).norm() / (fine - implicitly).norm(), 2, 0.05) << load;
    EXPECT_LT((2 * fine - coarse - implicitly).norm(), 3e-4 * depth) << load;
  }
}

}  // namespace
}  // namespace voigt
