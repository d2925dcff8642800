// voigt sim where it cannot do what it is asked for: bad input, files that cannot be written, runs
// that fail.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/apps/json.h"
#include "tests/apps/program.h"
#include "tests/apps/sim_command.h"
#include "tests/plot/svg.h"

namespace voigt {
namespace {

using testing::Json;
using testing::ParseJson;
using testing::ProgramResult;
using testing::SimCommand;

TEST_F(SimCommand, MissingFilesAreBadInput) {
  const char* const missing = ": cannot be read: does the file exist?\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"missing.yaml", missing},
      {"no/such/folder.yaml", missing},
      {".", ": is a folder, expected a file\n"},
      {"/dev/zero", ": is a device, pipe or socket, expected a file\n"}};
  for (const auto& [path, message] : cases) {
    const ProgramResult result = Run("sim " + path);
    EXPECT_EQ(result.exit_code, 2) << path;
    EXPECT_EQ(result.out, "") << path;
    EXPECT_EQ(result.err, path + message);
  }
}

TEST_F(SimCommand, MillionsOfBadValuesAreToldInAFewLines) {
  // A long value, many problems, and both.
  std::string numbers, list, keys;
  for (int i = 0; i < 200'000; ++i) {
    numbers += "1 ";
    if (i < 20'000) list += "x" + std::to_string(i) + ", ";
    if (i < 2'000) keys += "key" + std::to_string(i) + ": 1\n";
  }
  Write("long.yaml", "gravity: '" + numbers + "'\n");
  Write("list.yaml", "initial: {j: [" + list + "]}\n");
  Write("keys.yaml", keys);
  for (const char* file : {"long.yaml", "list.yaml", "keys.yaml"}) {
    const ProgramResult result = Run(std::string("sim ") + file);
    EXPECT_EQ(result.exit_code, 2) << file;
    EXPECT_LT(result.err.size(), 50'000u) << file;
    EXPECT_NE(result.err.find(std::string(file) + ":"), std::string::npos) << result.err;
  }
  EXPECT_TRUE(Run("sim keys.yaml").err.ends_with("\nand 1900 more\n2000 problems\n"));
}

TEST_F(SimCommand, RefusesWhatIsNotUtf8) {
  Write("latin1.yaml", "# comment\nname: M\xfcller\n");
  const ProgramResult result = Run("sim latin1.yaml");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "latin1.yaml:2:8: byte 0xfc, expected text in UTF-8\n");
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
    // Steps of an eighth meet t = 0.5 exactly, and need the load at both their ends.
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
      "burst.yaml: stopped at t = 0.375 s: a velocity became infinite or undefined"))
      << result.err;
  EXPECT_NE(result.out.find("simulated   0.375 s in 3 steps\n"), std::string::npos) << result.out;
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

}  // namespace
}  // namespace voigt
