#include "voigt/sim/simulator.h"

#include <gtest/gtest.h>

#include "tests/support/scenes.h"
#include "voigt/base/errors.h"
#include "voigt/sim/run.h"

namespace voigt {
namespace {

constexpr const char* kCart = R"(
bodies: [{name: cart, mass: 2, inertia: [1, 1, 1]}]
joints: [{name: rail, type: prismatic, child: cart, axis: [1, 0, 0]}]
)";

std::string Complaint(const Model& model, const SimulationSettings& settings, const State& state) {
  try {
    Simulator simulator(model, settings, state);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// A body on two pins with a common axis turns about it.
TEST(Simulator, MovesLoops) {
  const Scene scene = ParseScene(R"(
bodies: [{name: a, mass: 1, com: [0, 1, 0], inertia: [1, 1, 1]}]
joints:
  - {name: first, type: revolute, child: a, axis: [1, 0, 0]}
  - {name: second, type: revolute, child: a, axis: [1, 0, 0], frame: {position: [2, 0, 0]},
     child_frame: {position: [2, 0, 0]}}
)",
                                 "scene");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  EXPECT_EQ(simulator.solver().not_solved, 0);
  EXPECT_NEAR(simulator.state().v[0], -9.81 / 2 * 0.1, 1e-3);
}

// The problem of the last step keeps its mass matrix although the bodies have gone on: its impulses
// explain its velocities.
TEST(Simulator, KeepsTheProblemOfTheLastStepWhole) {
  const Scene scene = testing::LoadNamedScene("slider_crank");
  Simulator simulator = testing::MakeSimulator(scene);
  for (int i = 0; i < 20; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  Auditor auditor;
  Audit audit;
  auditor.Calc(simulator.problem(), simulator.solution().gamma, simulator.solution().v1, nullptr,
               RuleOf(simulator.solution()), &audit);
  EXPECT_LT(audit.momentum, 1e-13);
  EXPECT_LT(audit.law, 1e-12);
}

TEST(Simulator, IntegratorsWithoutConstraintsRefuseThemByName) {
  Scene scene = ParseScene(R"(
bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]
joints:
  - {name: first, type: revolute, child: a}
  - {name: second, type: ball, child: a}
)",
                           "scene");
  scene.settings.integrator = Integrator::kRungeKutta4;
  const std::string complaint = Complaint(scene.model, scene.settings, scene.initial);
  EXPECT_NE(complaint.find("joint 'second'"), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("rk4"), std::string::npos) << complaint;
}

TEST(Simulator, RefusesStatesAndStepsThatMakeNoSense) {
  const Scene scene = ParseScene(kCart, "scene");
  State bad = scene.initial;
  bad.q.resize(3);
  EXPECT_NE(Complaint(scene.model, scene.settings, bad).find("3 coordinates"), std::string::npos);
  bad = scene.initial;
  bad.v[0] = kNaN;
  EXPECT_NE(Complaint(scene.model, scene.settings, bad).find("not finite"), std::string::npos);
  SimulationSettings settings = scene.settings;
  settings.step = -1;
  EXPECT_NE(Complaint(scene.model, settings, scene.initial).find("step = -1"), std::string::npos);
  settings = scene.settings;
  settings.until = kNaN;
  EXPECT_NE(Complaint(scene.model, settings, scene.initial).find("until = nan"), std::string::npos);
}

TEST(Simulator, RefusesQuaternionsWithoutDirection) {
  const Scene scene = ParseScene(
      "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n"
      "joints: [{name: j, type: free, child: a}]\n",
      "scene");
  State bad = scene.initial;
  bad.q.setZero();
  EXPECT_EQ(Complaint(scene.model, scene.settings, bad),
            "scene:2:10: joint 'j': the quaternion of its initial state is zero");
}

// Rates without inertia are found in their lines, on loops as well.
TEST(Simulator, ListsAllThatKeepsAModelFromMovingWithItsPlace) {
  const Scene scene = ParseScene(R"(
bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: tip, massless: true}]
joints:
  - {name: first, type: revolute, child: a}
  - {name: second, type: ball, child: a}
  - {name: third, type: revolute, parent: a, child: tip}
)",
                                 "scene");
  const std::string complaint = Complaint(scene.model, scene.settings, scene.initial);
  EXPECT_NE(complaint.find("scene:6:5: joint 'third': its rate 0 moves no inertia"),
            std::string::npos)
      << complaint;
}

TEST(Simulator, StopsBeforeAStepThatIsNotFiniteAndSaysSo) {
  for (const char* integrator : {"semi-implicit-euler", "rk4", "adaptive"}) {
    Scene scene = ParseScene(
        std::string(kCart) + "loads: [{joint: rail, force: 't < 0.05 ? 1 : sqrt(-1)'}]\n", "scene",
        {{"simulation.integrator", integrator}});
    Simulator simulator = testing::MakeSimulator(scene);
    while (simulator.state().t < 0.2 && simulator.Step() == StepStatus::kOk) {
    }
    EXPECT_NE(simulator.status(), StepStatus::kOk) << integrator;
    EXPECT_TRUE(simulator.state().IsFinite()) << integrator;
    EXPECT_LT(simulator.state().t, 0.0521) << integrator;
    const State last = simulator.state();
    EXPECT_NE(simulator.Step(), StepStatus::kOk);
    EXPECT_EQ(simulator.state(), last);
    EXPECT_GT(std::string(Explain(simulator.status())).size(), 20u);
  }
}

// A ball 0.2 m deep in the ground, nothing of which the step restores, so that it stays there.
constexpr char kSunkenBall[] = R"(
world: {geometry: [{shape: half-space}]}
bodies: [{name: ball, geometry: [{shape: sphere, radius: 1, density: 1}]}]
joints: [{name: free, type: free, child: ball}]
initial: {free: {position: [0, 0, 0.8]}}
simulation: {step: 0.01, stabilization: 0}
)";

TEST(Simulator, StopsWhereConstraintsAreViolatedByMoreThanAllowed) {
  for (const char* audit : {"true", "false"}) {
    const auto make = [&](const char* limit) {
      return testing::MakeSimulator(
          ParseScene(kSunkenBall, "scene",
                     {{"simulation.max_infeasibility", limit}, {"simulation.audit", audit}}));
    };
    Simulator stopped = make("0.19");
    const State start = stopped.state();
    EXPECT_EQ(stopped.Step(), StepStatus::kTooInfeasible);
    EXPECT_EQ(stopped.state(), start);
    EXPECT_NE(std::string(Explain(stopped.status())).find("max_infeasibility"), std::string::npos);
    for (const char* limit : {"0.21", "inf"}) {
      Simulator simulator = make(limit);
      EXPECT_EQ(simulator.Step(), StepStatus::kOk) << limit;
      EXPECT_EQ(simulator.Step(), StepStatus::kOk) << limit;
    }
  }
}

TEST(Simulator, RefusesLimitsOfInfeasibilityThatMakeNoSense) {
  for (const char* limit : {"-1", "deep"}) {
    EXPECT_THROW(ParseScene(kSunkenBall, "scene", {{"simulation.max_infeasibility", limit}}),
                 InputError)
        << limit;
  }
  Scene scene = ParseScene(kSunkenBall, "scene");
  scene.settings.max_infeasibility = kNaN;
  EXPECT_NE(Complaint(scene.model, scene.settings, scene.initial).find("max infeasibility = nan"),
            std::string::npos);
}

TEST(Simulator, GivesTheSameBitsEveryTime) {
  for (const char* name : {"humanoid", "joint_zoo", "chain"}) {
    const Scene scene = testing::LoadNamedScene(name, {{"simulation.until", "0.2"}});
    EXPECT_EQ(testing::RunToEnd(scene), testing::RunToEnd(scene)) << name;
  }
}

TEST(Simulator, ContinuesFromACopiedStateBitForBit) {
  for (const char* integrator : {"semi-implicit-euler", "rk4", "adaptive"}) {
    const Scene scene =
        testing::LoadNamedScene("joint_zoo", {{"simulation.integrator", integrator}});
    Simulator whole = testing::MakeSimulator(scene);
    for (int i = 0; i < 50; ++i) whole.Step();
    const State saved = State::Restore(whole.state().Serialize());
    for (int i = 0; i < 50; ++i) whole.Step();
    Simulator rest(scene.model, scene.settings, saved);
    for (int i = 0; i < 50; ++i) rest.Step();
    EXPECT_EQ(rest.state(), whole.state()) << integrator;
  }
}

TEST(Simulator, KeepsTheStateBeforeAFailedStepOfAnyIntegrator) {
  for (const char* integrator : {"semi-implicit-euler", "rk4", "adaptive"}) {
    const Scene scene = ParseScene(
        std::string(kCart) + "loads: [{joint: rail, force: 't < 0.05 ? 1 : sqrt(-1)'}]\n" +
            "simulation: {step: 0.04}\n",
        "scene", {{"simulation.integrator", integrator}});
    Simulator simulator = testing::MakeSimulator(scene);
    State before = simulator.state();
    while (simulator.Step() == StepStatus::kOk) before = simulator.state();
    EXPECT_EQ(simulator.state(), before) << integrator;
  }
}

TEST(Run, CountsStepsAndKeepsFirstDueAndLastSamples) {
  const Scene scene = ParseScene(
      std::string(kCart) + "simulation: {step: 0.01, until: 0.25, record_interval: 0.1}\n",
      "scene");
  Simulator simulator = testing::MakeSimulator(scene);
  Recorder recorder(scene.settings.record_interval);
  int calls = 0;
  const RunSummary summary = voigt::Run(&simulator, &recorder, [&](double) { ++calls; });
  EXPECT_EQ(summary.steps, 25);
  EXPECT_EQ(calls, 25);
  EXPECT_NEAR(summary.simulated_time, 0.25, 1e-12);
  ASSERT_EQ(recorder.samples().size(), 4u);
  EXPECT_EQ(recorder.samples()[0].t, 0);
  EXPECT_NEAR(recorder.samples()[1].t, 0.1, 1e-12);
  EXPECT_NEAR(recorder.samples()[2].t, 0.2, 1e-12);
  EXPECT_NEAR(recorder.samples()[3].t, 0.25, 1e-12);
}

TEST(Run, StopsBetweenStepsWhenAsked) {
  const Scene scene =
      ParseScene(std::string(kCart) + "simulation: {step: 0.01, until: 0.25}\n", "scene");
  Simulator simulator = testing::MakeSimulator(scene);
  const auto stop = [&] { return simulator.steps() == 7; };
  const RunSummary summary = voigt::Run(&simulator, nullptr, nullptr, stop);
  EXPECT_TRUE(summary.stopped);
  EXPECT_EQ(summary.steps, 7);
  EXPECT_EQ(summary.status, StepStatus::kOk);
  // And goes on from there.
  const RunSummary rest = voigt::Run(&simulator, nullptr);
  EXPECT_FALSE(rest.stopped);
  EXPECT_EQ(rest.steps, 18);
}

TEST(Run, CountsContactsThatCarryForce) {
  const Scene scene = ParseScene(R"(
world: {geometry: [{shape: half-space}]}
bodies: [{name: b, geometry: [{shape: box, size: [1, 1, 1], density: 10}]}]
joints: [{name: j, type: free, child: b}]
initial: {j: {position: [0, 0, 0.6]}}
simulation: {step: 0.01, until: 1}
)",
                                 "scene");
  Simulator simulator = testing::MakeSimulator(scene);
  const RunSummary summary = voigt::Run(&simulator, nullptr);
  EXPECT_EQ(simulator.contact_count(), 4) << "its corners";
  EXPECT_EQ(summary.contacts.most, 4);
  // It falls 10 cm for 0.14 s first.
  EXPECT_NEAR(summary.contacts.sum, 4 * 86, 12);
}

TEST(Run, EndsAtTheEndTimeWithAShorterStep) {
  const Scene scene =
      ParseScene(std::string(kCart) + "simulation: {step: 0.3, until: 1}\n", "scene");
  Simulator simulator = testing::MakeSimulator(scene);
  const RunSummary summary = voigt::Run(&simulator, nullptr);
  EXPECT_EQ(summary.steps, 4);
  EXPECT_NEAR(simulator.state().t, 1, 1e-15);
}

// Rounding of 200 000 times neither adds a step nor lets samples slip.
TEST(Run, CountsShortStepsExactly) {
  const Scene scene = ParseScene(
      std::string(kCart) + "simulation: {step: 1e-5, until: 2, record_interval: 1e-2}\n", "scene");
  Simulator simulator = testing::MakeSimulator(scene);
  Recorder recorder(scene.settings.record_interval);
  EXPECT_EQ(voigt::Run(&simulator, &recorder).steps, 200000);
  ASSERT_EQ(recorder.samples().size(), 201u);
  for (int i = 0; i <= 200; ++i) EXPECT_NEAR(recorder.samples()[i].t, 0.01 * i, 1e-9);
}

// What happened before a run is not the run's.
TEST(Run, CountsFromItsOwnBeginning) {
  const Scene scene = ParseScene(std::string(kCart) + "loads: [{joint: rail, force: 3}]\n" +
                                     "simulation: {step: 0.01, until: 1}\n",
                                 "scene");
  Simulator simulator = testing::MakeSimulator(scene);
  for (int i = 0; i < 50; ++i) simulator.Step();
  const RunSummary summary = voigt::Run(&simulator, nullptr);
  EXPECT_EQ(summary.steps, 50);
  EXPECT_NEAR(summary.Drift(), 0, 1e-12);
}

// A constant force on a cart: everything is known.
TEST(Run, SummarisesEnergyAndWork) {
  for (const char* integrator : {"semi-implicit-euler", "rk4", "adaptive"}) {
    const Scene scene = ParseScene(std::string(kCart) + "loads: [{joint: rail, force: 3}]\n" +
                                       "simulation: {step: 0.01, until: 1}\n",
                                   "scene", {{"simulation.integrator", integrator}});
    Simulator simulator = testing::MakeSimulator(scene);
    Recorder recorder;
    const RunSummary summary = voigt::Run(&simulator, &recorder);
    const double v = 1.5;
    EXPECT_NEAR(summary.end.kinetic, 0.5 * 2 * v * v, 1e-12) << integrator;
    EXPECT_NEAR(summary.work, summary.end.kinetic, 1e-12) << integrator;
    EXPECT_NEAR(summary.Drift(), 0, 1e-12) << integrator;
    EXPECT_NEAR(summary.peak_kinetic, summary.end.kinetic, 1e-12) << integrator;
  }
}

}  // namespace
}  // namespace voigt
