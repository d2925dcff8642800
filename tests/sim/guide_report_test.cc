// Normal force and friction of joints and guided points, one by one, against closed forms.

#include "voigt/sim/guide_report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/io/scene.h"
#include "voigt/sim/run.h"

namespace voigt {
namespace {

constexpr char kByEvents[] = "integrator: event-driven, formulation: working, step: 0.1";
constexpr char kBySteps[] = "formulation: compliant, step: 0.001";

std::vector<GuideReport> ListGuidesAt(const Scene& scene, double t) {
  Simulator simulator(scene.model, scene.settings, scene.initial);
  std::vector<GuideReport> out;
  simulator.ListGuides(&out);
  EXPECT_TRUE(scene.settings.integrator == Integrator::kEventDriven || out.empty());
  while (simulator.state().t < t - 1e-9) {
    EXPECT_EQ(simulator.Step(), StepStatus::kOk);
    if (simulator.status() != StepStatus::kOk) break;
  }
  simulator.ListGuides(&out);
  return out;
}

// 1.2 kg of 12 N, and 5 N from the side: 13 N across a straight wire, whatever else pulls along it.
std::vector<GuideReport> ListBead(const char* settings, double v, double pull, double t) {
  return ListGuidesAt(ParseScene(fmt::format(R"(
gravity: [0, 0, -10]
bodies: [{{name: bead, mass: 1.2, inertia: [1, 1, 1]}}]
joints: [{{name: free, type: free, child: bead}}]
constraints:
  - {{name: wire, type: point-on-line, body: bead, direction: [1, 0, 0], friction: {{kinetic: 0.2, static: 0.3}}}}
initial: {{free: {{velocity: [{}, 0, 0]}}}}
loads: [{{body: bead, force: [{}, 5, 0]}}]
simulation: {{{}, until: 2}}
)",
                                             v, pull, settings),
                                 "text"),
                      t);
}

TEST(GuideReports, BeadOnAStraightWireWithASideLoad) {
  for (const char* settings : {kByEvents, kBySteps}) {
    SCOPED_TRACE(settings);
    const double small = settings == kByEvents ? 1e-12 : 1e-7;
    // Slides one way and the other against 2.6 N.
    for (double v : {3.0, -3.0}) {
      const auto slides = ListBead(settings, v, 0.5, 0.4);
      ASSERT_EQ(slides.size(), 1u);
      EXPECT_EQ(slides[0].state, Stiction::kSlip);
      EXPECT_EQ(slides[0].row_count, 1);
      EXPECT_NEAR(slides[0].normal_force, 13, small);
      EXPECT_NEAR(slides[0].friction[0] * (slides[0].rate[0] > 0 ? 1 : -1), -2.6, small);
      const double after = std::fabs(v) - 0.4 * (2.6 - (v > 0 ? 0.5 : -0.5)) / 1.2;
      EXPECT_NEAR(std::fabs(slides[0].rate[0]), after, 10 * small);
    }
    // Held against a pull below 3.9 N.
    const auto sticks = ListBead(settings, 0, 3.5, 0.4);
    ASSERT_EQ(sticks.size(), 1u);
    EXPECT_EQ(sticks[0].state, Stiction::kStick);
    EXPECT_NEAR(sticks[0].normal_force, 13, small);
    EXPECT_NEAR(std::fabs(sticks[0].friction[0]), 3.5, small);
    EXPECT_NEAR(sticks[0].rate[0], 0, small);
  }
}

// A puck under a plane's force of 10 N; lifted off, it has none.
TEST(GuideReports, PuckOnAPlane) {
  const auto list = [](const char* settings, const char* side, double lift) {
    return ListGuidesAt(ParseScene(fmt::format(R"(
gravity: [0, 0, -10]
bodies: [{{name: puck, mass: 1.2, inertia: [1, 1, 1]}}]
joints: [{{name: free, type: free, child: puck}}]
constraints: [{{type: point-in-plane, body: puck, side: {}, friction: {{kinetic: 0.3}}}}]
initial: {{free: {{velocity: [1.8, 2.4, 0]}}}}
loads: [{{body: puck, force: [0, 0, {}]}}]
simulation: {{{}, until: 2}}
)",
                                               side, lift, settings),
                                   "text"),
                        0.3);
  };
  for (const char* settings : {kByEvents, kBySteps}) {
    SCOPED_TRACE(settings);
    const double small = settings == kByEvents ? 1e-12 : 1e-7;
    for (const char* side : {"above", "both"}) {
      const auto guides = list(settings, side, 2);
      ASSERT_EQ(guides.size(), 1u);
      EXPECT_EQ(guides[0].state, Stiction::kSlip);
      EXPECT_EQ(guides[0].row_count, 2);
      EXPECT_NEAR(guides[0].normal_force, 10, small);
      EXPECT_NEAR(guides[0].rate.norm(), 3 - 0.3 * 3 / 1.2, 10 * small);
      EXPECT_LT((guides[0].friction + 3 * guides[0].rate.normalized()).norm(), 10 * small);
    }
    const auto lifted = list(settings, "above", 20);
    ASSERT_EQ(lifted.size(), 1u);
    EXPECT_EQ(lifted[0].state, Stiction::kOpen);
    EXPECT_NEAR(lifted[0].normal_force, 0, small);
    EXPECT_NEAR(lifted[0].friction.norm(), 0, small);
  }
}

// N = m |l θ̇² + g cos θ|/√(1 − ε²) with ε = μ R/l, and μ R N in the bearing
// (docs/theory/working.md).
TEST(GuideReports, PendulumInABearing) {
  const Scene scene = testing::LoadNamedScene("pin_friction");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  const double m = scene.model.TotalMass(), epsilon = 0.03;
  for (int k = 0; k < 10; ++k) {
    ASSERT_EQ(simulator.Step(0.17), StepStatus::kOk);
    std::vector<GuideReport> guides;
    simulator.ListGuides(&guides);
    ASSERT_EQ(guides.size(), 1u);
    const double q = simulator.state().q[0], v = simulator.state().v[0];
    const double N = m * std::fabs(v * v + 9.81 * std::cos(q)) / std::sqrt(1 - epsilon * epsilon);
    EXPECT_NEAR(guides[0].normal_force, N, 1e-11 * N);
    EXPECT_NEAR(guides[0].friction[0], (v > 0 ? -1 : 1) * 0.03 * N, 1e-11 * N);
    EXPECT_EQ(guides[0].rate[0], v);
  }
}

// A mass of 2 kg at 0.5 m on an arm that turns with 3 rad/s: 9 N across its axis.
TEST(GuideReports, JointWhoseMotionIsPrescribed) {
  const auto guides = ListGuidesAt(ParseScene(R"(
gravity: [0, 0, -10]
bodies: [{name: arm, mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}]
joints: [{name: pin, type: revolute, axis: [0, 0, 1], child: arm, friction: {kinetic: 0.4, radius: 0.02}}]
drives: [{type: prescribed, joint: pin, position: 3 * t}]
simulation: {integrator: event-driven, formulation: working, step: 0.1, until: 1}
)",
                                              "text"),
                                   0.5);
  ASSERT_EQ(guides.size(), 1u);
  EXPECT_EQ(guides[0].state, Stiction::kSlip);
  EXPECT_NEAR(guides[0].normal_force, 9, 1e-9);
  EXPECT_NEAR(guides[0].friction[0], -0.4 * 0.02 * 9, 1e-9);
}

// The summary has those of the end.
TEST(GuideReports, AreInTheSummary) {
  Scene scene = testing::LoadNamedScene("door");
  scene.settings.until = 0.3;
  Simulator simulator(scene.model, scene.settings, scene.initial);
  const RunSummary summary = voigt::Run(&simulator, nullptr);
  std::vector<GuideReport> guides;
  simulator.ListGuides(&guides);
  ASSERT_EQ(summary.guides.size(), 2u);
  for (size_t k = 0; k < guides.size(); ++k) {
    EXPECT_EQ(summary.guides[k].normal_force, guides[k].normal_force);
    EXPECT_GT(guides[k].normal_force, 0);
    EXPECT_EQ(summary.guides[k].guide, static_cast<int>(k));
  }
}

}  // namespace
}  // namespace voigt
