// Friction in the joints of an arm [Drumwright & Shell 2010, §5]: as impulses within bounds, it
// holds at any step and is of first order where it slides.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.h"

namespace voigt {
namespace {

VecX RunArmWithFriction(double dry, double viscous, double step, FormulationKind kind) {
  Scene scene = testing::LoadNamedScene(
      "eight_joint_arm",
      {{"parameters.dry", std::to_string(dry)}, {"parameters.viscous", std::to_string(viscous)}});
  scene.settings.step = step;
  scene.settings.formulation.kind = kind;
  return testing::RunToEnd(scene).q;
}

// Explicit friction at the acceleration level drifts by 1e-2 rad at steps of 1e-6.
TEST(ArmFriction, HoldsAtAnyStep) {
  VecX start(8);
  start << 0.3, 0.2, 0.4, -0.5, 0.3, 0.4, -0.3, 0.2;
  for (FormulationKind kind : ListFormulationKinds()) {
    for (double step : {0.05, 0.01, 0.002}) {
      const VecX q = RunArmWithFriction(5, 0, step, kind);
      // Pivoting rounds more.
      const bool pivots =
          kind == FormulationKind::kMlcpLemke || kind == FormulationKind::kStabilizedLcp;
      EXPECT_LE((q - start).cwiseAbs().maxCoeff(), pivots ? 5e-14 : 1e-14)
          << ToString(kind) << ' ' << step;
    }
  }
}

// Against a reference of ±3e-7 by another program. Joints 3 and 5 to 8 stick.
TEST(ArmFriction, SlidesToFirstOrder) {
  VecX reference(8);
  reference << 0.2999875, 1.7417774, 0.4, 0.0683059, 0.3, 0.4, -0.3, 0.2;
  for (FormulationKind kind : {FormulationKind::kCompliant, FormulationKind::kMaxDissipation}) {
    double last = 0;
    for (double step : {1e-2, 1e-3}) {
      const VecX error = RunArmWithFriction(0.25, 0.1, step, kind) - reference;
      const double largest = error.cwiseAbs().maxCoeff();
      EXPECT_LE(largest, 1.2 * step) << ToString(kind);
      if (last > 0) {
        EXPECT_NEAR(std::log10(last / largest), 1, 0.1) << ToString(kind);
      }
      last = largest;
      for (int stuck : {2, 4, 5, 6, 7}) EXPECT_LE(std::fabs(error[stuck]), 1e-8);
    }
  }
}

// A bound is a bound to all of them. What `compliant` knows of held joints beside the impulses, for
// the bend of paths within a step, it knows to half of the digits.
TEST(ArmFriction, IsTheSameInEveryFormulation) {
  const VecX reference = RunArmWithFriction(0.25, 0.1, 0.01, FormulationKind::kCompliant);
  for (FormulationKind kind : ListFormulationKinds()) {
    const VecX q = RunArmWithFriction(0.25, 0.1, 0.01, kind);
    EXPECT_LE((q - reference).cwiseAbs().maxCoeff(), 1e-8) << ToString(kind);
  }
}

}  // namespace
}  // namespace voigt
