#pragma once

#include <Eigen/LU>
#include <span>
#include <vector>

#include "voigt/kernels/convex_program.h"
#include "voigt/kernels/islands.h"

namespace voigt {

// Newton's matrix of the natural map on the side of the impulses, I + P W with W = G M⁻¹ Gᵀ, of
// islands with fewer rows than degrees of freedom: a robot that touches the ground with a hand. W
// is worked out once, with halves of M = Lᵀ D L, for all steps of Newton's method.
class RowMatrix {
 public:
  // The numbers of G and M are new.
  void Reset(const ConvexProgram& program, std::span<const int> blocks,
             std::span<const DofRange> ranges);
  // Whether that is worth while.
  bool applies() const { return applies_; }
  bool is_factored() const { return is_factored_; }
  void Forget() { is_factored_ = false; }

  // P by blocks, as NewtonMatrix::Factor takes it. False if a number is not finite.
  bool Factor(const ConvexProgram& program, std::span<const double> P,
              std::span<const int> P_start);

  // r ← (I + P W)⁻¹ r; r is as long as the rows of the program.
  void Solve(double* r) const;

 private:
  void CalcW(const ConvexProgram& program);

  bool applies_ = false, has_W_ = false, is_factored_ = false;
  std::span<const int> blocks_;
  std::span<const DofRange> ranges_;
  std::vector<int> rows_;  // of the island
  std::vector<double> x_;  // as long as v
  MatX half_, W_, A_;      // half: D^{-1/2} L⁻ᵀ Gᵀ, a column for every row
  Eigen::PartialPivLU<MatX> lu_;
  mutable VecX r_, z_;
};

}  // namespace voigt
