// An ellipse that falls on a table [Anitescu, Miller & Hart 2003, §4]: the program beside a
// recursion of the same scheme for a planar body that is written out here, the depths I(q) that the
// scheme leaves, and Theorem 3.1.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/sim/run.h"

namespace voigt {
namespace {

constexpr double kA = 4, kB = 2, kG = 9.81, kInertia = 5, kMu = 0.3, kEnd = 10;

struct EllipseRun {
  double largest = 0, last = 0;  // I(q)
  double C1 = 0;                 // the largest of (I_l − (1 − s) I_{l−1})/(h ‖v_l‖)²
};

// Where the impulse acts: at the lowest point of the ellipse, or midway to the table.
enum class At { kLowestPoint, kMidway };

// q = (x, z, θ), one contact with friction in the plane, solved by cases.
EllipseRun RunByHand(double s, double h, bool is_predictive, At at) {
  double z = 8, angle = 0, vx = 0, vz = 0, omega = 3;
  EllipseRun out;
  double before = 0;
  for (int k = 0; k < static_cast<int>(std::lround(kEnd / h)); ++k) {
    // The lowest point, from the centre: Φ is its height.
    const double sine = std::sin(angle), cosine = std::cos(angle);
    const double depth = std::hypot(kA * sine, kB * cosine);
    const double rx = (kB * kB - kA * kA) * sine * cosine / depth;
    const double phi = z - depth;
    const double rz = at == At::kMidway ? -depth - 0.5 * phi : -depth;
    const double I_l = std::max(0.0, -phi);
    if (k > 0) {
      const double speed = vx * vx + vz * vz + omega * omega;
      out.C1 = std::max(out.C1, (I_l - (1 - s) * before) / (h * h * speed));
    }
    before = I_l;
    out.largest = std::max(out.largest, I_l);
    vz -= h * kG;
    if (is_predictive || phi <= 0) {
      // Rotation about −y: a point at (rx, rz) moves by ω (−rz, rx).
      const double v_hat = phi > 0 ? -phi / h : -s * phi / h;
      const double W_nn = 1 + rx * rx / kInertia, W_tt = 1 + rz * rz / kInertia;
      const double W_nt = -rx * rz / kInertia;
      const double q_n = vz + omega * rx - v_hat, q_t = vx - omega * rz;
      double n = 0, t = 0;
      if (q_n < 0) {
        const double det = W_nn * W_tt - W_nt * W_nt;
        n = (-q_n * W_tt + q_t * W_nt) / det;
        t = (-q_t * W_nn + q_n * W_nt) / det;
        for (double side : {1.0, -1.0}) {
          if (std::fabs(t) <= kMu * n) break;
          const double pushed = -q_n / (W_nn + side * kMu * W_nt);
          if (side * (q_t + (W_nt + side * kMu * W_tt) * pushed) > 0 || pushed < 0) continue;
          n = pushed;
          t = side * kMu * pushed;
        }
      }
      vz += n;
      vx += t;
      omega += (rx * n - rz * t) / kInertia;
    }
    z += h * vz;
    angle += h * omega;
  }
  out.last = std::max(0.0, std::hypot(kA * std::sin(angle), kB * std::cos(angle)) - z);
  out.largest = std::max(out.largest, out.last);
  return out;
}

EllipseRun RunByProgram(double s, double h, bool is_predictive) {
  Scene scene = testing::LoadNamedScene("ellipse_on_table");
  scene.settings.stabilization = {1, s, is_predictive};
  scene.settings.step = h;
  Simulator simulator = testing::MakeSimulator(scene);
  EllipseRun out;
  const int steps = static_cast<int>(std::lround(kEnd / h));
  for (int k = 0; k < steps; ++k) {
    EXPECT_EQ(simulator.Step(), StepStatus::kOk);
    EXPECT_EQ(simulator.solution().status, SolveStatus::kSolved);
    if (simulator.problem().row_count() == 0) continue;
    out.largest = std::max(out.largest, simulator.step_audit()->infeasibility);
  }
  const VecX& q = simulator.state().q;
  out.last = std::max(0.0, std::hypot(kA * std::sin(q[2]), kB * std::cos(q[2])) - 8 - q[1]);
  out.largest = std::max(out.largest, out.last);
  return out;
}

// The recursion itself, against figures that were computed elsewhere with the impulse at the lowest
// point.
TEST(EllipseOnTable, RecursionHasTheDepthsOfTheReference) {
  const auto by_hand = [](double s, bool is_predictive) {
    return RunByHand(s, 0.05, is_predictive, At::kLowestPoint);
  };
  EXPECT_NEAR(by_hand(0, true).largest, 0.32855, 5e-6);
  EXPECT_NEAR(by_hand(0, true).last, 0.32855, 5e-6);
  EXPECT_NEAR(by_hand(0.2, true).largest, 0.04410, 5e-6);
  EXPECT_NEAR(by_hand(0.2, true).last, 1.10e-2, 5e-5);
  EXPECT_NEAR(by_hand(1, true).largest, 0.04410, 5e-6);
  EXPECT_NEAR(by_hand(1, true).last, 1.61e-3, 5e-6);
  EXPECT_NEAR(by_hand(0, false).largest, 0.48587, 5e-6);
  EXPECT_NEAR(by_hand(0.2, false).largest, 0.27813, 5e-6);
  EXPECT_NEAR(by_hand(1, false).last, 5.70e-6, 5e-8);
}

TEST(EllipseOnTable, ProgramFollowsTheRecursion) {
  for (double s : {0.0, 0.2, 1.0}) {
    for (bool is_predictive : {true, false}) {
      SCOPED_TRACE(::testing::Message() << "s " << s << ", predictive " << is_predictive);
      const EllipseRun expected = RunByHand(s, 0.05, is_predictive, At::kMidway);
      const EllipseRun run = RunByProgram(s, 0.05, is_predictive);
      EXPECT_NEAR(run.largest, expected.largest, 1e-8);
      EXPECT_NEAR(run.last, expected.last, 1e-8);
    }
  }
}

// I_l ≤ (1 − s) I_{l−1} + C₁ h² ‖v_l‖² with one C₁ for all steps: it stays below the bound
// (a² − b²)/(2b) = 3 of the second derivative of Φ.
TEST(EllipseOnTable, InfeasibilityObeysTheTheorem) {
  for (double s : {0.2, 1.0}) {
    for (double h : {0.05, 0.025, 0.0125, 0.00625}) {
      const EllipseRun run = RunByHand(s, h, true, At::kMidway);
      EXPECT_LT(run.C1, 3) << s << " " << h;
      EXPECT_GT(run.C1, 0.3) << s << " " << h;
    }
  }
}

// Without stabilisation depth grows until the end; with it, it goes down after each impact.
TEST(EllipseOnTable, StabilisationArrestsDrift) {
  const double none = RunByProgram(0, 0.05, true).last;
  const double some = RunByProgram(0.2, 0.05, true).last;
  const double full = RunByProgram(1, 0.05, true).last;
  EXPECT_GT(none, 0.3);
  EXPECT_LT(some, 0.05);
  EXPECT_LT(full, 0.3 * some);
}

}  // namespace
}  // namespace voigt
