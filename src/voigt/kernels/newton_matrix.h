#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <span>
#include <vector>

#include "voigt/kernels/convex_program.h"
#include "voigt/kernels/islands.h"
#include "voigt/math/block_cholesky.h"
#include "voigt/math/block_lu.h"

namespace voigt {

// How the systems of an island are solved.
enum class MatrixKind {
  kAuto,         // by predicted cost
  kTreeSparse,   // no block couples two branches: H has the pattern of M, and no fill
  kDense,        //
  kBlockSparse,  // block Cholesky
};

// Whether there are contacts and single rows that push alone, and no joints.
bool IsOfContacts(const ConvexProgram& program, std::span<const int> blocks);

// H = M + Σ Gᵀ P G of one island, with P one small matrix per block: assembled, factored, solved.
// Where P is not symmetric (the Coulomb law), H is factored as a dense matrix with pivoting, or by
// blocks where it is block-sparse.
class NewtonMatrix {
 public:
  // Works out the structure; quick if it is the one of the last call, and false then. kAuto
  // chooses; a kind that is impossible (tree-sparse with coupled branches) is replaced by
  // block-sparse.
  bool Analyze(const ConvexProgram& program, std::span<const int> blocks,
               std::span<const DofRange> ranges, MatrixKind kind);

  MatrixKind kind() const { return kind_; }
  int size() const { return size_; }
  // What takes the place of Analyze where the structure is known to be that of the last call.
  void Reset() { is_factored_ = false; }

  // Since the last call of Analyze or Reset.
  bool is_factored() const { return is_factored_; }
  void Forget() { is_factored_ = false; }

  // P by blocks: P_start[i] is where that of program.blocks[i] begins; full matrices (row by row)
  // for coupled sets, diagonals for the others. False if H is not positive definite.
  bool Factor(const ConvexProgram& program, std::span<const double> P, std::span<const int> P_start,
              bool symmetric = true) {
    is_factored_ = FactorAs(program, P, P_start, symmetric);
    return is_factored_;
  }

  // x ← H⁻¹ x on the island's degrees of freedom; x is as long as v.
  void Solve(const ConvexProgram& program, double* x);

 private:
  bool FactorAs(const ConvexProgram& program, std::span<const double> P,
                std::span<const int> P_start, bool symmetric);

  // A stretch of a block's columns that lies in one node of the block matrix.
  struct Segment {
    int node = 0, at = 0, count = 0, first = 0;  // columns first … of the block ↔ at … of the node
  };
  struct Place {
    int offset = 0, stride = 0;
    bool transposed = false;
  };

  bool IsTreeLike(const ConvexProgram& program) const;
  bool SameStructure(const ConvexProgram& program, std::span<const int> blocks,
                     std::span<const DofRange> ranges, MatrixKind kind);
  void ChooseKind(const ConvexProgram& program);
  void PlaceEntries(const ConvexProgram& program);
  void NumberDofs(int nv, std::span<const DofRange> ranges);
  void MakeNodes(const ConvexProgram& program);
  void PlaceMass(const ConvexProgram& program);
  void PlaceBlocks(const ConvexProgram& program);
  void AssembleDense(const ConvexProgram& program, std::span<const double> P,
                     std::span<const int> P_start);
  void AssembleTree(const ConvexProgram& program, std::span<const double> P,
                    std::span<const int> P_start);
  void AssembleBlocks(const ConvexProgram& program, std::span<const double> P,
                      std::span<const int> P_start);
  void AssembleUnsymmetricBlocks(const ConvexProgram& program, std::span<const double> P,
                                 std::span<const int> P_start);
  bool FactorUnsymmetric(const ConvexProgram& program, std::span<const double> P,
                         std::span<const int> P_start);
  void AddUpBlock(const double* G, int rows, int nc, double* sum) const;
  // Sets weights_ and right_ so that P G = diag(weights_) right_ for a block; false if it is zero.
  bool Weigh(const ConvexProgram& program, const ConvexBlock& block, const double* P);

  MatrixKind asked_ = MatrixKind::kAuto, kind_ = MatrixKind::kAuto;
  int size_ = 0;
  bool symmetric_ = true, is_factored_ = false, has_places_ = false;

  // What the structure was worked out for.
  std::vector<int> blocks_;
  std::vector<DofRange> ranges_;
  std::vector<int> signature_, new_signature_;

  std::vector<int> local_;  // of a degree of freedom (−1 outside)
  std::vector<double> PG_, diagonal_, sum_;
  const double *weights_ = nullptr, *right_ = nullptr;  // of the block that is being added
  VecX x_, y_;

  MatX dense_;
  Eigen::LLT<MatX> llt_;
  Eigen::PartialPivLU<MatX> lu_;
  // Tree-sparse: the island's own rows of a packed matrix.
  VecX packed_;
  TreeFactor tree_;
  // Block-sparse.
  BlockCholesky cholesky_;
  BlockLu block_lu_;
  std::vector<std::pair<int, int>> edges_;               // of nodes, sorted
  std::vector<int> node_of_, node_sizes_, node_starts_;  // by local degree of freedom; by node
  std::vector<int> mass_entries_;                        // where the entries of M go, in order
  std::vector<int> mass_sources_;
  std::vector<int> mass_mirrors_;  // where they go once more in a whole diagonal block, −1 for none
  std::vector<Segment> segments_;
  std::vector<int> segment_start_;  // by block of the island
  std::vector<Place> places_;       // per block and pair of its segments, second ≤ first
  std::vector<int> place_start_;
};

}  // namespace voigt
