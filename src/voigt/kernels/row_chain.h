#pragma once

#include <span>
#include <vector>

#include "voigt/kernels/convex_program.h"
#include "voigt/kernels/islands.h"

namespace voigt {

// Newton's matrix of the natural map on the side of the impulses, I + P W with W = G M⁻¹ Gᵀ, of
// islands that are chains: blocks of up to three rows on free bodies, each of which is moved by at
// most two of them. Stacks are such islands. W then joins each block with the one before it and the
// one behind it, and elimination along the chain,
//
//   Cᵢ = Wᵢᵢ − Wᵢ,ᵢ₋₁ Xᵢ₋₁ Wᵢ₋₁,ᵢ,    Dᵢ = I + Pᵢ Cᵢ,    Xᵢ = Dᵢ⁻¹ Pᵢ,
//
// has matrices of 3 × 3, where M + Gᵀ P G has those of 6 × 6. P may be unsymmetric, or zero.
class RowChain {
 public:
  // The order, from the structure alone.
  void Analyze(const ConvexProgram& program, std::span<const int> blocks,
               std::span<const DofRange> ranges);

  // The numbers of G and M are new, and `blocks`, still those of the structure, may stand elsewhere
  // in the program.
  void Reset(const ConvexProgram& program, std::span<const int> blocks);
  // Of islands that are known to be no chains, in place of both.
  void Drop() {
    links_.clear();
    applies_ = is_factored_ = false;
  }
  // Whether the island is made of chains.
  bool applies() const { return applies_; }
  bool is_factored() const { return is_factored_; }
  void Forget() { is_factored_ = false; }

  // P by blocks, as NewtonMatrix::Factor takes it. False if a number is not finite.
  bool Factor(const ConvexProgram& program, std::span<const double> P,
              std::span<const int> P_start);

  // r ← (I + P W)⁻¹ r; r is as long as the rows of the program.
  void Solve(double* r) const;

 private:
  struct Link {
    int place = 0;  // of the block in the island's list
    int block = 0, first_row = 0, row_count = 0;
    bool is_joined = false;           // to the link before it
    int own_col = 0, before_col = 0;  // where the columns of the body they share begin in either
    bool is_open = false;             // P = 0
    Mat3 W, W_before;                 // Wᵢᵢ and Wᵢ,ᵢ₋₁; rows that a block does not have are zero
    Mat3 D_inverse, X;
  };

  void CalcW(const ConvexProgram& program);

  bool applies_ = false, has_W_ = false, is_factored_ = false;
  std::vector<Link> links_;  // chain by chain
};

}  // namespace voigt
