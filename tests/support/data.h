#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace voigt::testing {

// Reference data that is not part of the repository. Where the whole folder is absent, tests that
// need it are skipped; where it is present, a missing file is an error.
inline bool HasReferenceData() { return std::filesystem::is_directory(VOIGT_TEST_DATA); }

inline std::string ReferenceData(const std::string& path) {
  return std::string(VOIGT_TEST_DATA) + "/" + path;
}

// Robots in MJCF as others wrote them: paths of files.
inline std::vector<std::string> ReferenceRobots() {
  std::vector<std::string> out = {ReferenceData("models/mujoco/humanoid.xml")};
  for (const char* name : {"humanoid", "quadruped", "walker", "hopper", "cheetah", "acrobot",
                           "cartpole", "pendulum"}) {
    out.push_back(ReferenceData("models/dm_control/") + name + ".xml");
  }
  return out;
}

}  // namespace voigt::testing
