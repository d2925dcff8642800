#include "voigt/formulations/compliant/island_scales.h"

#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

// Rows far lighter than the heaviest get a floor of their own, so that each step still gains
// digits.
constexpr double kWidestRange = 1e-4;

template <typename Visit>
void ForEachRow(const ConvexProgram& program, const IslandView& island, Visit visit) {
  for (int i : island.blocks) {
    const ConvexBlock& block = program.blocks[i];
    for (int r = block.first_row; r < block.first_row + block.row_count; ++r) visit(r);
  }
}

// Discs and cones need the same number for all their tangential components.
void EqualizeTangents(const ConvexProgram& program, const IslandView& island,
                      std::vector<double>* list) {
  for (int i : island.blocks) {
    const ConvexBlock& block = program.blocks[i];
    if (!IsCoupled(block.set)) continue;
    const auto first = list->begin() + block.first_row + 1, last = first + block.row_count - 1;
    std::fill(first, last, *std::max_element(first, last));
  }
}

}  // namespace

void IslandScales::Update(const ConvexProgram& program, const IslandView& island,
                          NewtonWorkspace* ws) {
  w_max_ = 1e-290;
  ForEachRow(program, island, [&](int r) { w_max_ = std::max(w_max_, program.w[r]); });
  ForEachRow(program, island,
             [&](int r) { ws->S[r] = std::max(program.w[r] + program.R[r], kFloor * w_max_); });
  EqualizeTangents(program, island, &ws->S);

  free_velocity_ = 1e-300;
  for (int i : island.blocks) {
    const ConvexBlock& block = program.blocks[i];
    free_velocity_ = std::max(free_velocity_, LargestSum(program.entries(block, 0), block.row_count,
                                                         program.cols + block.first_col,
                                                         block.col_count, program.v_star->data()));
  }
}

void IslandScales::SetFloor(const ConvexProgram& program, const IslandView& island, double floor,
                            NewtonWorkspace* ws) const {
  ForEachRow(program, island, [&](int r) {
    // A row that hardly moves anything is no lighter row, it is rounding.
    const bool moves = program.w[r] > 1e-24 * w_max_;
    const double w = std::min(w_max_, program.w[r] / kWidestRange);
    ws->R[r] = std::max(program.R[r], moves ? floor * w : w_max_);
  });
  EqualizeTangents(program, island, &ws->R);
}

double IslandScales::CalcVelocity(const ConvexProgram& program, const IslandView& island,
                                  const VecX& gamma, const NewtonWorkspace& ws) const {
  double scale = free_velocity_;
  for (int i : island.blocks) {
    const ConvexBlock& block = program.blocks[i];
    for (int r = 0; r < block.row_count; ++r) {
      const int row = block.first_row + r;
      scale = std::max(scale, ws.S[row] * std::abs(gamma[row]));
      // A gap that closes only far beyond this step asks for nothing, nor does the row that a
      // smooth law replaces.
      if (block.smooth && r == 0) continue;
      if (program.b[row] > 0 || gamma[row] != 0) {
        scale = std::max(scale, std::abs(program.b[row]));
      }
    }
  }
  return scale;
}

}  // namespace voigt
