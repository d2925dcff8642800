// docs/cli.md against the program: its commands run, and it names every option.

#include <gtest/gtest.h>

#include <sstream>

#include "tests/apps/program.h"

namespace voigt {
namespace {

using CliDocs = testing::ProgramTest;
using testing::ProgramResult;

std::string CliPage() { return testing::ReadAll(VOIGT_SOURCE_DIR "/docs/cli.md"); }

TEST_F(CliDocs, CommandsRun) {
  std::filesystem::create_directory_symlink(VOIGT_SOURCE_DIR "/scenes", folder() / "scenes");
  std::istringstream lines(CliPage());
  bool is_shell = false;
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) is_shell = line == "```sh";
    if (!is_shell || !line.starts_with("voigt ")) continue;
    const ProgramResult result = Run(line.substr(6));
    EXPECT_EQ(result.exit_code, 0) << line << "\n" << result.err;
    EXPECT_FALSE(result.out.empty()) << line;
    ++count;
  }
  EXPECT_GE(count, 8);
}

TEST_F(CliDocs, NameEveryCommandAndOption) {
  const std::string page = CliPage();
  std::istringstream commands(Run("--help").out);
  int count = 0;
  bool are_ahead = false;
  for (std::string line; std::getline(commands, line);) {
    if (line.starts_with("Subcommands:")) {
      are_ahead = true;
      continue;
    }
    if (!are_ahead || !line.starts_with("  ")) continue;
    const std::string command = line.substr(2, line.find(' ', 2) - 2);
    if (command.empty()) continue;
    ++count;
    const size_t start = page.find("\n## voigt " + command + "\n");
    ASSERT_NE(start, std::string::npos) << "no section on " << command;
    const std::string section = page.substr(start, page.find("\n## ", start + 4) - start);
    const std::string help = Run(command + " --help").out;
    for (size_t at = help.find("  --"); at != std::string::npos; at = help.find("  --", at + 4)) {
      const std::string option = help.substr(at + 2, help.find_first_of(" ,\n", at + 2) - at - 2);
      EXPECT_NE(section.find("`" + option), std::string::npos) << command << " " << option;
    }
  }
  EXPECT_GE(count, 3);
}

}  // namespace
}  // namespace voigt
