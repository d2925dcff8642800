// A sphere thrown along a floor, under every formulation [Mylapilli & Jain 2014, figures 2 and 3]:
// closed solutions, and what polyhedral cones in the wrong direction make of it.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.h"
#include "tests/support/solve_with.h"
#include "voigt/sim/run.h"

namespace voigt {
namespace {

constexpr double kGravity = 9.81, kFriction = 0.2, kSpeed = 2;

struct SphereRun {
  double x = 0, v = 0, omega = 0;  // at the end
  double rolls_from = kNaN;        // s
  double v_y = 0, omega_x = 0;     // the largest
  double energy_lost = 0;
};

SphereRun RunSphere(const std::string& formulation, double h, double degrees = kNaN) {
  std::vector<Override> overrides = {Override::Parse("simulation.formulation=" + formulation),
                                     Override::Parse("simulation.step=" + std::to_string(h))};
  if (!std::isnan(degrees)) {
    overrides.push_back(
        Override::Parse("simulation.cone={angle: " + std::to_string(degrees) + " deg}"));
  }
  Simulator simulator =
      testing::MakeSimulator(testing::LoadNamedScene("sliding_sphere", overrides));
  SphereRun out;
  const double start = simulator.CalcEnergy().Total();
  while (simulator.state().t < 0.6 - 0.5 * h) {
    EXPECT_EQ(simulator.Step(), StepStatus::kOk);
    EXPECT_EQ(simulator.solution().status, SolveStatus::kSolved);
    const Kinematics& kin = simulator.CalcKinematics();
    const Vec6 motion = CalcPointVelocity(kin, 1, simulator.state().q.head<3>() + Vec3(0, 0, 1));
    const Vec3 omega = motion.head<3>(), v = motion.tail<3>();
    out.v = v[0];
    out.omega = omega[1];
    out.v_y = std::max(out.v_y, std::fabs(v[1]));
    out.omega_x = std::max(out.omega_x, std::fabs(omega[0]));
    const double slip = std::hypot(v[0] - omega[1], v[1] + omega[0]);
    if (std::isnan(out.rolls_from) && slip < 1e-9) out.rolls_from = simulator.state().t;
  }
  out.x = simulator.state().q[0];
  out.energy_lost = start - simulator.CalcEnergy().Total();
  return out;
}

class SlidingSphere : public ::testing::TestWithParam<FormulationKind> {
 protected:
  std::string name() const { return std::string(ToString(GetParam())); }
};

TEST_P(SlidingSphere, RollsAtFiveSeventhsOfItsSpeed) {
  const double slides = 2 * kSpeed / (7 * kFriction * kGravity);  // 0.291247997670 s
  const SphereRun run = RunSphere(name(), 1e-3);
  EXPECT_NEAR(run.v, kSpeed * 5 / 7, 2e-14);
  EXPECT_NEAR(run.omega, kSpeed * 5 / 7, 2e-14);
  EXPECT_NEAR(run.rolls_from, std::ceil(slides / 1e-3) * 1e-3, 1e-9);
  EXPECT_NEAR(run.energy_lost, 4.0 / 7, 1e-12);
  EXPECT_LT(run.v_y, 1e-14);
  // The scheme's own sum: v_k = v − μ g h k while it slides, positions by the new velocities.
  double x = 0, v = kSpeed;
  for (int k = 0; k < 600; ++k) {
    v = std::max(v - kFriction * kGravity * 1e-3, kSpeed * 5 / 7);
    x += 1e-3 * v;
  }
  EXPECT_NEAR(run.x, x, 1e-12);
  EXPECT_NEAR(run.x, 0.940071039429, 5e-13);
}

TEST_P(SlidingSphere, ConvergesToTheClosedSolution) {
  const double coarse = RunSphere(name(), 2e-3).x - 0.940356570763;
  const double fine = RunSphere(name(), 5e-4).x - 0.940356570763;
  EXPECT_NEAR(coarse / fine, 4, 0.3);
}

INSTANTIATE_TEST_SUITE_P(All, SlidingSphere, ::testing::ValuesIn(testing::ListKindsWithLaws()),
                         [](const auto& entry) {
                           std::string name(ToString(entry.param));
                           std::erase(name, '-');
                           return name;
                         });

// At 45° to the slip a square cone has friction μ/√2 along it, and nothing aside.
TEST(SlidingSphereMisaligned, SquareConeAcrossTheSlipIsTooWeak) {
  for (const char* formulation : {"mlcp-lemke", "mlcp-fb-rlm", "mlcp-fb-plm"}) {
    const SphereRun run = RunSphere(formulation, 1e-3, 45);
    EXPECT_NEAR(run.rolls_from, 0.411887, 1e-3);
    EXPECT_NEAR(run.x, 0.974539, 5e-7);
    EXPECT_LT(run.v_y, 1e-12);
    EXPECT_LT(run.omega_x, 1e-12);
  }
}

// Otherwise it is pulled to a corner, aside.
TEST(SlidingSphereMisaligned, OtherAnglesPushItAside) {
  const SphereRun thirty = RunSphere("mlcp-lemke", 1e-3, 30);
  EXPECT_NEAR(thirty.rolls_from, 0.398, 1.5e-3);
  EXPECT_NEAR(thirty.v_y, 0.1044, 1e-4);
  EXPECT_NEAR(thirty.omega_x, 0.2611, 1e-4);
  const SphereRun fifteen = RunSphere("mlcp-lemke", 1e-3, 15);
  EXPECT_NEAR(fifteen.rolls_from, 0.357, 1.5e-3);
  EXPECT_NEAR(fifteen.v_y, 0.1045, 1e-4);
  EXPECT_NEAR(fifteen.omega_x, 0.2613, 1e-4);
}

}  // namespace
}  // namespace voigt
