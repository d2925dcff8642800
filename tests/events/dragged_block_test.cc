#include <gtest/gtest.h>

#include <cmath>

#include "tests/events/event_run.h"
#include "tests/support/scenes.h"

namespace voigt {
namespace {

using testing::EventRun;
using testing::RunByEvents;

// A block on a prismatic guide is pulled by a spring whose other end moves with v. It slides once
// the spring has μ_s m g, as an oscillator about the stretch μ_k m g/K, until its rate is zero
// again; then the stretch has to grow by 2 (μ_s − μ_k) m g/K.
void ExpectTimesOfOscillator(const EventRun& run, double tolerance) {
  const double K = 50, v = 0.1, weight = 10, mu_s = 0.5, mu_k = 0.3;
  const double w = std::sqrt(K), y = (mu_s - mu_k) * weight / K;
  const double slide = 2 * (kPi - std::atan(y * w / v)) / w, stick = 2 * y / v;
  double t = mu_s * weight / (K * v);
  ASSERT_GE(run.events.size(), 4u);
  for (size_t k = 0; k < run.events.size(); ++k) {
    EXPECT_EQ(run.events[k].kind, k % 2 == 0 ? EventKind::kSlip : EventKind::kStick);
    EXPECT_NEAR(run.events[k].t, t, tolerance) << k;
    t += k % 2 == 0 ? slide : stick;
  }
}

TEST(DraggedBlock, SticksAndSlidesAtTheTimesOfItsOscillator) {
  ExpectTimesOfOscillator(RunByEvents(testing::LoadNamedScene("dragged_block")), 1e-7);
}

// The same over a plane, by rigid contact: 1 kg in all, of which half presses with 10 N.
TEST(DraggedBlock, SticksAndSlidesOnAPlaneAtTheSameTimes) {
  ExpectTimesOfOscillator(RunByEvents(R"(
gravity: [0, 0, -20]
materials: {default: {friction: 0.3, static_friction: 0.5}}
world: {geometry: [{name: floor, shape: half-space}]}
bodies:
  - {name: carrier, mass: 0.5, inertia: [0.01, 0.01, 0.01]}
  - {name: block, mass: 0.5, inertia: [0.01, 0.01, 0.01], geometry: [{shape: sphere, radius: 0.1}]}
joints:
  - {name: along, type: prismatic, axis: [1, 0, 0], child: carrier, frame: {position: [0, 0, 0.1]}}
  - {name: up, type: prismatic, axis: [0, 0, 1], parent: carrier, child: block}
drives: [{type: servo, joint: along, stiffness: 50, target: 0.1 * t}]
simulation: {integrator: event-driven, formulation: working, step: 0.05, until: 6}
)"),
                          1e-8);
}

// When the same block stops again where friction drops over the speed v_d, by fixed steps:
// ẍ = K (v t − x) − μ(ẋ) m g from t = 1 s on, where the spring has μ_s m g.
double SolveSlowDrop(double v_d) {
  const double K = 50, drive = 0.1, weight = 10, mu_s = 0.5, mu_k = 0.3;
  const auto pull = [&](double t, double x, double v) {
    return K * (drive * t - x) - weight * (mu_k + (mu_s - mu_k) * std::exp(-(v / v_d) * (v / v_d)));
  };
  double t = 1, x = 0, v = 0, h = 1e-4;
  while (h > 1e-15) {
    const double a1 = pull(t, x, v), v2 = v + h / 2 * a1;
    const double a2 = pull(t + h / 2, x + h / 2 * v, v2), v3 = v + h / 2 * a2;
    const double a3 = pull(t + h / 2, x + h / 2 * v2, v3), v4 = v + h * a3;
    const double a4 = pull(t + h, x + h * v3, v4);
    const double next = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    if (next < 0) {
      h /= 2;
      continue;
    }
    x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v = next;
    t += h;
  }
  return t;
}

// It slides less far than where friction drops at once.
TEST(DraggedBlock, SlidesLessWhereFrictionDropsSlowly) {
  const auto stop = [](const char* speed) {
    const EventRun run = RunByEvents(testing::LoadNamedScene(
        "dragged_block", {{"joints[0].friction.drop_speed", speed}, {"simulation.until", "2"}}));
    EXPECT_EQ(run.events[1].kind, EventKind::kStick);
    return run.events[1].t;
  };
  EXPECT_NEAR(SolveSlowDrop(0.05), 1.605327846013, 1e-11);
  EXPECT_NEAR(stop("0.05"), SolveSlowDrop(0.05), 1e-9);
  EXPECT_NEAR(SolveSlowDrop(0.2), 1.685746050560, 1e-11);
  EXPECT_NEAR(stop("0.2"), SolveSlowDrop(0.2), 1e-9);
  EXPECT_NEAR(stop("1e-3"), stop("0"), 0.02);
}

// Rounding shifts nothing of what sticks: 20 s at up to 80 % of the limit, on a rigid contact and
// by a point in a plane.
TEST(StandingBlock, DriftNeverLetsGo) {
  const char* const elements[] = {
      "materials: {default: {friction: 0.3, static_friction: 0.5}}\n"
      "world: {geometry: [{name: floor, shape: half-space}]}\n"
      "bodies: [{name: block, mass: 1, inertia: [0.01, 0.01, 0.01], geometry: [{shape: box, size: "
      "[0.3, 0.2, 0.1]}]}]\n"
      "joints: [{name: free, type: free, child: block, frame: {position: [0, 0, 0.05]}}]\n"
      "loads: [{body: block, point: [0, 0, -0.05], force: [4 * sin(7 * t), 0.4, 0]}]\n",
      "bodies: [{name: block, mass: 1, inertia: [0.01, 0.01, 0.01]}]\n"
      "joints: [{name: free, type: free, child: block}]\n"
      "constraints: [{type: point-in-plane, body: block, friction: {kinetic: 0.3, static: 0.5}}]\n"
      "loads: [{body: block, force: [4 * sin(7 * t), 0.4, 0]}]\n"};
  for (const char* element : elements) {
    SCOPED_TRACE(element);
    const EventRun run = RunByEvents(
        std::string("gravity: [0, 0, -10]\n") + element +
        "simulation: {integrator: event-driven, formulation: working, step: 0.02, until: 20}\n");
    EXPECT_EQ(run.summary.events.events(), 0);
    EXPECT_NEAR(run.end.q.head(2).norm(), 0, 1e-12);
    EXPECT_NEAR(run.end.v.norm(), 0, 1e-13);
  }
}

}  // namespace
}  // namespace voigt
