// voigt sim, run as a user runs it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "tests/apps/json.h"
#include "tests/apps/program.h"
#include "tests/plot/svg.h"
#include "tests/support/pressed_block.h"
#include "voigt/formulations/compliant/compliant.h"
#include "voigt/model/maximal.h"
#include "voigt/problem/problem_file.h"
#include "voigt/voigt.h"

namespace voigt {
namespace {

using testing::Json;
using testing::ParseJson;
using testing::ProgramResult;

class SimCommand : public testing::ProgramTest {
 protected:
  SimCommand() { Write("arm.yaml", kArm); }

  // The JSON of a run that ends well.
  Json RunJson(const std::string& arguments) const {
    const ProgramResult result = Run("sim " + arguments + " --json");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return ParseJson(result.out);
  }

  // The same run through the library.
  static Simulator RunInLibrary(const Scene& scene, RunSummary* summary = nullptr) {
    Simulator simulator(scene.model, scene.settings, scene.initial);
    Recorder recorder(scene.settings.record_interval);
    const RunSummary done = voigt::Run(&simulator, &recorder);
    if (summary != nullptr) *summary = done;
    return simulator;
  }

  static void ExpectSameNumbers(const Json& list, const VecX& expected) {
    ASSERT_EQ(list.items.size(), static_cast<size_t>(expected.size()));
    for (size_t i = 0; i < list.items.size(); ++i) EXPECT_EQ(list.items[i].number, expected[i]);
  }

  static constexpr char kArm[] = R"(name: Arm
parameters: {m: 2}
bodies:
  - {name: upper, mass: m, com: [0, 0, -0.5], inertia: [0.2, 0.2, 0.1]}
  - {name: lower, mass: 1, com: [0, 0, -0.4], inertia: [0.1, 0.1, 0.05]}
joints:
  - {name: shoulder, type: ball, child: upper, damping: 0.1}
  - name: elbow
    type: revolute
    parent: upper
    child: lower
    frame: {position: [0, 0, -1]}
    axis: [0, 1, 0]
    spring: {stiffness: 3}
initial:
  shoulder: {rpy: [1, 0.5, 0], angular_velocity: [0, 1, 2]}
  elbow: 0.4
simulation: {step: 1e-3, until: 0.25}
)";
};

TEST_F(SimCommand, SummarySaysWhatHappened) {
  const ProgramResult result = Run("sim arm.yaml");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  RunSummary summary;
  RunInLibrary(ParseScene(kArm, "arm.yaml"), &summary);
  std::vector<std::string> expected = {
      "scene       Arm (arm.yaml)\n",
      "model       2 bodies, 2 joints, 4 degrees of freedom, 3 kg\n",
      "integrator  semi-implicit-euler, step 0.001 s\n",
      "simulated   0.25 s in 250 steps\n",
      "wall time   ",
      " x real time\n",
      "energy [J]                       start             end\n"};
  const auto add_row = [&](const char* name, double start, double end) {
    expected.push_back(fmt::format("  {:<20}{:>16.9g}{:>16.9g}\n", name, start, end));
  };
  add_row("kinetic", summary.start.kinetic, summary.end.kinetic);
  add_row("gravity", summary.start.gravity, summary.end.gravity);
  add_row("springs", summary.start.spring, summary.end.spring);
  add_row("total", summary.start.Total(), summary.end.Total());
  expected.push_back(fmt::format("work of loads, dampers and drives   {:>16.9g}\n", summary.work));
  expected.push_back("drift of the integrator");
  size_t at = 0;
  for (const std::string& line : expected) {
    const size_t found = result.out.find(line, at);
    EXPECT_NE(found, std::string::npos) << line << "\nin\n" << result.out;
    if (found != std::string::npos) at = found;
  }
  EXPECT_EQ(result.out.find("notice"), std::string::npos);
}

TEST_F(SimCommand, JsonHoldsTheSummaryAndTheFinalState) {
  const Json json = RunJson("arm.yaml");
  RunSummary summary;
  const Simulator simulator = RunInLibrary(ParseScene(kArm, "arm.yaml"), &summary);
  EXPECT_EQ(json["scene"].text, "arm.yaml");
  EXPECT_EQ(json["name"].text, "Arm");
  EXPECT_EQ(json["status"].text, "ok");
  EXPECT_EQ(json["bodies"].number, 2);
  EXPECT_EQ(json["joints"].number, 2);
  EXPECT_EQ(json["dofs"].number, 4);
  EXPECT_EQ(json["mass"].number, 3);
  EXPECT_EQ(json["integrator"].text, "semi-implicit-euler");
  EXPECT_EQ(json["step"].number, 1e-3);
  EXPECT_EQ(json["steps"].number, 250);
  EXPECT_EQ(json["simulated_time"].number, summary.simulated_time);
  EXPECT_GT(json["wall_time"].number, 0);
  EXPECT_NEAR(json["real_time_factor"].number * json["wall_time"].number, 0.25, 1e-9);
  EXPECT_EQ(json["energy_start"]["kinetic"].number, summary.start.kinetic);
  EXPECT_EQ(json["energy_start"]["total"].number, summary.start.Total());
  EXPECT_EQ(json["energy_end"]["gravity"].number, summary.end.gravity);
  EXPECT_EQ(json["energy_end"]["spring"].number, summary.end.spring);
  EXPECT_EQ(json["peak_kinetic_energy"].number, summary.peak_kinetic);
  EXPECT_EQ(json["work"].number, summary.work);
  EXPECT_EQ(json["drift"].number, summary.Drift());
  EXPECT_TRUE(json["notices"].items.empty());
  EXPECT_EQ(json["t"].number, simulator.state().t);
  ExpectSameNumbers(json["q"], simulator.state().q);
  ExpectSameNumbers(json["v"], simulator.state().v);
}

TEST_F(SimCommand, FinalStateIsThatOfTheLibraryToTheLastBit) {
  const std::string path = std::string(VOIGT_SOURCE_DIR) + "/scenes/joint_zoo.yaml";
  for (const char* integrator : {"semi-implicit-euler", "rk4", "adaptive"}) {
    const Json json = RunJson("'" + path + "' --until 0.05 --integrator " + integrator);
    const Simulator simulator = RunInLibrary(
        LoadScene(path, {{"simulation.until", "0.05"}, {"simulation.integrator", integrator}}));
    EXPECT_EQ(json["integrator"].text, integrator);
    EXPECT_EQ(json["t"].number, simulator.state().t);
    ExpectSameNumbers(json["q"], simulator.state().q);
    ExpectSameNumbers(json["v"], simulator.state().v);
  }
}

// The ball of 1 m hits at √(2 H/g) and again 2 e times as long after that.
TEST_F(SimCommand, CountsEvents) {
  const std::string ball = "'" + std::string(VOIGT_SOURCE_DIR) +
                           "/scenes/bouncing_ball.yaml' --until 1.2 --integrator event-driven";
  const Json json = RunJson(ball);
  EXPECT_EQ(json["formulation"].text, "max-dissipation");
  EXPECT_EQ(json["events"]["impacts"].number, 2);
  EXPECT_EQ(json["events"]["rests"].number, 0);
  EXPECT_NE(Run("sim " + ball).out.find("events      2: 2 impacts, of up to 1 contacts at once"),
            std::string::npos);
}

// Forces of the moments where steps end, the audit of them, and what friction had locked.
TEST_F(SimCommand, TellsForcesAndLocksOfEventDrivenRuns) {
  const std::string scenes = "'" + std::string(VOIGT_SOURCE_DIR) + "/scenes/";
  const Json cart = RunJson(scenes + "cart_on_pads.yaml' --contacts pads.csv");
  EXPECT_EQ(cart["audit_of_moments"]["moments"].number, 20);
  EXPECT_EQ(cart["audit_of_moments"]["moments_failed"].number, 0);
  EXPECT_LT(cart["audit_of_moments"]["law"].number, 1e-12);
  EXPECT_GE(cart["audit_of_moments"]["cone"].number, 0);
  EXPECT_EQ(cart["locks"]["count"].number, 0);
  std::istringstream lines(Read("pads.csv"));
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) count += line.find("rigid") != std::string::npos;
  EXPECT_EQ(count, 2 * 20);
  EXPECT_NE(Run("sim " + scenes + "cart_on_pads.yaml'").out.find("audit of moments"),
            std::string::npos);

  const Json rod = RunJson(scenes + "painleve_rod.yaml'");
  ASSERT_EQ(rod["locks"]["count"].number, 1);
  EXPECT_EQ(rod["locks"]["list"].items[0]["t"].number, 0);
  EXPECT_EQ(rod["locks"]["list"].items[0]["element"].text, "the contact of floor and rod, point 0");
  EXPECT_NE(Run("sim " + scenes + "painleve_rod.yaml'")
                .out.find("at t = 0 s: the contact of floor and rod, point 0"),
            std::string::npos);
}

// Normal force and friction of each joint and guided point that rubs, and what finding them took.
TEST_F(SimCommand, TellsFrictionFromReactions) {
  const std::string pin =
      "'" + std::string(VOIGT_SOURCE_DIR) + "/scenes/pin_friction.yaml' --until 0.5";
  const Json json = RunJson(pin);
  ASSERT_EQ(json["guides"].items.size(), 1u);
  const Json& guide = json["guides"].items[0];
  EXPECT_EQ(guide["element"].text, "friction of joint 'pin'");
  EXPECT_EQ(guide["state"].text, "slip");
  const double q = json["q"].items[0].number, v = json["v"].items[0].number;
  const double N = (v * v + 9.81 * std::cos(q)) / std::sqrt(1 - 0.03 * 0.03);
  EXPECT_NEAR(guide["normal_force"].number, N, 1e-10);
  EXPECT_NEAR(guide["friction"].items[0].number, 0.03 * N, 1e-10);
  EXPECT_EQ(guide["rate"].items[0].number, v);
  EXPECT_GT(json["events"]["factorizations"].number, 0);
  EXPECT_LT(json["events"]["factorizations"].number, json["events"]["newton_iterations"].number);
  EXPECT_NE(Run("sim " + pin).out.find("rubbing     friction of joint 'pin': slip at the end"),
            std::string::npos);
}

// By repetition instead of Newton's method: the same motion.
TEST_F(SimCommand, FindsNormalForcesByRepetition) {
  const std::string pin = "'" + std::string(VOIGT_SOURCE_DIR) +
                          "/scenes/pin_friction.yaml' --until 0.5 --set simulation.normal_forces=";
  const Json newton = RunJson(pin + "newton"), repeated = RunJson(pin + "fixed-point");
  EXPECT_NEAR(newton["q"].items[0].number, repeated["q"].items[0].number, 1e-12);
  EXPECT_EQ(newton["events"]["fixed_point_iterations"].number, 0);
  EXPECT_EQ(repeated["events"]["newton_iterations"].number, 0);
  EXPECT_EQ(repeated["events"]["takeovers"].number, 0);
  EXPECT_GT(repeated["events"]["fixed_point_iterations"].number,
            repeated["events"]["evaluations"].number);
  EXPECT_NE(Run("sim " + pin + "fixed-point").out.find("repetitions for normal forces, 0 times"),
            std::string::npos);
}

// Contacts with more friction at rest tell their changes in time steps, too.
TEST_F(SimCommand, TellsChangesOfContactsInTimeSteps) {
  Write("pressed.yaml", testing::PressedBlock("step: 0.01, until: 2"));
  const Json json = RunJson("pressed.yaml");
  ASSERT_EQ(json["transitions"]["count"].number, 3);
  const Json& slip = json["transitions"]["list"].items[1];
  EXPECT_EQ(slip["element"].text, "floor and block, point 0");
  EXPECT_EQ(slip["from"].text, "stick");
  EXPECT_EQ(slip["to"].text, "slip");
  EXPECT_NEAR(slip["t"].number, 1, 0.021);
  EXPECT_NE(Run("sim pressed.yaml")
                .out.find("3 changes of state: 1 open to stick, 1 stick to slip, 1 slip to stick"),
            std::string::npos);
}

// A lid that jams between its two hinges and the floor, and a crate that falls above it. Where the
// loads of the hinges do not settle, constraints were solved nevertheless, and the notice does not
// say otherwise. (How many steps these are depends on the machine.)
TEST_F(SimCommand, TellsLoadsThatDoNotSettleFromConstraintsThatAreNotSolved) {
  Write("lid.yaml", R"(
materials: {default: {friction: 0.45, static_friction: 0.6}}
world: {geometry: [{name: floor, shape: half-space}]}
bodies:
  - {name: lid, mass: 8, com: [0.5, 0, 0], inertia: [0.4, 0.8, 1.1], geometry: [{shape: box, size: [1, 0.8, 0.04], position: [0.5, 0, 0]}]}
  - {name: crate, geometry: [{shape: box, size: [0.3, 0.3, 0.3], density: 200}]}
joints:
  - {name: left, type: revolute, axis: [0, 1, 0], child: lid, frame: {position: [0, -0.35, 1]}, child_frame: {position: [0, -0.35, 0]}, friction: {kinetic: 0.2, static: 0.3, radius: 0.02}}
  - {name: right, type: revolute, axis: [0, 1, 0], child: lid, frame: {position: [0, 0.35, 1]}, child_frame: {position: [0, 0.35, 0]}, friction: {kinetic: 0.2, static: 0.3, radius: 0.02}}
  - {name: free, type: free, child: crate}
initial: {left: {q: -5 deg}, free: {position: [0.5, 0, 1.5]}}
simulation: {until: 3, step: 0.005}
)");
  const Json json = RunJson("lid.yaml");
  ASSERT_LE(json["constraints"]["worst_residual"].number, 1e-12);
  const bool is_told = Run("sim lid.yaml").out.find("did not settle in") != std::string::npos;
  EXPECT_EQ(is_told, json["constraints"]["steps_not_solved"].number > 0);
  // It lies still, and its hinges stick.
  EXPECT_LT(std::fabs(json["v"].items[0].number), 1e-9);
  for (const Json& guide : json["guides"].items) EXPECT_EQ(guide["state"].text, "stick");
}

TEST_F(SimCommand, TheSameCommandGivesTheSameAnswer) {
  const auto answer = [&] {
    std::istringstream lines(Run("sim arm.yaml --json").out);
    std::string kept;
    int timings = 0;
    for (std::string line; std::getline(lines, line);) {
      const bool is_timing = line.find("\"wall_time\"") != std::string::npos ||
                             line.find("\"real_time_factor\"") != std::string::npos;
      timings += is_timing;
      if (!is_timing) kept += line + '\n';
    }
    EXPECT_EQ(timings, 2);
    return kept;
  };
  const std::string first = answer();
  EXPECT_EQ(first, answer());
  EXPECT_GT(first.size(), 500u);
}

// The file holds the problem of the last step: solved alone, it gives the impulses of the run.
TEST_F(SimCommand, DumpedProblemIsThatOfTheLastStep) {
  const std::string path = std::string(VOIGT_SOURCE_DIR) + "/scenes/sliding_block.yaml";
  const ProgramResult result = Run("sim '" + path + "' --until 0.1 --dump-problem last.problem");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("problem     last.problem"), std::string::npos) << result.out;
  const OwnedProblem owned = LoadProblem(Path("last.problem"));
  const Simulator simulator = RunInLibrary(LoadScene(path, {{"simulation.until", "0.1"}}));
  ASSERT_EQ(owned.problem.row_count(), simulator.problem().row_count());
  EXPECT_EQ(owned.problem.row_count(), 12);
  EXPECT_EQ(owned.problem.G, simulator.problem().G);
  EXPECT_EQ(owned.problem.v_star, simulator.problem().v_star);
  Compliant compliant;
  Solution solution;
  compliant.Solve(owned.problem, VecX(), &solution);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_LT((solution.v1 - simulator.solution().v1).norm(), 1e-12);
  // Four feet share what they carry as they like; together they carry the same.
  VecX alone = VecX::Zero(6), in_run = VecX::Zero(6);
  owned.problem.AddTransposed(solution.gamma, &alone);
  owned.problem.AddTransposed(simulator.solution().gamma, &in_run);
  EXPECT_LT((alone - in_run).norm(), 1e-12);
}

TEST_F(SimCommand, RunsWithoutAProblemHaveNoneToDump) {
  const ProgramResult result = Run("sim arm.yaml --integrator rk4 --dump-problem last.problem");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("--dump-problem: this run solved no constraint problem"),
            std::string::npos)
      << result.err;
  EXPECT_FALSE(Exists("last.problem"));
}

TEST_F(SimCommand, StepUntilAndIntegratorReplaceTheScene) {
  const Json json = RunJson("arm.yaml --step 0.01 --until 0.1 --integrator rk4");
  EXPECT_EQ(json["step"].number, 0.01);
  EXPECT_EQ(json["steps"].number, 10);
  EXPECT_NEAR(json["t"].number, 0.1, 1e-15);
  EXPECT_EQ(json["integrator"].text, "rk4");
  const std::string text = Run("sim arm.yaml --step 0.01 --until 0.1 --integrator rk4").out;
  EXPECT_NE(text.find("integrator  rk4, step 0.01 s\n"), std::string::npos);
  EXPECT_NE(text.find("simulated   0.1 s in 10 steps\n"), std::string::npos);
}

// The same arm as bodies that joints hold together: as many coordinates as poses have, and the same
// motion to the order of the step.
TEST_F(SimCommand, CoordinatesMayBeMaximal) {
  const Json json = RunJson("arm.yaml --coordinates maximal");
  EXPECT_EQ(json["dofs"].number, 12);
  const Scene minimal = ParseScene(kArm, "arm.yaml");
  const Scene maximal = ParseScene(kArm, "arm.yaml", {{"simulation.coordinates", "maximal"}});
  const Simulator simulator = RunInLibrary(maximal);
  ExpectSameNumbers(json["q"], simulator.state().q);
  const State expected = RunInLibrary(minimal).state();
  const MinimalState found =
      ToMinimalState(maximal.model, simulator.state(), minimal.model, expected);
  EXPECT_LT(found.position_error, 1e-5);
  EXPECT_LT((found.state.q - expected.q).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_LT((found.state.v - expected.v).cwiseAbs().maxCoeff(), 1e-2);
  EXPECT_EQ(Run("sim arm.yaml --coordinates relative").exit_code, 2);
}

TEST_F(SimCommand, OptionsMayBeExpressions) {
  EXPECT_EQ(RunJson("arm.yaml --step 1/256 --until 2/256")["step"].number, 1.0 / 256);
}

TEST_F(SimCommand, UntilZeroReportsTheStart) {
  const Json json = RunJson("arm.yaml --until 0");
  EXPECT_EQ(json["steps"].number, 0);
  EXPECT_EQ(json["t"].number, 0);
  EXPECT_EQ(json["q"].items.back().number, 0.4);
}

TEST_F(SimCommand, SetChangesAnyValue) {
  EXPECT_EQ(RunJson("arm.yaml --set parameters.m=5")["mass"].number, 6);
  EXPECT_EQ(RunJson("arm.yaml --set bodies.lower.mass=4 --set bodies[0].mass=3")["mass"].number, 7);
  EXPECT_EQ(RunJson("arm.yaml --set initial.elbow=1 --until 0")["q"].items.back().number, 1);
  EXPECT_EQ(RunJson("arm.yaml --set 'name=Other arm'")["name"].text, "Other arm");
  EXPECT_EQ(RunJson("arm.yaml --set 'gravity=[0, 0, 0]'")["energy_start"]["gravity"].number, 0);
  EXPECT_EQ(RunJson("arm.yaml --set=simulation.step=0.05")["steps"].number, 5);
  // The option of its own wins.
  EXPECT_EQ(RunJson("arm.yaml --step 0.05 --set simulation.step=0.01")["steps"].number, 5);
}

TEST_F(SimCommand, PlotIsAPictureOfTheRun) {
  const ProgramResult result = Run("sim arm.yaml --plot run.svg");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("plot        run.svg\n"), std::string::npos);
  const std::string svg = Read("run.svg");
  EXPECT_GT(testing::ParseSvg(svg).size(), 50u);
  for (const char* text : {">Arm<", "Motion", "Energy", "elbow"}) {
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  }
  // With --json, standard output is JSON and nothing else.
  EXPECT_NO_THROW(RunJson("arm.yaml --plot again.svg"));
  EXPECT_EQ(Read("again.svg"), svg);
}

TEST_F(SimCommand, PlotThatCannotBeWrittenIsFoundBeforeTheRun) {
  const ProgramResult result = Run("sim arm.yaml --plot no/such/folder/run.svg");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            "no/such/folder/run.svg: --plot: cannot be written: does the folder exist?\n");
}

TEST_F(SimCommand, PlotDoesNotReplaceTheScene) {
  for (const char* path : {"arm.yaml", "./arm.yaml", "../$(basename $PWD)/arm.yaml"}) {
    const ProgramResult result = Run(std::string("sim arm.yaml --plot ") + path);
    EXPECT_EQ(result.exit_code, 2) << path;
    EXPECT_EQ(result.out, "") << path;
    EXPECT_NE(result.err.find(": --plot: is the scene itself: choose another file\n"),
              std::string::npos)
        << result.err;
    EXPECT_EQ(Read("arm.yaml"), kArm) << path;
  }
}

TEST_F(SimCommand, PlotThatFailsDoesNotTakeTheSummaryAlong) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const std::string why = "/dev/full: --plot: cannot be written: is the disk full?\n";
  const ProgramResult text = Run("sim arm.yaml --plot /dev/full");
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_EQ(text.err, why);
  EXPECT_NE(text.out.find("simulated   0.25 s in 250 steps\n"), std::string::npos);
  EXPECT_EQ(text.out.find("plot        "), std::string::npos);
  const ProgramResult json = Run("sim arm.yaml --json --plot /dev/full");
  EXPECT_EQ(json.exit_code, 2);
  EXPECT_EQ(json.err, why);
  EXPECT_EQ(ParseJson(json.out)["steps"].number, 250);
}

TEST_F(SimCommand, BadScenesLeaveNoPlotBehind) {
  Run("sim arm.yaml --step 0 --plot run.svg");
  EXPECT_FALSE(Exists("run.svg"));
}

TEST_F(SimCommand, MissingFilesAreBadInput) {
  for (const char* path : {"missing.yaml", ".", "no/such/folder.yaml"}) {
    const ProgramResult result = Run(std::string("sim ") + path);
    EXPECT_EQ(result.exit_code, 2) << path;
    EXPECT_EQ(result.out, "") << path;
    EXPECT_EQ(result.err, std::string(path) + ": cannot be read: does the file exist?\n");
  }
}

TEST_F(SimCommand, BadScenesAreBadInputWithAllProblems) {
  Write("bad.yaml",
        "grvity: [0, 0, 0]\n"
        "bodies:\n"
        "  - {name: b, mass: -1, inertia: point}\n"
        "joints:\n"
        "  - {name: j, type: revolute, child: c}\n"
        "simulation: {step: 0}\n");
  const ProgramResult result = Run("sim bad.yaml --set initial.k=1");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  for (const char* line : {"bad.yaml:1:1: unknown key 'grvity': did you mean 'gravity'?\n",
                           "bad.yaml:3:5: body 'b': mass = -1",
                           "bad.yaml:5:5: joint 'j': child body 'c' does not exist\n",
                           "bad.yaml:6:20: simulation.step: 0, expected a positive time in s\n",
                           "--set initial.k=1: initial: joint 'k' does not exist\n"}) {
    EXPECT_NE(result.err.find(line), std::string::npos) << line << "in\n" << result.err;
  }
  EXPECT_TRUE(result.err.ends_with("\n5 problems\n")) << result.err;
}

TEST_F(SimCommand, OneProblemIsNotCounted) {
  const ProgramResult result = Run("sim arm.yaml --set bodies.hand.mass=1");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "--set bodies.hand.mass=1: 'bodies' has no element 'hand'\n");
}

TEST_F(SimCommand, BadOptionValuesAreBadInput) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"--step 0", "--step 0: simulation.step: 0, expected a positive time in s\n"},
      {"--step -1", "--step -1: simulation.step: -1, expected a positive time in s\n"},
      {"--until=-1", "--until -1: simulation.until: -1, expected a time ≥ 0 in s\n"},
      {"--step fast", "--step fast: simulation.step: 'fast', expected a number"},
      {"--threads 0",
       "--threads 0: simulation.threads: 0, expected a whole number from 1 to 256\n"},
      {"--threads nan", "--threads nan: simulation.threads: 'nan', expected a number"},
      {"--integrator euler", "--integrator euler: simulation.integrator: 'euler', expected semi-"},
      {"--set gravity", "--set gravity: expected path=value, such as bodies.arm.mass=3\n"},
      {"--set '=3'", "--set =3: expected path=value"},
      {"--set 'gravity=[0'", "--set gravity=[0: not valid YAML: "},
      {"--set parameters.k=3", "--set parameters.k=3: the scene has no parameter 'k', only m\n"}};
  for (const auto& [option, message] : cases) {
    const ProgramResult result = Run("sim arm.yaml " + option);
    EXPECT_EQ(result.exit_code, 2) << option;
    EXPECT_EQ(result.out, "") << option;
    EXPECT_TRUE(result.err.starts_with(message)) << option << "\n" << result.err;
  }
}

TEST_F(SimCommand, ModelsThatCannotMoveAreBadInputOfTheirFile) {
  Write("massless.yaml",
        "bodies: [{name: b, massless: true}]\n"
        "joints: [{name: j, type: revolute, child: b}]\n");
  const ProgramResult massless = Run("sim massless.yaml");
  EXPECT_EQ(massless.exit_code, 2);
  EXPECT_TRUE(massless.err.starts_with("massless.yaml:2:10: joint 'j': ")) << massless.err;
}

TEST_F(SimCommand, InfeasibilityBeyondItsLimitEndsTheRunWithItsReason) {
  Write("sunken.yaml",
        "world: {geometry: [{shape: half-space}]}\n"
        "bodies: [{name: ball, geometry: [{shape: sphere, radius: 1, density: 1}]}]\n"
        "joints: [{name: free, type: free, child: ball}]\n"
        "initial: {free: {position: [0, 0, 0.8]}}\n"
        "simulation: {max_infeasibility: 0.1}\n");
  const ProgramResult result = Run("sim sunken.yaml --json --record run.h5");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(result.err.starts_with("sunken.yaml: stopped at t = 0 s: rigid constraints"))
      << result.err;
  EXPECT_NE(result.err.find("run.h5 has the last good state"), std::string::npos) << result.err;
  EXPECT_EQ(ParseJson(result.out)["status"].text, "too infeasible");
}

class FailingSimCommand : public SimCommand {
 protected:
  FailingSimCommand() {
    // Steps of an eighth meet t = 0.5 exactly.
    Write("burst.yaml",
          "bodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n"
          "joints: [{name: j, type: prismatic, child: b}]\n"
          "loads: [{joint: j, force: 1/(t - 0.5)}]\n"
          "simulation: {step: 0.125, until: 2}\n");
  }
};

TEST_F(FailingSimCommand, ExitsWithOneAndSaysWhenAndWhy) {
  const ProgramResult result = Run("sim burst.yaml");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(result.err.starts_with(
      "burst.yaml: stopped at t = 0.5 s: a velocity became infinite or undefined"))
      << result.err;
  EXPECT_NE(result.out.find("simulated   0.5 s in 4 steps\n"), std::string::npos) << result.out;
}

TEST_F(FailingSimCommand, StillPrintsAValidSummary) {
  for (const char* integrator : {"semi-implicit-euler", "rk4", "adaptive"}) {
    const ProgramResult result =
        Run(std::string("sim burst.yaml --json --plot run.svg --integrator ") + integrator);
    EXPECT_EQ(result.exit_code, 1) << integrator;
    EXPECT_NE(result.err.find("burst.yaml: stopped at t = "), std::string::npos) << integrator;
    const Json json = ParseJson(result.out);
    EXPECT_NE(json["status"].text, "ok") << integrator;
    // The state is the last good one.
    EXPECT_LE(json["t"].number, 0.5) << integrator;
    EXPECT_GT(json["t"].number, 0.3) << integrator;
    EXPECT_EQ(json["q"].items.at(0).kind, Json::Kind::kNumber) << integrator;
    EXPECT_EQ(json["energy_end"]["total"].kind, Json::Kind::kNumber) << integrator;
    EXPECT_NO_THROW(testing::ParseSvg(Read("run.svg"))) << integrator;
  }
}

TEST_F(SimCommand, NoticesSayWhatDoesNotAct) {
  Write(
      "wishes.yaml",
      "world: {geometry: [{shape: mesh, vertices: [[0, 0, -2], [1, 0, -2], [0, 1, -2]], "
      "triangles: [[0, 1, 2]]}]}\n"
      "bodies: [{name: pad, mass: 1, inertia: [1, 1, 1], geometry: [{shape: box, size: [1, 1, 1], "
      "foundation: {elements: 6, stiffness: 1e6}}]}]\n"
      "joints: [{name: free, type: free, child: pad}]\n"
      "simulation: {until: 0.01}\n");
  const std::string expected =
      "contact between mesh of the world and box of body 'pad' is not found yet";
  const ProgramResult result = Run("sim wishes.yaml");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("notice      " + expected + "\n"), std::string::npos) << result.out;
  const Json json = RunJson("wishes.yaml");
  ASSERT_EQ(json["notices"].items.size(), 1u);
  EXPECT_EQ(json["notices"].items[0].text, expected);
}

TEST_F(SimCommand, ContactsTellTheModelInUse) {
  Write("pad.yaml",
        "world: {geometry: [{shape: half-space}]}\n"
        "bodies: [{name: pad, mass: 1, geometry: [{shape: box, size: [1, 1, 1], "
        "foundation: {elements: 6, stiffness: 1e6}}]}]\n"
        "joints: [{name: j, type: free, child: pad}]\n"
        "initial: {j: {position: [0, 0, 0.5]}}\n"
        "simulation: {step: 0.01, until: 0.03}\n");
  EXPECT_EQ(Run("sim pad.yaml --contacts c.csv").exit_code, 0);
  const std::string text = Read("c.csv");
  EXPECT_NE(text.find(",foundation,"), std::string::npos) << text;
  EXPECT_EQ(text.find(",linear,"), std::string::npos) << text;
}

TEST_F(SimCommand, ContactsAreWrittenLineByLine) {
  Write("drop.yaml",
        "world: {geometry: [{name: ground, shape: half-space}]}\n"
        "bodies: [{name: \"a, b\", mass: 1, geometry: [{shape: box, size: [1, 1, 1]}]}]\n"
        "joints: [{name: j, type: free, child: \"a, b\"}]\n"
        "initial: {j: {position: [0, 0, 0.5]}}\n"
        "simulation: {step: 0.01, until: 0.03, record_interval: 0.02}\n");
  const ProgramResult result = Run("sim drop.yaml --contacts c.csv");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("contacts    c.csv (8 lines)\n"), std::string::npos) << result.out;
  const std::string text = Read("c.csv");
  EXPECT_EQ(text.substr(0, 31), "t,body_A,shape_A,body_B,shape_B");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 9);
  EXPECT_NE(text.find("\n0.01,world,ground,\"a, b\",box,"), std::string::npos) << text;
  EXPECT_NE(text.find(",stick,rigid,,,\n"), std::string::npos) << text;

  const ProgramResult bad = Run("sim drop.yaml --contacts no/such/c.csv");
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_EQ(bad.err, "no/such/c.csv: --contacts: cannot be written: does the folder exist?\n");
}

TEST_F(SimCommand, RefusesWhatIsNotUtf8) {
  Write("latin1.yaml", "# comment\nname: M\xfcller\n");
  const ProgramResult result = Run("sim latin1.yaml");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "latin1.yaml:2:8: byte 0xfc, expected text in UTF-8\n");
}

TEST_F(SimCommand, JsonEscapesTexts) {
  const Json json =
      RunJson("arm.yaml --until 0 --set 'name=\"q\\\"b\\\\s\\nn\\tt\\x01 \xc3\xbc\"'");
  EXPECT_EQ(json["name"].text, "q\"b\\s\nn\tt\x01 \xc3\xbc");
}

TEST(ParseJson, IsStrict) {
  EXPECT_EQ(ParseJson(R"({"a": [1, -2.5e3, "x\n", null, true, {}]})")["a"].items[1].number, -2500);
  for (const char* bad :
       {"", "{", "{\"a\" 1}", "{a: 1}", "[1,]", "{\"a\": 1,}", "01", "nan", "inf", "-", "1.", ".5",
        "[1 2]", "{} {}", "\"a", "\"\n\"", "\"\\x\"", "{\"a\": 1, \"a\": 2}", "'a'"}) {
    EXPECT_ANY_THROW(ParseJson(bad)) << bad;
  }
}

}  // namespace
}  // namespace voigt
