#pragma once

#include <span>
#include <utility>
#include <vector>

#include "voigt/math/block_structure.h"
#include "voigt/math/types.h"

namespace voigt {

// Cholesky factorisation A = L Lᵀ of a sparse symmetric positive definite matrix made of dense
// blocks, placed as BlockStructure says. Everything that depends on the structure alone is worked
// out once, by Analyze.
//
//   factor.Analyze(sizes, edges);
//   factor.SetZero(); … add to the blocks that Find(i, j) places …
//   if (factor.Factor()) factor.Solve(x);
class BlockCholesky {
 public:
  // Edges join different nodes, in any order, repeated or not.
  void Analyze(std::span<const int> sizes, std::span<const std::pair<int, int>> edges) {
    Order(sizes, edges);
    PlacePanels();
  }
  // The two halves of Analyze: after the first, cost() is known.
  void Order(std::span<const int> sizes, std::span<const std::pair<int, int>> edges) {
    structure_.Order(sizes, edges);
  }
  void PlacePanels() { structure_.PlacePanels(); }

  int size() const { return structure_.size(); }
  double cost() const { return structure_.cost(); }
  const BlockStructure& structure() const { return structure_; }  // for factors of another kind

  // Entries are in data(). Of diagonal blocks only the lower triangle is read.
  using Place = BlockStructure::Place;
  Place Find(int i, int j) const { return structure_.Find(i, j); }

  // After SetZero.
  double* data() { return values_.data(); }
  void SetZero();

  // False if a pivot is not positive.
  bool Factor();

  // x ← A⁻¹ x.
  void Solve(double* x) const;

 private:
  using Column = BlockStructure::Column;

  bool FactorColumn(const Column& column);
  bool FactorWideColumn(const Column& column);
  void SolveWideColumn(const Column& column, double* x) const;
  void SolveTransposedWideColumn(const Column& column, double* x) const;

  BlockStructure structure_;
  std::vector<double> values_;
  mutable VecX x_column_;  // scratch: what of x meets a wide column
};

}  // namespace voigt
