#include "voigt/dynamics/prescribed_rates.h"

#include <gtest/gtest.h>

#include <cmath>

#include "voigt/dynamics/equations_of_motion.h"
#include "voigt/dynamics/inverse_dynamics.h"
#include "voigt/io/scene.h"

namespace voigt {
namespace {

Scene MakeDrivenArm() {
  return ParseScene(R"(
bodies:
  - {name: upper, mass: 2, com: [0.3, 0, 0], inertia: [0.1, 0.2, 0.3]}
  - {name: fore, mass: 1, com: [0.2, 0, 0], inertia: [0.05, 0.06, 0.07]}
joints:
  - {name: shoulder, type: revolute, axis: [0, 1, 0], child: upper}
  - {name: elbow, type: revolute, axis: [0, 1, 0], parent: upper, child: fore, frame: {position: [0.6, 0, 0]}}
drives: [{type: prescribed, joint: shoulder, position: sin(3 * t) + t ^ 2}]
)",
                    "text");
}

TEST(PrescribedRates, FollowTheDerivativesOfTheirFunctions) {
  const Scene scene = MakeDrivenArm();
  const PrescribedRates rates(scene.model);
  ASSERT_TRUE(rates.any());
  EXPECT_EQ(rates.flags(), (std::vector<char>{1, 0}));
  for (double t : {0.0, 0.7, 5.0}) {
    VecX q = VecX::Constant(2, 7), v = q, v_dot = q;
    rates.SetMotion(t, &q, &v);
    rates.SetAccelerations(t, &v_dot);
    EXPECT_EQ(q[0], std::sin(3 * t) + t * t);
    EXPECT_NEAR(v[0], 3 * std::cos(3 * t) + 2 * t, 1e-11);
    EXPECT_NEAR(v_dot[0], -9 * std::sin(3 * t) + 2, 1e-9);
    EXPECT_EQ(q[1], 7);
    EXPECT_EQ(v[1], 7);
    EXPECT_EQ(v_dot[1], 7);
  }
}

// Hybrid dynamics: the elbow has the acceleration at which inverse dynamics asks for no force
// there.
TEST(PrescribedRates, LeaveTheOthersFree) {
  const Scene scene = MakeDrivenArm();
  const PrescribedRates rates(scene.model);
  EquationsOfMotion equations(scene.model);
  VecX q(2), v(2), v_dot(2), tau(2);
  q << 0.4, -0.9;
  v << 1.1, 2.3;
  equations.CalcAcceleration(0.7, q, v, rates, &v_dot);
  EXPECT_NEAR(v_dot[0], -9 * std::sin(2.1) + 2, 1e-9);
  NewtonEulerScratch scratch(scene.model);
  CalcInverseDynamics(scene.model, equations.kinematics(), &v_dot, nullptr, &scratch, &tau);
  EXPECT_NEAR(tau[1], 0, 1e-12);
  EXPECT_GT(std::fabs(tau[0]), 1);
}

}  // namespace
}  // namespace voigt
