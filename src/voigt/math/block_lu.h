#pragma once

#include <vector>

#include "voigt/math/block_cholesky.h"

namespace voigt {

// Factorisation A = L D U of an unsymmetric matrix made of dense blocks whose places are symmetric:
// those of a BlockCholesky, in whose order the nodes are eliminated. D is inverted block by block,
// with pivoting inside of each; blocks are not exchanged, which suits matrices that are not far
// from positive definite ones.
class BlockLu {
 public:
  static constexpr int kMaxWidth = 64;  // of a node

  // After BlockCholesky::PlacePanels; the structure has to stay where it is.
  void SetStructure(const BlockCholesky& structure);

  // Block (i, j) that the structure places at `offset`: lower() there if j is eliminated first (or
  // i = j), and, where i is, upper() with the block transposed. So lower()[k] and upper()[k] hold
  // entries that mirror each other. Diagonal blocks are whole, in lower() alone.
  double* lower() { return lower_.data(); }
  double* upper() { return upper_.data(); }
  void SetZero();

  // False if a diagonal block is singular.
  bool Factor();

  // x ← A⁻¹ x.
  void Solve(double* x) const;

 private:
  const BlockCholesky* structure_ = nullptr;
  std::vector<double> lower_, upper_;  // in the end L with D⁻¹ on the diagonal, and (D U)ᵀ
  mutable VecX x_j_;
};

}  // namespace voigt
