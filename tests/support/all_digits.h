#pragma once

#include "voigt/formulations/formulation.h"

namespace voigt::testing {

// Settings that accept nothing but what they aim at: for tests that compare solutions digit by
// digit.
template <typename Settings>
Settings AllDigits(Settings settings = {}) {
  settings.tolerance = settings.aim;
  return settings;
}

inline void AskForAllDigits(FormulationSettings* settings) {
  settings->compliant = AllDigits(settings->compliant);
  settings->impulse_space = AllDigits(settings->impulse_space);
}

}  // namespace voigt::testing
