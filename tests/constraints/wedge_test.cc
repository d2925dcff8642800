// scenes/wedge.yaml: a wedge between jaws locks where the tangent of its half angle is below μ.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.h"

namespace voigt {
namespace {

// Squeezed out with z̈ (m (cos a + μ sin a)/(2 (sin a − μ cos a)) + m tan a) = F: each jaw, of the
// same mass, follows the face by −z tan a.
void ExpectWedgeLocksOrIsSqueezedOut(Integrator integrator, FormulationKind formulation) {
  const double mu = 0.3, F = 100, m = 1, t = 0.02;
  for (double part : {0.3, 0.9, 0.999, 1.001, 1.1, 2.0}) {
    const double a = std::atan(part * mu), s = std::sin(a), c = std::cos(a);
    Scene scene =
        testing::LoadNamedScene("wedge", {{"parameters.angle", fmt::format("{:.17g}", a)}});
    scene.settings.integrator = integrator;
    scene.settings.formulation.kind = formulation;
    Simulator simulator = testing::MakeSimulator(scene);
    for (int k = 0; k < 20; ++k) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    const double acceleration =
        part < 1 ? 0 : F / (m * (c + mu * s) / (2 * (s - mu * c)) + m * s / c);
    EXPECT_NEAR(simulator.state().v[1], acceleration * t, 1e-9 * (1 + acceleration)) << part;
    EXPECT_NEAR(simulator.state().v[0], 0, 1e-12);
    EXPECT_EQ(simulator.solver().not_solved, 0);
  }
}

TEST(Wedge, LocksBelowMuAndIsSqueezedOutAbove) {
  ExpectWedgeLocksOrIsSqueezedOut(Integrator::kSemiImplicitEuler, FormulationKind::kCompliant);
}

// Here friction is on accelerations, and below μ no choice but stick has any.
TEST(Wedge, LocksBelowMuAndIsSqueezedOutAboveByEvents) {
  ExpectWedgeLocksOrIsSqueezedOut(Integrator::kEventDriven, FormulationKind::kWorking);
}

}  // namespace
}  // namespace voigt
