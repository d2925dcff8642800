#pragma once

#include <span>

#include "voigt/kernels/islands.h"
#include "voigt/kernels/newton_matrix.h"
#include "voigt/kernels/row_chain.h"
#include "voigt/kernels/row_independence.h"

namespace voigt {

// What methods with a factor know of the structure of an island, worked out where one of them comes
// to it: most islands of contacts push nothing, or need no factor.
class IslandStructure {
 public:
  // A new step. is_new: the island may be another one than in the step before.
  void Begin(bool is_new) {
    is_known_ = is_known_ && !is_new;
    is_ready_ = false;
    matrix.Reset();
  }
  // What this step's methods need. Quick where the structure is that of the last call.
  void Prepare(const ConvexProgram& program, std::span<const int> blocks,
               std::span<const DofRange> ranges, MatrixKind kind) {
    if (is_ready_) return;
    is_ready_ = true;
    if (!is_known_ && matrix.Analyze(program, blocks, ranges, kind)) {
      independence.Analyze(program, blocks, ranges);
      if (kind == MatrixKind::kAuto) {
        chain.Analyze(program, blocks, ranges);
      } else {
        chain.Drop();
      }
    }
    is_known_ = true;
    chain.Reset(program, blocks);
  }

  NewtonMatrix matrix;
  RowIndependence independence;
  RowChain chain;

 private:
  bool is_known_ = false, is_ready_ = false;
};

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
