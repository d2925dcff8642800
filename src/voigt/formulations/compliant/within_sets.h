#pragma once

#include <span>

#include "voigt/kernels/convex_program.h"

namespace voigt {

enum class SetParts {
  kAll,
  kBounds,  // of pushes, drives and dry friction; not discs
};

// Impulses outside of their set, by what a tolerance leaves, go to its edge: pushes to zero, drives
// and dry friction to their bounds, friction to the edge of its disc or cone. Whether any were.
bool PutIntoSets(const ConvexProgram& program, std::span<const int> blocks, SetParts parts,
                 VecX* gamma);

}  // namespace voigt
