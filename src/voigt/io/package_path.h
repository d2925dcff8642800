#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace voigt {

// Where a file that a robot names may be, and where it was looked for.
struct FoundFile {
  std::optional<std::filesystem::path> path;
  std::vector<std::string> looked_at;  // in that order
};

// Finds what "meshes/a.stl" (relative to the folder of `from`), "file:///x/a.stl" or
// "package://robot/meshes/a.stl" means. A package is a folder of that name:
//   1. one of `packages`, or a folder in one of them;
//   2. a folder on the way up from `from`, or beside one of these;
//   3. one of the folders of the environment variable ROS_PACKAGE_PATH, or in one of them.
// The first in which the file exists is taken. "model://" is read like "package://".
FoundFile FindRobotFile(std::string_view uri, const std::filesystem::path& from,
                        const std::vector<std::filesystem::path>& packages);

}  // namespace voigt
