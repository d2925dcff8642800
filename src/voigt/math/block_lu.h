#pragma once

#include <vector>

#include "voigt/math/block_structure.h"
#include "voigt/math/types.h"

namespace voigt {

// Factorisation A = L D U of an unsymmetric matrix made of dense blocks whose places are symmetric:
// those of a BlockStructure, in whose order the nodes are eliminated. D is inverted node by node,
// with pivoting inside of each; blocks are not exchanged, which suits matrices that are not far
// from positive definite ones.
class BlockLu {
 public:
  static constexpr int kMaxWidth = 64;  // of a node

  // After BlockStructure::PlacePanels; the structure has to stay where it is.
  void SetStructure(const BlockStructure& structure);

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
  using Column = BlockStructure::Column;

  bool FactorColumn(const Column& column);
  bool FactorWideColumn(const Column& column);
  void SolveWideColumn(const Column& column, double* x) const;
  void SolveUpperWideColumn(const Column& column, double* x) const;

  const BlockStructure* structure_ = nullptr;
  std::vector<double> lower_, upper_;  // in the end L with D⁻¹ on the diagonal, and (D U)ᵀ
  mutable VecX x_j_, x_column_;        // scratch: x of a node, and what of x meets a wide column
};

}  // namespace voigt
