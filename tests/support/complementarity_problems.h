#pragma once

#include <random>
#include <vector>

#include "voigt/kernels/complementarity.h"

namespace voigt::testing {

// A complementarity problem that owns its numbers.
struct OwnedComplementarity {
  MatX N;
  VecX q, lower, upper;
  VecX z;  // a solution, where it is known

  int size() const { return static_cast<int>(q.size()); }
  ComplementarityProblem view() const { return {N, q, lower, upper}; }
};

enum class BoundKind { kLower, kUpper, kBox, kFree };

// Random numbers by the shape of the problem.
class ComplementarityMaker {
 public:
  explicit ComplementarityMaker(unsigned seed) : random_(seed) {}

  double Real(double lower, double upper) {
    return std::uniform_real_distribution<double>(lower, upper)(random_);
  }
  bool Chance(double probability) { return Real(0, 1) < probability; }
  int Index(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  MatX Matrix(int rows, int cols);

  // B Bᵀ of the given rank, plus `shift` I, plus `skew` times a skew-symmetric matrix: positive
  // semidefinite, definite if shift > 0.
  MatX Semidefinite(int size, int rank, double shift, double skew);

  // Not definite, but all principal minors are positive: lower triangular with a positive diagonal,
  // rows and columns permuted alike and scaled.
  MatX PMatrix(int size);

  // Bounds of all the given kinds, one solution, and q that fits it. `degenerate`: the chance that
  // both z is at its bound and w is zero.
  OwnedComplementarity WithSolution(const MatX& N, const std::vector<BoundKind>& kinds,
                                    double degenerate);

  // Contacts with a friction pyramid of `edges` directions on bodies that move in three degrees of
  // freedom each [Anitescu, Miller & Hart 2003, eq. 2.10]: impulses (c, β) and λ per contact,
  //   N = [W, E; (μ −Eᵀ), 0] with W = D M⁻¹ Dᵀ, q = (Dᵀv, 0).
  OwnedComplementarity FrictionPyramid(int bodies, int contacts, int edges, double mu);

 private:
  std::mt19937 random_;
};

}  // namespace voigt::testing
