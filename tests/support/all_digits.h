#pragma once

#include <algorithm>

#include "voigt/formulations/formulation.h"

namespace voigt::testing {

// Settings that accept nothing but what they aim at: for tests that compare solutions digit by
// digit.
template <typename Settings>
Settings AllDigits(Settings settings = {}) {
  settings.tolerance = settings.aim = std::min(settings.aim, settings.tolerance);
  return settings;
}

inline void AskForAllDigits(FormulationSettings* settings) { settings->AcceptOnlyTheAim(); }

}  // namespace voigt::testing
