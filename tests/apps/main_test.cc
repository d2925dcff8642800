// The program without a scene: help, version, and what it says to wrong arguments.

#include <gtest/gtest.h>

#include <regex>

#include "tests/apps/program.h"

namespace voigt {
namespace {

using Program = testing::ProgramTest;
using testing::ProgramResult;

TEST_F(Program, HelpNamesTheCommands) {
  const ProgramResult result = Run("--help");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("rigid multibody simulation"), std::string::npos);
  EXPECT_NE(result.out.find("sim "), std::string::npos);
  EXPECT_NE(result.out.find("plot "), std::string::npos);
}

TEST_F(Program, HelpOfSimNamesItsOptions) {
  const ProgramResult result = Run("sim --help");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  for (const char* option : {"scene", "--step", "--until", "--integrator", "--set", "--plot",
                             "--threads", "--record", "--resume", "--json"}) {
    EXPECT_NE(result.out.find(option), std::string::npos) << option;
  }
}

TEST_F(Program, VersionIsThreeNumbers) {
  const ProgramResult result = Run("--version");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(std::regex_match(result.out, std::regex("\\d+\\.\\d+\\.\\d+\n"))) << result.out;
}

TEST_F(Program, NamesACommandThatDoesNotExist) {
  const ProgramResult result = Run("simulate s.yaml");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err.find("'simulate', expected a command: sim, check"), 0u) << result.err;
}

TEST_F(Program, WrongArgumentsAreBadInput) {
  Write("s.yaml", "name: s\n");
  for (const char* arguments :
       {"", "s.yaml", "simulate s.yaml", "--bogus", "sim", "sim s.yaml --bogus",
        "sim s.yaml --step", "sim s.yaml other.yaml", "sim s.yaml --set", "sim s.yaml --json=maybe",
        "sim s.yaml --step ''", "sim s.yaml --until ''", "sim s.yaml --integrator ''",
        "sim s.yaml --plot ''", "sim s.yaml --record ''", "plot", "plot a.h5 --out"}) {
    const ProgramResult result = Run(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_EQ(result.out, "") << arguments;
    EXPECT_NE(result.err.find("voigt --help"), std::string::npos) << arguments;
  }
}

TEST_F(Program, NamesTheArgumentItDoesNotKnow) {
  Write("s.yaml", "name: s\n");
  EXPECT_NE(Run("sim s.yaml --bogus").err.find("--bogus"), std::string::npos);
  EXPECT_NE(Run("sim s.yaml other.yaml").err.find("other.yaml"), std::string::npos);
  EXPECT_NE(Run("sim s.yaml --step ''").err.find("--step: is empty, expected a value"),
            std::string::npos);
}

TEST_F(Program, OutputThatCannotBeWrittenIsAFailure) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  Write("s.yaml",
        "bodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n"
        "joints: [{name: j, type: free, child: b}]\n"
        "simulation: {until: 0.01}\n");
  for (const char* arguments : {"--help", "--version", "sim s.yaml", "sim s.yaml --json"}) {
    const ProgramResult result = Run(arguments, "/dev/full");
    EXPECT_EQ(result.exit_code, 1) << arguments;
    EXPECT_EQ(result.err, "voigt: standard output cannot be written: is the disk full?\n");
  }
}

}  // namespace
}  // namespace voigt
