#pragma once

#include <string>
#include <vector>

#include "tests/support/foundation.h"
#include "tests/support/scenes.h"

namespace voigt::testing {

// scenes/foundation.yaml with the figures of a case.
inline Scene LoadFoundationScene(const FoundationCase& c, const std::vector<Override>& more = {}) {
  std::vector<Override> overrides = {{"parameters.n", std::to_string(c.per_side)},
                                     {"parameters.E", std::to_string(c.E)},
                                     {"parameters.load", std::to_string(c.load)}};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return LoadNamedScene("foundation", overrides);
}

}  // namespace voigt::testing
