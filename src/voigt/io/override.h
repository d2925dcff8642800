#pragma once

#include <optional>
#include <string>

#include "voigt/io/yaml_value.h"

namespace voigt {

// One "path=value" from the command line, such as bodies.arm.mass=3 or parameters.n=20. List
// elements are addressed by their name or their number from 0; joints[2].axis is joints.2.axis.
struct Override {
  std::string path;
  std::string value;        // YAML text
  std::string option = "";  // as the user wrote it, for messages; empty: "--set path=value"

  // Throws InputError if there is no '='.
  static Override Parse(const std::string& text);

  // What stands for the file in messages about it.
  SourceLocation Where() const;

  bool SetsParameter() const;
};

// The value as data; nothing if it is not valid YAML. Problems are added to the list.
std::optional<YamlValue> ParseOverrideValue(const Override& change, ProblemList* problems);

// Puts the value where the path says. Keys may be new, list elements and parameters must exist:
// a key that means nothing is found when the scene is read, a parameter is not.
void ApplyOverride(const Override& change, YamlValue value, YamlValue* scene,
                   ProblemList* problems);

}  // namespace voigt
