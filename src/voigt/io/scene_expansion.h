#pragma once

#include <string>
#include <vector>

#include "voigt/io/yaml_value.h"
#include "voigt/model/time_function.h"

namespace voigt {

// One "path=value" from the command line, such as bodies.arm.mass=3 or parameters.n=20. List
// elements are addressed by their name or their number from 0.
struct Override {
  std::string path;
  std::string value;  // YAML text

  // Throws InputError if there is no '='.
  static Override Parse(const std::string& text);
};

// Turns a scene as written into one without shorthand:
//   1. `parameters:` are evaluated in order, each may use those before it, overrides applied;
//   2. list elements with `repeat: {i: 10}` (i = 0 … 9) or `repeat: {i: [1, 9]}` (both included)
//      are copied for all values of their indices, the first index outermost;
//   3. `${expression}` of parameters and indices is replaced in every text;
//   4. the other overrides are applied.
// Returns the parameters. Problems are added to the list.
NamedConstants ExpandScene(const std::vector<Override>& overrides, YamlValue* scene,
                           ProblemList* problems);

// The value of a scalar as a number: a plain number or an expression of the constants. Throws
// std::invalid_argument with the reason.
double EvaluateNumber(const std::string& text, const NamedConstants& constants);

}  // namespace voigt
