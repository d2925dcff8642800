#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace voigt::testing {

// Where the running test may keep files. Tests may run at the same time, and so may two runs of the
// same one.
inline std::filesystem::path NameTestFolder() {
  const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string("voigt_") + info->test_suite_name() + "_" + info->name() + "_" +
                     std::to_string(getpid());
  for (char& c : name) {
    if (c == '/') c = '_';
  }
  return std::filesystem::path(::testing::TempDir()) / name;
}

}  // namespace voigt::testing
