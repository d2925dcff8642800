#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/test_folder.h"

namespace voigt::testing {

inline std::string ReadAll(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct ProgramResult {
  int exit_code = -1;
  std::string out, err;
};

// Runs the program in a folder of the test's own, removed at its end.
class ProgramTest : public ::testing::Test {
 protected:
  ProgramTest() {
    folder_ = NameTestFolder();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~ProgramTest() override { std::filesystem::remove_all(folder_); }

  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string Read(const std::string& name) const { return ReadAll(folder_ / name); }
  const std::filesystem::path& folder() const { return folder_; }
  bool Exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  // Starts the program in the folder and does not wait for it; returns its process.
  pid_t Start(std::vector<std::string> arguments) const {
    const pid_t pid = fork();
    // A signal to process -1 would go to all there are.
    if (pid < 0) throw std::runtime_error("no new process");
    if (pid > 0) return pid;
    arguments.insert(arguments.begin(), VOIGT_PROGRAM);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    if (chdir(folder_.c_str()) != 0 || std::freopen("stdout.txt", "w", stdout) == nullptr ||
        std::freopen("stderr.txt", "w", stderr) == nullptr) {
      _exit(99);
    }
    execv(VOIGT_PROGRAM, argv.data());
    _exit(99);
  }

  // Arguments as in a shell; `out` is the file that standard output goes to.
  ProgramResult Run(const std::string& arguments, const std::string& out = "stdout.txt") const {
    const std::string command = "cd '" + folder_.string() + "' && '" + VOIGT_PROGRAM + "' " +
                                arguments + " >" + out + " 2>stderr.txt </dev/null";
    const int status = std::system(command.c_str());
    ProgramResult result;
    if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
    if (out == "stdout.txt") result.out = Read(out);
    result.err = Read("stderr.txt");
    return result;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace voigt::testing
