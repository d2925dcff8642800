#pragma once

#include <span>
#include <utility>
#include <vector>

#include "voigt/math/types.h"

namespace voigt {

// Cholesky factorisation A = L Lᵀ of a sparse symmetric positive definite matrix made of dense
// blocks. A's rows are divided among nodes of 1 … 12 or so rows each; block (i, j) is stored where
// i and j are joined by an edge. Nodes are eliminated in an order of low fill (approximate minimum
// degree); everything that depends on the structure alone is worked out once, by Analyze.
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
  // The two halves of Analyze: after the first, cost() is known; the second takes most of the time.
  void Order(std::span<const int> sizes, std::span<const std::pair<int, int>> edges);
  void PlacePanels();

  int size() const { return size_; }

  // Where entry (a of node i, b of node j) is: at data()[offset + a + b·stride], or with a and b
  // exchanged if `transposed`. Of diagonal blocks only the lower triangle is read.
  struct Place {
    int offset = 0, stride = 0;
    bool transposed = false;
  };
  Place Find(int i, int j) const;

  double* data() { return values_.data(); }
  void SetZero();

  // False if a pivot is not positive.
  bool Factor();

  // x ← A⁻¹ x.
  void Solve(double* x) const;

  // Multiplications of one factorisation.
  double cost() const { return cost_; }

  // The structure, for factors of another kind (block_lu.h).
  // One column of blocks of L: the diagonal block above those of `rows`, as one dense panel.
  struct Column {
    int node = 0, width = 0;
    int start = 0;                     // of the node's rows in x
    int offset = 0, height = 0;        // the panel in values_
    int first_row = 0, row_count = 0;  // in rows_
    int first_target = 0;              // in targets_
  };
  struct RowBlock {
    int column = 0;  // of the node of this row
    int at = 0;      // its first row in the panel
  };

  const std::vector<Column>& columns() const { return columns_; }  // in the order of elimination
  const std::vector<RowBlock>& rows() const { return rows_; }
  // For each column and pair of its rows: where the product of their blocks goes.
  const std::vector<int>& targets() const { return targets_; }
  size_t value_count() const { return values_.size(); }

 private:
  void FindStructure(std::span<const std::pair<int, int>> edges);
  void CalcCost();
  void PlaceTargets();

  int size_ = 0;
  double cost_ = 0;
  std::vector<int> position_;  // of a node in the order of elimination
  std::vector<Column> columns_;
  std::vector<RowBlock> rows_;
  std::vector<int> targets_;
  std::vector<double> values_;
  std::vector<std::vector<int>> structure_;  // scratch of Analyze
};

}  // namespace voigt
