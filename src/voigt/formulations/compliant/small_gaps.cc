#include "voigt/formulations/compliant/small_gaps.h"

#include <cmath>

namespace voigt {
namespace {

// How many of a block's rows, the first ones, only push and have no force law.
int CountPushing(const ConvexBlock& block) {
  if (block.smooth) return 0;
  if (IsCoupled(block.set)) return 1;
  return block.set == ConvexSet::kHalfLines ? block.row_count : 0;
}

}  // namespace

bool ForgetSmallGaps(std::span<const int> blocks, double most, ConvexProgram* program,
                     std::vector<double>* asked) {
  bool any = false;
  for (int i : blocks) {
    const ConvexBlock& block = program->blocks[i];
    const int end = block.first_row + CountPushing(block);
    for (int r = block.first_row; r < end; ++r) {
      const bool is_small = program->R[r] == 0 && std::abs(program->b[r]) <= most;
      (*asked)[r] = is_small ? program->b[r] : 0;
      if ((*asked)[r] == 0) continue;
      program->b[r] = 0;
      any = true;
    }
  }
  return any;
}

void RecallSmallGaps(std::span<const int> blocks, const std::vector<double>& asked,
                     ConvexProgram* program) {
  for (int i : blocks) {
    const ConvexBlock& block = program->blocks[i];
    const int end = block.first_row + CountPushing(block);
    for (int r = block.first_row; r < end; ++r) {
      if (asked[r] != 0) program->b[r] = asked[r];
    }
  }
}

}  // namespace voigt
