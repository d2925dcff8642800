#pragma once

#include <span>

#include "voigt/kernels/islands.h"
#include "voigt/kernels/newton_matrix.h"
#include "voigt/kernels/row_chain.h"
#include "voigt/kernels/row_independence.h"

namespace voigt {

// One island of a program with its matrix.
struct IslandView {
  const ConvexProgram& program;
  std::span<const int> blocks;
  std::span<const DofRange> ranges;
  NewtonMatrix* matrix;
  RowIndependence* independence;
  RowChain* chain =
      nullptr;  // where it applies, it takes the place of the matrix on the natural map
};

}  // namespace voigt
