#include "voigt/formulations/compliant/island_scales.h"

#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

// Rows far lighter than the heaviest get a floor of their own, so that each step still gains
// digits.
constexpr double kWidestRange = 1e-4;

// Discs, of cones too, need the same number for all their components.
void EqualizeDiscs(const ConvexProgram& program, std::span<const int> blocks,
                   std::vector<double>* list) {
  for (int i : blocks) {
    const ConvexBlock& block = program.blocks[i];
    if (!IsCoupled(block.set)) continue;
    if (block.has_one_disc() && block.row_count == 3) {
      double* const pair = list->data() + block.first_row + 1;
      pair[0] = pair[1] = std::max(pair[0], pair[1]);
      continue;
    }
    for (const Disc& disc : block.discs()) {
      const auto first = list->begin() + block.first_row + disc.first, last = first + disc.count;
      std::fill(first, last, *std::max_element(first, last));
    }
  }
}

}  // namespace

void IslandScales::Update(const ConvexProgram& program, std::span<const int> blocks,
                          std::vector<double>* S) {
  w_max_ = 1e-290;
  ForEachRow(program, blocks, [&](int r) { w_max_ = std::max(w_max_, program.w[r]); });
  ForEachRow(program, blocks,
             [&](int r) { (*S)[r] = std::max(program.w[r] + program.R[r], kFloor * w_max_); });
  EqualizeDiscs(program, blocks, S);

  free_velocity_ = 1e-300;
  for (int i : blocks) {
    const ConvexBlock& block = program.blocks[i];
    free_velocity_ = std::max(free_velocity_, LargestSum(program.entries(block, 0), block.row_count,
                                                         program.cols + block.first_col,
                                                         block.col_count, program.v_star->data()));
  }
}

void IslandScales::SetFloor(const ConvexProgram& program, std::span<const int> blocks, double floor,
                            std::vector<double>* R) const {
  ForEachRow(program, blocks, [&](int r) {
    // A row that hardly moves anything is no lighter row, it is rounding.
    const bool moves = program.w[r] > 1e-24 * w_max_;
    const double w = std::min(w_max_, program.w[r] / kWidestRange);
    (*R)[r] = std::max(program.R[r], moves ? floor * w : w_max_);
  });
  EqualizeDiscs(program, blocks, R);
}

double IslandScales::CalcVelocity(const ConvexProgram& program, std::span<const int> blocks,
                                  const VecX& gamma, const std::vector<double>& S) const {
  double scale = free_velocity_;
  for (int i : blocks) {
    const ConvexBlock& block = program.blocks[i];
    const int first = block.first_row;
    for (int r = first; r < first + block.row_count; ++r) {
      scale = std::fmax(scale, S[r] * std::abs(gamma[r]));
      // A gap that closes only far beyond this step asks for nothing, nor does the row that a
      // smooth law replaces.
      const bool asks = program.b[r] > 0 || gamma[r] != 0;
      if (asks && !(block.smooth && r == first)) scale = std::fmax(scale, std::abs(program.b[r]));
    }
  }
  return scale;
}

}  // namespace voigt
