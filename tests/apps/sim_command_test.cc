// voigt sim, run as a user runs it: what it says and writes, and its options.

#include "tests/apps/sim_command.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/apps/json.h"
#include "tests/apps/program.h"
#include "tests/plot/svg.h"
#include "voigt/formulations/compliant/compliant.h"
#include "voigt/model/maximal.h"
#include "voigt/problem/problem_file.h"
#include "voigt/voigt.h"

namespace voigt {
namespace {

using testing::Json;
using testing::ParseJson;
using testing::ProgramResult;
using testing::SimCommand;

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
  expected.emplace_back("brought in by [J]");
  // Whatever acts has a line, in the order of lines; what does not has none.
  for (int i = 0; i < kEnergyLineCount; ++i) {
    const double energy = summary.balance.lines[i];
    const std::string line =
        fmt::format("  {:<36}{:>16.9g}\n", ToString(static_cast<EnergyLine>(i)), energy);
    if (energy != 0) expected.push_back(line);
  }
  expected.emplace_back("  integrator  ");
  expected.emplace_back("  unexplained  ");
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
  ExpectSameNumbers(json["accelerations"], summary.forces.acceleration);
  ExpectSameNumbers(json["drive_forces"], summary.forces.drive_force);
  EXPECT_EQ(json["coordinates"].items.size(), static_cast<size_t>(simulator.model().nq()));
  EXPECT_EQ(json["rates"].items.size(), static_cast<size_t>(simulator.model().nv()));
  EXPECT_EQ(json["constraint_forces"].items.size(), summary.forces.constraints.size());
}

// A slider-crank moves in one way; a box presses on the floor with its weight.
TEST_F(SimCommand, JsonTellsFreedomAndForces) {
  const std::string scenes = std::string(VOIGT_SOURCE_DIR) + "/scenes/";
  const Json crank = RunJson(scenes + "slider_crank.yaml --until 0.01");
  EXPECT_EQ(crank["dofs"].number, 1);
  EXPECT_EQ(crank["rates"].items.size(), 3u);
  EXPECT_EQ(crank["coordinates"].items[0].text, crank["rates"].items[0].text);
  EXPECT_FALSE(crank["constraint_forces"].items.empty());
  const Json stack = RunJson(scenes + "box_stack.yaml --until 0.5");
  const Json& bodies = stack["contact_forces"]["bodies"];
  ASSERT_FALSE(bodies.items.empty());
  EXPECT_EQ(bodies.items[0]["name"].text, "world");
  const double weight = 9.81 * stack["mass"].number;
  EXPECT_NEAR(bodies.items[0]["force"].items[2].number, -weight, 1e-6 * weight);
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

TEST_F(SimCommand, TheSameCommandGivesTheSameAnswer) {
  const auto answer = [&] {
    std::istringstream lines(Run("sim arm.yaml --json").out);
    std::string kept;
    int timings = 0;
    for (std::string line; std::getline(lines, line);) {
      const bool is_timing = line.find("\"wall_time\"") != std::string::npos ||
                             line.find("\"real_time_factor\"") != std::string::npos ||
                             line.find("\"solve_time\"") != std::string::npos;
      timings += is_timing;
      if (!is_timing) kept += line + '\n';
    }
    EXPECT_EQ(timings, 3);
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
  EXPECT_EQ(json["dofs"].number, 4);
  EXPECT_EQ(json["rates"].items.size(), 12u);
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
