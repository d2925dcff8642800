#pragma once

#include <string>

#include "voigt/sim/simulator.h"

namespace voigt::testing {

// Compares where a run ended with what tests/golden/figures.csv says of it: the energy [J] and the
// centre of mass [m], to the digits that the run is good for (the sweeping arm makes 1e-4 of a last
// bit). Bits are not compared with records: they differ from processor to processor.
//
// With the environment variable VOIGT_UPDATE_GOLDEN set, the file is written instead: do so after
// a change that is meant to alter results, and read the difference.
void ExpectGolden(const std::string& run, Simulator* simulator);

}  // namespace voigt::testing
