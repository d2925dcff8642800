#include "voigt/dynamics/spin.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "tests/support/random_model.h"

namespace voigt {
namespace {

using testing::Random;
using testing::RandomMass;
using testing::RandomVector;

TEST(AdvanceSpin, KeepsEnergyAndMomentumAtAnyStep) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const Vec3 I = CalcPrincipalInertia(RandomMass(&random).inertia).moments;
    const Vec3 omega = RandomVector(&random, 60);
    for (double h : {1e-4, 1e-2, 0.1, 0.3}) {
      bool gave_up = true;
      const Vec3 after = AdvanceSpin(I, omega, h, &gave_up);
      ASSERT_FALSE(gave_up) << h * omega.norm();
      const double energy = I.dot(omega.cwiseAbs2());
      EXPECT_NEAR(I.dot(after.cwiseAbs2()), energy, 1e-12 * energy);
      EXPECT_NEAR(I.cwiseProduct(after).norm(), I.cwiseProduct(omega).norm(),
                  1e-12 * I.cwiseProduct(omega).norm());
    }
  }
}

TEST(AdvanceSpin, ConvergesToEulersEquationsWithOrderTwo) {
  const Vec3 I(1, 2, 2.5);
  const Vec3 omega(0.3, 1.0, -0.4);
  // A reference by many tiny explicit midpoint steps.
  const auto rate = [&](const Vec3& w) {
    return Vec3(-w.cross(I.cwiseProduct(w)).cwiseQuotient(I));
  };
  const double h = 0.4;
  Vec3 exact = omega;
  constexpr int kSteps = 200000;
  for (int i = 0; i < kSteps; ++i) {
    const double dt = h / kSteps;
    exact += dt * rate(exact + 0.5 * dt * rate(exact));
  }
  const auto error = [&](int pieces) {
    Vec3 w = omega;
    bool gave_up;
    for (int i = 0; i < pieces; ++i) w = AdvanceSpin(I, w, h / pieces, &gave_up);
    return (w - exact).norm();
  };
  const double coarse = error(4), fine = error(8);
  EXPECT_LT(coarse, 1e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

TEST(AdvanceSpin, LeavesPrincipalRotationsAlone) {
  const Vec3 I(1, 2, 3);
  bool gave_up;
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 omega = 40 * Vec3::Unit(axis);
    EXPECT_LT((AdvanceSpin(I, omega, 0.05, &gave_up) - omega).norm(), 1e-13 * omega.norm());
  }
}

TEST(AdvanceSpin, KeepsEnergyEvenWhereItGivesUp) {
  const Vec3 I(1e-3, 1, 1);
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Vec3 omega = RandomVector(&random, 1e5);
    bool gave_up;
    const Vec3 after = AdvanceSpin(I, omega, 1.0, &gave_up);
    ASSERT_TRUE(after.allFinite());
    const double energy = I.dot(omega.cwiseAbs2());
    EXPECT_NEAR(I.dot(after.cwiseAbs2()), energy, 1e-9 * energy);
  }
}

}  // namespace
}  // namespace voigt
