#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "voigt/math/disc.h"
#include "voigt/math/sparse_rows.h"
#include "voigt/math/tree_factor.h"
#include "voigt/math/tree_pattern.h"

// A convex program in velocity space, and its dual, as every method of this folder sees it.
//
//   min_v  ½ ‖v − v*‖²_M + Σᵢ ℓᵢ(Gᵢ v),     ℓᵢ(y) = max_{γ ∈ Cᵢ} γᵀ(bᵢ − y) − ½ γᵀ Rᵢ γ,
//
// with R ≥ 0 diagonal and Cᵢ a simple convex set. The solution has v = v* + M⁻¹ Gᵀ γ, and
// u = G v + R γ − b is normal to C at γ:  γ = Proj_C(γ − S⁻¹ u) for any diagonal S > 0 (isotropic
// over the components of each disc).
namespace voigt {

enum class ConvexSet : std::uint8_t {
  kAll,        // no condition: u = 0
  kHalfLines,  // γ ≥ 0, row by row
  kIntervals,  // lower ≤ γ ≤ upper, row by row
  kDisc,       // γ₀ ≥ 0 and, apart from it, ‖γ_d‖ ≤ μ_d bound for every disc d
  kCone,       // ‖γ_d‖ ≤ μ_d γ₀
  kCoulomb,    // γ₀ ≥ 0 and ‖γ_d‖ ≤ μ_d γ₀ with γ₀ as it comes out: no convex set, but a law
};

// Whether the rows of a set depend on one another.
inline bool IsCoupled(ConvexSet set) {
  return set == ConvexSet::kDisc || set == ConvexSet::kCone || set == ConvexSet::kCoulomb;
}

struct ConvexBlock {
  ConvexSet set = ConvexSet::kAll;
  bool smooth = false;             // the first row follows ScalarLaws instead of R and b
  std::uint8_t more_rows[2] = {};  // of further discs, behind those of the first
  int first_row = 0, row_count = 0;
  int first_col = 0, col_count = 0;
  int first_entry = 0;
  double mu = 0, bound = 0;
  double more_mu[2] = {};

  // Most blocks have one disc of all rows but the first.
  bool has_one_disc() const { return more_rows[0] == 0; }
  bool has_friction() const { return mu > 0 || more_mu[0] > 0 || more_mu[1] > 0; }
  DiscList discs() const {
    DiscList out;
    out.Add(row_count - 1 - more_rows[0] - more_rows[1], mu);
    for (int k = 0; k < 2; ++k) out.Add(more_rows[k], more_mu[k]);
    return out;
  }
};

// Smooth convex ℓ of single rows: gamma = −ℓ'(y), slope = ℓ''(y) ≥ 0.
class ScalarLaws {
 public:
  virtual ~ScalarLaws() = default;
  struct Value {
    double gamma = 0, slope = 0, potential = 0;
  };
  virtual Value Calc(int row, double y) const = 0;
};

struct ConvexProgram {
  const TreePattern* pattern = nullptr;
  const VecX* M = nullptr;  // packed
  const TreeFactor* factor = nullptr;
  const VecX* v_star = nullptr;
  const int* cols = nullptr;  // ascending in each block
  const double* G = nullptr;  // per block row_count × col_count, row by row
  const ScalarLaws* laws = nullptr;

  std::vector<ConvexBlock> blocks;
  std::vector<double> R, b, lower, upper;  // per row
  std::vector<double> w;                   // diagonal of G M⁻¹ Gᵀ per row

  int nv() const { return pattern->size(); }
  int row_count() const { return static_cast<int>(R.size()); }
  std::span<const int> cols_of(const ConvexBlock& block) const {
    return {cols + block.first_col, static_cast<size_t>(block.col_count)};
  }
  const double* entries(const ConvexBlock& block, int r) const {
    return G + block.first_entry + r * block.col_count;
  }
};

// visit(row) for every row of some blocks.
template <typename Visit>
void ForEachRow(const ConvexProgram& program, std::span<const int> blocks, Visit visit) {
  for (int i : blocks) {
    const ConvexBlock& block = program.blocks[i];
    for (int r = block.first_row; r < block.first_row + block.row_count; ++r) visit(r);
  }
}

// Entry r of P y for a matrix P of one block: row by row, or a diagonal where rows are on their
// own.
inline double MultiplyRow(const ConvexBlock& block, const double* P, int r, const double* y) {
  if (!IsCoupled(block.set)) return P[r] * y[r];
  double sum = 0;
  for (int s = 0; s < block.row_count; ++s) sum += P[r * block.row_count + s] * y[s];
  return sum;
}

// y = G_block v for one block; y has row_count numbers.
inline void MultiplyBlock(const ConvexProgram& program, const ConvexBlock& block, const double* v,
                          double* y) {
  MultiplyRows(program.entries(block, 0), block.row_count, program.cols + block.first_col,
               block.col_count, v, y);
}

// x += G_blockᵀ gamma.
inline void AddTransposedBlock(const ConvexProgram& program, const ConvexBlock& block,
                               const double* gamma, double* x) {
  AddTransposedRows(program.entries(block, 0), block.row_count, program.cols + block.first_col,
                    block.col_count, gamma, x);
}

}  // namespace voigt
