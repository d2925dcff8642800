// Friction from reactions of every element, in time steps by every formulation: it begins to slide
// once, where it should, and what follows is of first order.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/rubbing_elements.h"
#include "voigt/io/scene.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

using testing::RubbingElement;

struct SteppedEnd {
  double rate = 0, start = 0;
  int changes = 0;
};

SteppedEnd RunSteps(const std::string& text, FormulationKind kind, double h) {
  Scene scene = ParseScene(text, "text");
  scene.settings.formulation.kind = kind;
  scene.settings.step = h;
  Simulator simulator(scene.model, scene.settings, scene.initial);
  SteppedEnd out;
  const long count = std::lround(1 / h);
  for (long k = 0; k < count; ++k) {
    EXPECT_EQ(simulator.Step(), StepStatus::kOk);
    for (const Transition& change : simulator.last_transitions()) {
      if (change.to != Stiction::kSlip) continue;
      ++out.changes;
      out.start = change.t;
    }
  }
  EXPECT_EQ(simulator.audit().failed, 0);
  out.rate = simulator.state().v.norm();
  return out;
}

class ElementSteps : public ::testing::TestWithParam<RubbingElement> {};

TEST_P(ElementSteps, AreOfFirstOrder) {
  const RubbingElement& element = GetParam();
  for (double drop_speed : {0.0, 0.05}) {
    const double exact = element.CalcRate(drop_speed), start = element.CalcStart();
    for (FormulationKind kind : ListFormulationKinds()) {
      SCOPED_TRACE(fmt::format("{} {}", ToString(kind), drop_speed));
      // Least forces leave friction a little soft.
      const double soft = kind == FormulationKind::kCompliantQcqp ? 1e-3 : 0;
      double error[2];
      for (int k = 0; k < 2; ++k) {
        const double h = k == 0 ? 4e-3 : 1e-3;
        const SteppedEnd run = RunSteps(element.MakeScene(drop_speed), kind, h);
        EXPECT_EQ(run.changes, 1);
        EXPECT_NEAR(run.start, start, 2.5 * h);
        error[k] = run.rate - exact;
        EXPECT_LT(std::fabs(error[k]), 5 * h * exact + soft);
      }
      EXPECT_LT(std::fabs(error[1]), 0.5 * std::fabs(error[0]) + soft);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ElementSteps, ::testing::ValuesIn(testing::ListRubbingElements()),
                         [](const auto& param) { return param.param.name; });

// A puck that begins to slide slowly, by a pull that hardly exceeds friction, goes straight: with
// friction along the slip at the start of each step it went astray by as much as it moved.
TEST(ElementSteps, SlowSlipIsStraight) {
  const std::string puck = R"(
gravity: [0, 0, -10]
bodies: [{name: puck, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: free, type: free, child: puck}]
constraints: [{type: point-in-plane, body: puck, friction: {kinetic: 0.5}}]
loads: [{body: puck, force: ['0.6*(4.9+0.5*t)', '0.8*(4.9+0.5*t)', 0]}]
)";
  for (FormulationKind kind : ListFormulationKinds()) {
    SCOPED_TRACE(std::string(ToString(kind)));
    const double soft = kind == FormulationKind::kCompliantQcqp ? 1e-3 : 0;
    for (double h : {4e-3, 2e-3, 1e-3}) {
      Scene scene = ParseScene(puck, "text");
      scene.settings.formulation.kind = kind;
      scene.settings.step = h;
      Simulator simulator(scene.model, scene.settings, scene.initial);
      while (simulator.state().t < 0.4 - 0.5 * h) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
      // v = (t − 0.2)²/4 along (0.6, 0.8); a step late at most.
      const VecX& v = simulator.state().v;
      EXPECT_NEAR(0.6 * v[0] + 0.8 * v[1], 0.01, 0.1 * h + soft) << h;
      EXPECT_NEAR(0.8 * v[0] - 0.6 * v[1], 0, 1e-6 + soft) << h;
    }
  }
}

// The same where inertia differs along the plane, by a mass that only moves along x: the slip is
// along the acceleration, not along the pull.
TEST(ElementSteps, SlowSlipIsAlongTheAcceleration) {
  const std::string cart = R"(
gravity: [0, 0, -10]
bodies:
  - {name: cart, mass: 3, inertia: [1, 1, 1]}
  - {name: puck, mass: 1, inertia: [1, 1, 1]}
joints:
  - {name: along, type: prismatic, axis: [1, 0, 0], child: cart}
  - {name: across, type: prismatic, axis: [0, 1, 0], parent: cart, child: puck}
  - {name: up, type: prismatic, axis: [0, 0, 1], parent: puck, child: foot}
constraints: [{type: point-in-plane, body: foot, friction: {kinetic: 0.5}}]
loads: [{body: puck, force: ['0.6*(4.9+0.5*t)', '0.8*(4.9+0.5*t)', 0]}]
)";
  std::string text = cart;
  text.replace(text.find("joints:"), 0, "  - {name: foot, mass: 1, inertia: [1, 1, 1]}\n");
  Scene by_events = ParseScene(
      text + "simulation: {integrator: event-driven, formulation: working, step: 0.4}\n", "text");
  Simulator exact(by_events.model, by_events.settings, by_events.initial);
  ASSERT_EQ(exact.Step(0.4), StepStatus::kOk);
  const VecX expected = exact.state().v;
  EXPECT_GT(expected.norm(), 1e-3);
  double error[2];
  for (int k = 0; k < 2; ++k) {
    Scene scene = ParseScene(text, "text");
    scene.settings.step = k == 0 ? 2e-3 : 5e-4;
    Simulator simulator(scene.model, scene.settings, scene.initial);
    while (simulator.state().t < 0.4 - 1e-4) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    EXPECT_EQ(simulator.solver().not_solved, 0);
    error[k] = (simulator.state().v - expected).norm();
  }
  EXPECT_LT(error[0], 0.03 * expected.norm());
  EXPECT_NEAR(error[0] / error[1], 4, 1);
}

}  // namespace
}  // namespace voigt
