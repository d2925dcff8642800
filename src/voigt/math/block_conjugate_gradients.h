#pragma once

#include <span>
#include <utility>
#include <vector>

#include "voigt/math/block_cholesky.h"

namespace voigt {

// Conjugate gradients for a sparse symmetric positive definite matrix made of dense blocks, laid
// out as for BlockCholesky, with one block per node and per edge and no fill. Memory and the time
// of an iteration grow with the edges alone, which for packed beds is far less than a factor takes.
//
// With D = K Kᵀ the blocks of the diagonal, Â = K⁻¹ A K⁻ᵀ = T + Tᵀ − I, T lower triangular with
// ones on its diagonal. The preconditioner is one symmetric Gauss–Seidel sweep, T Tᵀ; in the
// unknowns y = Tᵀ Kᵀ x the matrix is
//
//   B = T⁻¹ Â T⁻ᵀ,    B y = t + T⁻¹ (y − t),  t = T⁻ᵀ y,
//
// two triangular solves, as much as one product with A [Eisenstat 1981].
class BlockConjugateGradients {
 public:
  // Edges join different nodes; sorted, none repeated, first > second.
  void Analyze(std::span<const int> sizes, std::span<const std::pair<int, int>> edges);

  int size() const { return size_; }

  // Where entry (a of node i, b of node j) is, as in BlockCholesky.
  BlockCholesky::Place Find(int i, int j) const;

  double* data() { return values_.data(); }
  void SetZero();

  // Scales A to Â. False if a block of the diagonal is not positive definite.
  bool Factor();

  struct Result {
    int iterations = 0;
    bool converged = false;
  };
  // x ← A⁻¹ x until ‖B y − T⁻¹ K⁻¹ x‖ is `tolerance` of its start. Blocks of zeros cost nothing.
  // Of an indefinite matrix, what was found before that showed.
  Result Solve(double tolerance, int max_iterations, double* x);

  // Multiplications of one iteration, if no block is zero.
  double cost() const { return cost_; }

 private:
  struct Node {
    int start = 0, size = 0;  // in x
    int offset = 0;           // of its block of the diagonal in values_
  };
  struct Edge {
    int row = 0, col = 0;  // nodes, row > col
    int offset = 0;        // by columns
  };
  // An edge that is not zero, as the triangular solves need it.
  struct Link {
    int row_start = 0, col_start = 0, rows = 0, cols = 0, offset = 0;
  };

  void SolveT(double* x) const;            // x ← T⁻¹ x
  void SolveTransposedT(double* x) const;  // x ← T⁻ᵀ x
  void Multiply(const VecX& y, VecX* t, VecX* By) const;

  int size_ = 0;
  double cost_ = 0;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;  // sorted by row, then by column
  std::vector<Link> links_;
  std::vector<double> values_;
  VecX y_, r_, p_, Bp_, t_;
};

}  // namespace voigt
