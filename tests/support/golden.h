#pragma once

#include <string>

#include "voigt/model/state.h"
#include "voigt/sim/simulator.h"

namespace voigt::testing {

// Compares where a run ended with what tests/golden/ says of it: figures.csv on every machine (the
// energy [J] and the centre of mass [m], to the digits that the run is good for: the sweeping arm
// makes 1e-4 of a last bit), and, where there is a file for this processor, compiler and C library,
// a hash of the bits of t, q and v.
//
// With the environment variable VOIGT_UPDATE_GOLDEN set, the files are written instead: do so after
// a change that is meant to alter results, and read the difference. Hashes of runs that have
// changed become "?" in the files of other machines, where nothing is compared until somebody
// writes them there.
void ExpectGolden(const std::string& run, Simulator* simulator);

// The same for the hash alone: of runs too short or too many for figures of their own.
void ExpectGoldenHash(const std::string& run, const voigt::State& end);

// True if there are hashes for this processor, compiler and C library.
bool HasGoldenHashes();
// How many of them are not known any more.
int CountUnknownHashes();

}  // namespace voigt::testing
