#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "voigt/io/imported_model.h"

namespace voigt {

struct RobotFileOptions {
  std::vector<std::filesystem::path> packages = {};  // folders of ROS packages (urdf.h)
};

// True if a text is XML, as robots are, and no scene: its first character is <.
bool LooksLikeXml(std::string_view text);
// Whether the name of a file says that it is: .urdf, .xml or .mjcf.
bool IsNamedLikeXml(std::string_view name);

// Reads a robot: URDF or MJCF, as its first element says. `name` stands for the file in messages
// and where other files are looked for. Throws InputError that lists all problems.
ImportedModel ParseRobot(const std::string& text, const std::string& name,
                         const RobotFileOptions& options = {});

}  // namespace voigt
