#pragma once

#include <vector>

#include "voigt/kernels/complementarity.h"

namespace voigt {

// A boxed problem as pairs of variables that are not negative, plus free ones:
//
//   ω = N̂ ζ + q̂,     0 ≤ ζ_p ⟂ ω_p ≥ 0  for most pairs p,     ω_p = 0, ζ_p free  for free pairs.
//
// - lower bound only: z = lower + ζ, ω = w;     upper bound only: z = upper − ζ, ω = −w;
// - both: z = lower + ζ with ω = w + ζ', and a pair of its own for the bound: ω' = upper − lower −
// ζ
//   ≥ 0 ⟂ ζ' ≥ 0, where ζ' is what w falls short of zero at the upper bound;
// - equal bounds: z is put into q̂, no pair;
// - free: a free pair. Those that cannot be eliminated because their own block of N is singular are
//   split (SplitFree) into two pairs, z = ζ⁺ − ζ⁻ with ω± = ±w, which keeps (semi)definiteness,
//   copositivity on the cone of the others, and their being solvable by Lemke's method.
//
// Pairs are scaled, ζ and ω each by a power of two, so that the diagonal of N̂ is near one, and with
// it, for semidefinite N, all entries are at most that; where the diagonal has nothing to say, the
// largest entries of row and column are near one.
//
// N̂ is not formed: its columns are written when asked for.
class BoxAsLcp {
 public:
  enum class Kind { kOneSided, kBound, kFree };
  struct Pair {
    Kind kind = Kind::kOneSided;
    int variable = 0;     // z, or the z that is bounded
    int row = 0;          // w: the same, but for free pairs that were paired anew
    double sign = 1;      // z = bound + sign ζ: a scale, and its sign
    double row_sign = 1;  // ω = row_sign w
    int partner = -1;     // both bounds: the other pair
  };

  // The problem has to stay where it is.
  void Prepare(const ComplementarityProblem& problem);

  // Replaces the free pairs of `columns` (which leave; ascending) by split ones. The k-th of them
  // takes w of the k-th of `rows`, times the k-th of `signs`: with w = 0 it does not matter which
  // variable it is paired with, nor its sign.
  // Free pairs that stay take, in order, the rows that stay. Both list free pairs by their index.
  void SplitFree(const std::vector<int>& columns, const std::vector<int>& rows,
                 const std::vector<double>& signs);

  int size() const { return static_cast<int>(pairs_.size()); }
  const Pair& pair(int p) const { return pairs_[p]; }
  const std::vector<double>& q() const { return q_; }

  // out ← factor N̂_·p, all entries.
  void CalcColumn(int p, double factor, double* out) const;

  // z of ζ, and its linear part alone (which takes rays to rays).
  void CalcZ(const double* zeta, Eigen::Ref<VecX> z) const;
  void CalcDirection(const double* zeta, Eigen::Ref<VecX> dz) const;

 private:
  void CalcScales();
  void CalcQ();

  const ComplementarityProblem* problem_ = nullptr;
  std::vector<Pair> pairs_, kept_;
  std::vector<int> rows_, place_;
  bool is_direct_ = false;  // every pair is its own variable: columns are those of N, scaled
  std::vector<double> scales_, row_scales_;  // of z and w, by variable
  std::vector<double> row_signs_;            // by pair
  std::vector<char> is_known_;
  std::vector<double> base_, q_, w_;  // z at ζ = 0; q̂; w at base
};

}  // namespace voigt
