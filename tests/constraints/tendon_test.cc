#include "voigt/constraints/tendon.h"

#include <gtest/gtest.h>

#include "tests/support/specs.h"
#include "voigt/io/scene.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

// A mass of 2 kg on a slide, pulled up by a spring that is slack between 0.1 and 0.4 m.
Scene MakeSlackScene(const std::string& gravity, const std::string& start) {
  return ParseScene(R"(
gravity: [0, 0, )" + gravity +
                        R"(]
bodies: [{name: a, mass: 2, inertia: [1, 1, 1]}]
joints: [{name: slide, type: prismatic, child: a}]
tendons:
  - {name: t, terms: [{joint: slide, factor: 1}], damping: 20,
     spring: {stiffness: 100, rest: 0.1, slack: 0.3}}
initial: {slide: )" + start +
                        R"(}
simulation: {step: 0.01, until: 20}
)",
                    "slack.yaml");
}

double CalcRest(const Scene& scene) {
  Simulator simulator(scene.model, scene.settings, scene.initial);
  for (int i = 0; i < 2000; ++i) EXPECT_EQ(simulator.Step(), StepStatus::kOk);
  return simulator.state().q[0];
}

TEST(Tendon, SpringWithSlackHoldsALoadBeyondEitherEnd) {
  EXPECT_NEAR(CalcRest(MakeSlackScene("-10", "0.2")), 0.1 - 2 * 10 / 100.0, 1e-9);
  EXPECT_NEAR(CalcRest(MakeSlackScene("10", "0.2")), 0.4 + 2 * 10 / 100.0, 1e-9);
}

TEST(Tendon, SpringWithSlackDoesNothingBetween) {
  EXPECT_NEAR(CalcRest(MakeSlackScene("0", "0.3")), 0.3, 1e-14);
}

}  // namespace
}  // namespace voigt
