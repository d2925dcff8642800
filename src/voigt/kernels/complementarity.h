#pragma once

#include "voigt/math/types.h"

namespace voigt {

// The boxed (mixed) linear complementarity problem: find z in [lower, upper] such that
// w = N z + q satisfies, entry by entry,
//
//   z = lower ⇒ w ≥ 0,     z = upper ⇒ w ≤ 0,     lower < z < upper ⇒ w = 0.
//
// lower = 0, upper = ∞ is the standard problem 0 ≤ z ⟂ w ≥ 0; lower = −∞, upper = ∞ an equation
// w = 0 with a free variable; lower = upper a given value. N is square and need not be symmetric.
// For symmetric positive semidefinite N these are the conditions of min ½ zᵀNz + qᵀz in the box.
//
// A view: whatever it is made from has to outlive it, and nothing is copied (N by columns, with any
// distance between them).
struct ComplementarityProblem {
  Eigen::Ref<const MatX> N;
  Eigen::Ref<const VecX> q, lower, upper;

  int size() const { return static_cast<int>(q.size()); }
};

enum class ComplementarityStatus {
  kSolved,          // the residual is within the tolerance
  kRay,             // Lemke's path goes to infinity; without certificate this proves nothing
  kInfeasible,      // proven: no z in the box has w on the right side (IsInfeasible)
  kIterationLimit,  // or the deadline has passed
  kInaccurate,      // a solution by its signs, but the residual is above the tolerance
  kFailed,          // no factor could be made, or the problem has an entry that is not a number
};

const char* ToString(ComplementarityStatus status);

// Checks sizes (a broken precondition is a bug of the caller); returns whether all of N, q are
// finite and lower ≤ upper, with bounds that allow a finite z.
bool IsWellPosed(const ComplementarityProblem& problem);

// The natural map of the problem, by which every kernel is judged:
//
//   max_i s_i |z_i − clamp(z_i − w_i/s_i, lower_i, upper_i)| / max_i (|q_i| + Σ_j |N_ij z_j|),
//
// with s_i = max_j |N_ij| (1 where that is zero), so that the numerator has the units of w and the
// quotient is free of units: about 1e-16 times a modest factor is all that arithmetic can reach. It
// is zero exactly at solutions. Not divided where the divisor is zero. Infinite for z that is not
// finite. `w` is filled with N z + q.
double CalcComplementarityResidual(const ComplementarityProblem& problem,
                                   const Eigen::Ref<const VecX>& z, Eigen::Ref<VecX> w);

// Whether y proves that there is no z in the box with w ≥ 0 where upper = ∞, w ≤ 0 where
// lower = −∞ and w = 0 where both are infinite: such z would have yᵀw ≥ 0, as y has those signs
// (and is zero where both bounds are finite), while sup {yᵀ(N z + q) : z in the box} < 0. Signs and
// the entries of Nᵀy that infinite bounds need are allowed to be off by `tolerance`, relative to
// the sums that they come from.
bool IsInfeasible(const ComplementarityProblem& problem, const Eigen::Ref<const VecX>& y,
                  double tolerance = 1e-9);

}  // namespace voigt
