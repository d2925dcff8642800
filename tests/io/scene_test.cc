#include "voigt/io/scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "tests/io/scene_problems.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

using testing::ExpectLines;
using testing::FindProblems;

const char kPendulum[] = R"(name: Pendulum
description: >
  A rod on a pin.
parameters: {m: 2, length: 1}
bodies:
  - {name: rod, mass: m, com: [0, 0, -length / 2], inertia: [1, 1, 1]}
joints:
  - {name: pin, type: revolute, child: rod, axis: [0, 1, 0]}
initial: {pin: 0.3}
simulation: {step: 1/128, until: 0.5, record_interval: 0.1, integrator: rk4, curvature: printed}
)";

TEST(Scene, HasEverythingTheFileSays) {
  const Scene scene = ParseScene(kPendulum, "p.yaml");
  EXPECT_EQ(scene.file, "p.yaml");
  EXPECT_EQ(scene.model.name(), "Pendulum");
  EXPECT_EQ(scene.description, "A rod on a pin.\n");
  EXPECT_EQ(scene.model.TotalMass(), 2);
  EXPECT_EQ(scene.model.body(1).mass.com, Vec3(0, 0, -0.5));
  EXPECT_EQ(scene.initial.q[0], 0.3);
  EXPECT_EQ(scene.settings.step, 0.0078125);
  EXPECT_EQ(scene.settings.until, 0.5);
  EXPECT_EQ(scene.settings.record_interval, 0.1);
  EXPECT_EQ(scene.settings.integrator, Integrator::kRungeKutta4);
  EXPECT_EQ(scene.settings.curvature, CurvatureTerm::kPrinted);
}

TEST(Scene, HasDefaults) {
  const Scene scene =
      ParseScene("bodies:\njoints:\nloads:\ndrives:\nsimulation:\n", "folder/a.yaml");
  EXPECT_EQ(scene.model.name(), "folder/a.yaml");
  EXPECT_EQ(scene.description, "");
  EXPECT_EQ(scene.model.gravity(), Vec3(0, 0, -9.81));
  EXPECT_EQ(scene.settings.step, 1e-3);
  EXPECT_EQ(scene.settings.until, 1);
  EXPECT_EQ(scene.settings.record_interval, 0);
  EXPECT_EQ(scene.settings.integrator, Integrator::kSemiImplicitEuler);
  EXPECT_EQ(scene.settings.curvature, CurvatureTerm::kNone);
}

TEST(Scene, KnowsAllIntegrators) {
  for (Integrator integrator : {Integrator::kSemiImplicitEuler, Integrator::kRungeKutta4,
                                Integrator::kAdaptive, Integrator::kEventDriven}) {
    const std::string name(ToString(integrator));
    const Scene scene = ParseScene("simulation: {integrator: " + name + "}", "s");
    EXPECT_EQ(scene.settings.integrator, integrator) << name;
  }
}

// Impacts are those of maximum dissipation unless the scene says otherwise.
TEST(Scene, ChoosesTheFormulationOfImpacts) {
  const auto kind = [](const std::string& more) {
    return ParseScene("simulation: {integrator: event-driven" + more + "}", "s")
        .settings.formulation.kind;
  };
  EXPECT_EQ(kind(""), FormulationKind::kMaxDissipation);
  EXPECT_EQ(kind(", formulation: compliant"), FormulationKind::kCompliant);
}

TEST(Scene, ReadsGravity) {
  EXPECT_EQ(ParseScene("gravity: [0, 1, -2 * 2]", "s").model.gravity(), Vec3(0, 1, -4));
}

TEST(Scene, ObeysOverrides) {
  const Scene scene = ParseScene(kPendulum, "p.yaml",
                                 {{"parameters.m", "3"},
                                  {"gravity", "[0, 0, -1.62]"},
                                  {"bodies.rod.com", "[0, 0, -length]"},
                                  {"joints[0].damping", "0.1"},
                                  {"initial.pin", "{q: 1, v: 2}"},
                                  {"simulation.integrator", "adaptive"}});
  EXPECT_EQ(scene.model.TotalMass(), 3);
  EXPECT_EQ(scene.model.gravity(), Vec3(0, 0, -1.62));
  EXPECT_EQ(scene.model.body(1).mass.com, Vec3(0, 0, -1));
  EXPECT_EQ(scene.model.joint(1).damping[0], 0.1);
  EXPECT_EQ(scene.initial.q[0], 1);
  EXPECT_EQ(scene.initial.v[0], 2);
  EXPECT_EQ(scene.settings.integrator, Integrator::kAdaptive);
}

TEST(Scene, LoadsFromAFile) {
  const std::string path = ::testing::TempDir() + "voigt_scene_loads_from_a_file.yaml";
  std::ofstream(path) << kPendulum;
  const Scene scene = LoadScene(path);
  EXPECT_EQ(scene.file, path);
  EXPECT_EQ(scene.initial.q[0], 0.3);
  std::ofstream(path) << "nmae: x\n";
  try {
    LoadScene(path);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), path + ":1:1: unknown key 'nmae': did you mean 'name'?");
  }
  std::filesystem::remove(path);
}

TEST(Scene, SaysWhichFileIsMissing) {
  EXPECT_THROW(LoadScene(::testing::TempDir() + "voigt_no_such_scene.yaml"), InputError);
}

TEST(Scene, EveryOneInTheFolderLoadsAndRuns) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(VOIGT_SOURCE_DIR) + "/scenes")) {
    if (entry.path().extension() != ".yaml") continue;
    ++count;
    const Scene scene = LoadScene(entry.path().string());
    // A scene that others may run says what it is.
    EXPECT_NE(scene.model.name(), scene.file) << entry.path();
    EXPECT_NE(scene.description, "") << entry.path();
    Simulator simulator(scene.model, scene.settings, scene.initial);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(simulator.Step(), StepStatus::kOk) << entry.path();
  }
  EXPECT_GE(count, 2);
}

// A pendulum of one bar swings alike in the angle of its pin and in the pose of its body.
TEST(Scene, MaximalCoordinatesAreThoseOfTheBodies) {
  const std::string text = R"(
bodies: [{name: bar, mass: 2, com: [0.5, 0, 0], inertia: [0.01, 0.2, 0.2]}]
joints: [{name: pin, type: revolute, child: bar, axis: [0, 1, 0]}]
initial: {pin: {q: 0.3, v: 1}}
simulation: {step: 0.001, kick: whole, coordinates: )";
  const Scene minimal = ParseScene(text + "minimal}", "s");
  const Scene maximal = ParseScene(text + "maximal}", "s");
  EXPECT_EQ(minimal.model.nv(), 1);
  ASSERT_EQ(maximal.model.nv(), 6);
  ASSERT_EQ(maximal.model.loops().size(), 1u);
  Simulator angle(minimal.model, minimal.settings, minimal.initial);
  Simulator pose(maximal.model, maximal.settings, maximal.initial);
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(angle.Step(), StepStatus::kOk);
    ASSERT_EQ(pose.Step(), StepStatus::kOk);
  }
  const double turn = 2 * std::atan2(pose.state().q[5], pose.state().q[3]);
  EXPECT_GT(std::abs(angle.state().q[0] - 0.3), 0.1);
  // Both are right to the order of the step.
  EXPECT_NEAR(turn, angle.state().q[0], 1e-3);
  ExpectLines(FindProblems("simulation: {coordinates: some}"),
              {{"s:1:27: simulation.coordinates: ", "'some', expected minimal or maximal"}});
}

TEST(SceneErrors, NameFileLineAndColumn) {
  try {
    ParseScene("bodies:\n  - name: arm\n    mass: heavy\n", "robot.yaml");
    FAIL();
  } catch (const InputError& error) {
    const Problem& problem = error.problems()[0];
    EXPECT_EQ(problem.where.file, "robot.yaml");
    EXPECT_EQ(problem.where.line, 3);
    EXPECT_EQ(problem.where.column, 11);
    EXPECT_EQ(problem.element, "bodies[0] 'arm'.mass");
  }
}

// Problems of YAML, of expansion, of the reader, of the model and of overrides, all at once.
TEST(SceneErrors, AreListedAllInOneGo) {
  const std::string text = R"(name: Robot
name: again
parameters: {n: 2, m: n *}
gravity: [0, 0]
bodies:
  - {name: arm, mass: heavy, inertia: [1, 1, 1]}
  - {name: hand, mass: -1, inertia: [1, 1, 1], colour: red}
  - {name: "finger${k}", mass: 1, inertia: [1, 1, 5]}
joints:
  - {name: shoulder, type: hinge, child: arm}
  - {name: elbow, type: revolute, parent: arm, child: hnad, limits: [1, 0]}
loads:
  - {body: foot, force: [1, 2, t]}
drives:
  - {type: engine, joint: elbow, stiffness: 1, target: 0}
initial: {elbw: 1}
simulation: {step: 0}
)";
  ExpectLines(
      FindProblems(text, {{"bodies.toe.mass", "1"}}),
      {{"s:2:1: ", "key 'name' is given twice, first at line 1"},
       {"s:3:23: parameters.m: ", "'n *', expected a number"},
       {"s:8:12: ", "in ${k}: "},
       {"--set bodies.toe.mass=1: ", "'bodies' has no element 'toe'"},
       {"s:4:10: gravity: ", "a list of 2, expected three numbers"},
       {"s:6:23: bodies[0] 'arm'.mass: ", "'heavy', expected a number"},
       {"s:7:48: bodies[1] 'hand': ", "unknown key 'colour', expected one of name, massless, mass"},
       {"s:10:28: joints[0] 'shoulder'.type: ", "'hinge', expected fixed, revolute, "},
       {"s:15:12: drives[0].type: ", "'engine', expected servo"},
       {"s:16:11: initial: ", "joint 'elbw' does not exist"},
       {"s:17:20: simulation.step: ", "0, expected a positive time in s"},
       {"s:11:5: joint 'elbow': ", "child body 'hnad' does not exist"},
       {"s:11:5: joint 'elbow': ", "limits [1, 0]"},
       {"s:13:5: load 'loads[0]': ", "body 'foot' does not exist"},
       {"s:7:5: body 'hand': ", "mass = -1"},
       {"s:8:5: body 'finger${k}': ", "principal moments of inertia are 1, 1, 5"}});
}

TEST(SceneErrors, OfRepeatedElementsAreReportedOnce) {
  const std::string text =
      "bodies:\n"
      "  - {repeat: {i: 50}, name: \"b${i}\", mass: x, inertia: point}\n"
      "joints:\n"
      "  - {repeat: {i: 50}, name: \"j${i}\", type: free, child: \"b${i + q}\"}\n";
  ExpectLines(FindProblems(text),
              {{"s:4:57: ", "in ${i + q}: "},
               {"s:2:44: bodies[0] 'b0'.mass: ", "'x', expected a number"},
               {"s:4:5: joint 'j0': ", "child body 'b${i + q}' does not exist"}});
}

TEST(SceneErrors, OfRepeatedElementsAreCountedWhereTheyDiffer) {
  ExpectLines(
      FindProblems("bodies: [{name: b, massless: true}]\n"
                   "joints:\n"
                   "  - {name: k, type: free, child: b}\n"
                   "  - {repeat: {i: 50}, name: \"j${i}\", type: free, child: \"c${i}\"}\n"),
      {{"s:4:5: joint 'j0': ", "child body 'c0' does not exist, and 49 more like it"}});
}

}  // namespace
}  // namespace voigt
