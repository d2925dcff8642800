#pragma once

#include "voigt/kernels/row_chain.h"
#include "voigt/kernels/row_matrix.h"

namespace voigt {

// I + P W of an island, factored along a chain or as one small matrix, where either is cheaper than
// M + Gᵀ P G.
class RowFactor {
 public:
  // Once per structure. Before it nothing applies.
  void Analyze(const ConvexProgram& program, std::span<const int> blocks,
               std::span<const DofRange> ranges) {
    is_analyzed_ = true;
    chain_.Analyze(program, blocks, ranges);
  }

  // The numbers of G and M are new, and `blocks`, still those of the structure, may stand elsewhere
  // in the program.
  void Reset(const ConvexProgram& program, std::span<const int> blocks,
             std::span<const DofRange> ranges) {
    chain_.Reset(program, blocks);
    if (is_analyzed_ && !chain_.applies()) matrix_.Reset(program, blocks, ranges);
  }

  bool applies() const { return chain_.applies() || (is_analyzed_ && matrix_.applies()); }
  bool is_factored() const {
    return chain_.applies() ? chain_.is_factored() : matrix_.is_factored();
  }
  void Forget() {
    chain_.Forget();
    matrix_.Forget();
  }

  // P by blocks, as NewtonMatrix::Factor takes it. False if a number is not finite.
  bool Factor(const ConvexProgram& program, std::span<const double> P,
              std::span<const int> P_start) {
    return chain_.applies() ? chain_.Factor(program, P, P_start)
                            : matrix_.Factor(program, P, P_start);
  }

  // r ← (I + P W)⁻¹ r; r is as long as the rows of the program.
  void Solve(double* r) const { chain_.applies() ? chain_.Solve(r) : matrix_.Solve(r); }

 private:
  bool is_analyzed_ = false;
  RowChain chain_;
  RowMatrix matrix_;
};

}  // namespace voigt
