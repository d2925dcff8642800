#pragma once

#include <vector>

#include "voigt/io/override.h"
#include "voigt/io/yaml_value.h"
#include "voigt/model/time_function.h"

namespace voigt {

// Turns a scene as written into one without shorthand:
//   1. overrides of `parameters:` are applied, and the parameters evaluated in order; each may use
//      those before it;
//   2. list elements with `repeat: {i: 10}` (i = 0 … 9) or `repeat: {i: [1, 9]}` (both included)
//      are copied for all values of their indices, the first index outermost;
//   3. `${expression}` of parameters and indices is replaced in every text;
//   4. the other overrides are applied.
// Returns the parameters. Problems are added to the list.
NamedConstants ExpandScene(const std::vector<Override>& overrides, YamlValue* scene,
                           ProblemList* problems);

}  // namespace voigt
