#include "voigt/formulations/compliant/island_scales.h"

#include <algorithm>
#include <cmath>

#include "voigt/math/extremes.h"

namespace voigt {
namespace {

// Rows far lighter than the heaviest get a floor of their own, so that each step still gains
// digits.
constexpr double kWidestRange = 1e4;

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
  const double *const w = program.w.data(), *const R = program.R.data();
  double w_max = 1e-290;
  for (int i : blocks) {
    const ConvexBlock& block = program.blocks[i];
    const double* const w_b = w + block.first_row;
    w_max = LargestValue(block.row_count, w_max, [=](int r) { return w_b[r]; });
  }
  const double least = kFloor * w_max;
  double* const __restrict S_rows = S->data();
  ForEachRow(program, blocks, [&](int r) { S_rows[r] = Larger(w[r] + R[r], least); });
  w_max_ = w_max;
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
  const double *const w = program.w.data(), *const own = program.R.data();
  const double w_max = w_max_, rounding = 1e-24 * w_max_;
  double* const __restrict R_rows = R->data();
  ForEachRow(program, blocks, [&](int r) {
    // A row that hardly moves anything is no lighter row, it is rounding.
    const double range = Smaller(w_max, kWidestRange * w[r]);
    R_rows[r] = Larger(own[r], w[r] > rounding ? floor * range : w_max);
  });
  EqualizeDiscs(program, blocks, R);
}

VelocityScale IslandScales::CalcVelocity(const ConvexProgram& program, std::span<const int> blocks,
                                         const VecX& gamma, const std::vector<double>& S) const {
  double asked = free_velocity_, made = 0;
  for (int i : blocks) {
    const ConvexBlock& block = program.blocks[i];
    const double* const b = program.b.data() + block.first_row;
    const double* const gamma_b = gamma.data() + block.first_row;
    const double* const S_b = S.data() + block.first_row;
    // A gap that closes only far beyond this step asks for nothing, nor does the row that a smooth
    // law replaces, its first.
    const int first = block.smooth ? 1 : 0;
    asked = LargestValue(block.row_count - first, asked, [=](int k) {
      const int r = first + k;
      return (b[r] > 0) | (gamma_b[r] != 0) ? std::fabs(b[r]) : 0;
    });
    made =
        LargestValue(block.row_count, made, [=](int r) { return S_b[r] * std::fabs(gamma_b[r]); });
  }
  return {asked, made};
}

}  // namespace voigt
