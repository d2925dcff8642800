#include "voigt/io/robot_file.h"

#include <fmt/format.h>

#include "voigt/io/mjcf.h"
#include "voigt/io/urdf.h"
#include "voigt/io/xml_element.h"

namespace voigt {

bool LooksLikeXml(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && text[start] == '<';
}

bool IsNamedLikeXml(std::string_view name) {
  return name.ends_with(".urdf") || name.ends_with(".xml") || name.ends_with(".mjcf");
}

ImportedModel ParseRobot(const std::string& text, const std::string& name,
                         const RobotFileOptions& options) {
  ProblemList ignored;  // found again when the file is read
  const XmlElement root = ParseXml(text, name, &ignored);
  if (root.name == "robot") return ParseUrdf(text, name, {options.packages});
  if (root.name == "mujoco") return ParseMjcf(text, name);
  throw InputError(
      root.where, "",
      fmt::format("the first element is '{}', expected 'robot' (URDF) or 'mujoco' (MJCF)",
                  root.name));
}

}  // namespace voigt
