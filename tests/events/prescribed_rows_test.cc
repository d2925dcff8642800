// Constraints that only move what is prescribed: no force acts on them, and nothing of them is
// dropped in silence.

#include <fmt/format.h>

#include "tests/events/event_run.h"
#include "voigt/base/errors.h"

namespace voigt {
namespace {

constexpr char kByWorking[] =
    "simulation: {integrator: event-driven, formulation: working, until: 3, step: 0.1}\n";

RunSummary RunPrescribed(const std::string& text) {
  const Scene scene = ParseScene(text + kByWorking, "text");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  return Run(&simulator, nullptr);
}

constexpr char kTwoSliders[] = R"(
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1]}
  - {name: b, mass: 1, inertia: [1, 1, 1]}
joints:
  - {name: left, type: prismatic, axis: [1, 0, 0], child: a}
  - {name: right, type: prismatic, axis: [1, 0, 0], child: b}
)";

TEST(PrescribedRows, LimitEndsTheRun) {
  const std::string slider = R"(
bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: left, type: prismatic, axis: [1, 0, 0], child: a, limits: [-1, 0.5]}]
)";
  const RunSummary beyond =
      RunPrescribed(slider + "drives: [{type: prescribed, joint: left, position: 0.3 * t}]\n");
  EXPECT_EQ(beyond.status, StepStatus::kContradiction);
  EXPECT_NEAR(beyond.simulated_time, 0.5 / 0.3, 0.1);
  EXPECT_NE(beyond.trouble.find("'left'"), std::string::npos) << beyond.trouble;
  const RunSummary within =
      RunPrescribed(slider + "drives: [{type: prescribed, joint: left, position: 0.1 * t}]\n");
  EXPECT_EQ(within.status, StepStatus::kOk);
}

TEST(PrescribedRows, CouplerHasToAgree) {
  const auto run = [](const char* right) {
    return RunPrescribed(
        std::string(kTwoSliders) +
        "constraints: [{name: gear, type: coupler, terms: [{joint: right, factor: 1}, {joint: "
        "left, factor: "
        "-2}]}]\n" +
        fmt::format("drives: [{{type: prescribed, joint: left, position: 0.5 * t^2}}, {{type: "
                    "prescribed, joint: right, position: {}}}]\n",
                    right));
  };
  EXPECT_EQ(run("t^2").status, StepStatus::kOk);
  const RunSummary apart = run("t^2 + 1e-3 * t^3");
  EXPECT_EQ(apart.status, StepStatus::kContradiction);
  EXPECT_EQ(apart.trouble, "constraint 'gear'");
  EXPECT_LT(apart.simulated_time, 0.11);
}

// A rod of length 1 between sliders at right angles, both told what to do: the start is met, though
// nothing moves in its first moment.
TEST(PrescribedRows, StartFromRestIsMetWhereItIsTied) {
  const std::string cross = R"(
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1]}
  - {name: b, mass: 1, inertia: [1, 1, 1]}
joints:
  - {name: x, type: prismatic, axis: [1, 0, 0], child: a}
  - {name: y, type: prismatic, axis: [0, 1, 0], child: b}
constraints: [{type: distance, body: a, on: b, length: 1}]
)";
  const auto drives = [](const char* y) {
    return fmt::format(
        "drives: [{{type: prescribed, joint: x, position: 0.6 + 0.02 * t^2}}, {{type: prescribed, "
        "joint: y, position: '{}'}}]\n",
        y);
  };
  const RunSummary run = RunPrescribed(cross + drives("sqrt(1 - (0.6 + 0.02 * t^2)^2)"));
  EXPECT_EQ(run.status, StepStatus::kOk);
  const Scene scene =
      ParseScene(cross + drives("sqrt(1 - (0.6 + 0.02 * t^2)^2)") + kByWorking, "text");
  EXPECT_LT(scene.initial.v.norm(), 1e-10);
  // One that starts in another way is refused still.
  EXPECT_THROW(ParseScene(cross + drives("0.8 + 1e-3 * t") + kByWorking, "text"), InputError);
}

// Rates that are met at the start are those of the functions, not means over some time.
TEST(PrescribedRows, StartHasTheRateOfTheFunction) {
  const Scene scene =
      ParseScene(std::string(kTwoSliders) +
                     "drives: [{type: prescribed, joint: left, position: 0.3 * sin(2 * t + 1)}]\n" +
                     kByWorking,
                 "text");
  EXPECT_NEAR(scene.initial.v[0], 0.6 * std::cos(1), 1e-11);
}

// A wheel that turns in its bearing as it is told to: its motor bears the friction.
TEST(PrescribedRows, MotorBearsFriction) {
  const std::string wheel = R"(
gravity: [0, 0, -10]
bodies: [{name: wheel, mass: 2, inertia: [0.1, 0.1, 0.1]}]
joints: [{name: pin, type: revolute, axis: [0, 1, 0], child: wheel, friction: {kinetic: 0.3, radius: 0.1}}]
drives: [{type: prescribed, joint: pin, position: 3 * t + 0.5 * t^2}]
)";
  const RunSummary run = RunPrescribed(wheel);
  ASSERT_EQ(run.status, StepStatus::kOk);
  EXPECT_NEAR(run.prescribed_force[0], 0.1 * 1 + 0.3 * 0.1 * 20, 1e-9);
  // 13.5 rad in 3 s.
  EXPECT_NEAR(run.constraint_work, -0.6 * 13.5, 1e-9);
  EXPECT_NEAR(run.Drift(), 0, 1e-9);
}

TEST(PrescribedRows, FrictionOfAnUndeterminedReactionIsRefused) {
  const std::string text =
      std::string(kTwoSliders) +
      "constraints: [{name: rail, type: point-on-line, body: a, direction: [1, 0, 0], friction: "
      "{kinetic: 0.2}}]\n"
      "drives: [{type: prescribed, joint: left, position: 0.1 * t}]\n" +
      kByWorking;
  try {
    const Scene scene = ParseScene(text, "text");
    Simulator simulator(scene.model, scene.settings, scene.initial);
    ADD_FAILURE() << "was not refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("is not determined"), std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("rail"), std::string::npos) << error.what();
  }
}

// Bodies that are told to run into each other.
TEST(PrescribedRows, CollisionEndsTheRun) {
  const RunSummary run = RunPrescribed(R"(
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1}]}
joints: [{name: left, type: prismatic, axis: [0, 0, -1], child: a, frame: {position: [0, 0, 0.5]}}]
world: {geometry: [{shape: half-space}]}
drives: [{type: prescribed, joint: left, position: 0.2 * t}]
)");
  EXPECT_EQ(run.status, StepStatus::kContradiction);
  EXPECT_EQ(run.trouble, "the contact of world and a, point 0");
  EXPECT_NEAR(run.simulated_time, 2, 0.11);
}

}  // namespace
}  // namespace voigt
