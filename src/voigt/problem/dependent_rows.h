#pragma once

#include <span>
#include <vector>

#include "voigt/problem/row_inertia.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

// Rigid bilateral rows that repeat each other, as far as their own gaps let one tell.
//
// Loops in space may have more rows than they need (Bricard's mechanism: Gᵀ n = 0 for some n, in
// every position that they allow). A step later the loop is open by φ ~ h², G has turned by as
// much, and Gᵀ n is no longer zero but of the order of φ: taken literally, the rows now hold the
// motion that they are there to let through, with impulses as large as 1/φ. So a direction n counts
// as dependent if
//
//   ‖M^{−1/2} Gᵀ n‖ ≤ ε ‖n‖_w,     ε = 1000 max |δq|, at least 1e-12 and at most 1e-4,
//
// with w the diagonal of W = G M⁻¹ Gᵀ, or 1e-4 of its largest entry where it is less, and δq = M⁻¹
// Gᵀ w⁻¹ φ about the way back to φ = 0, in radians: what G is off by. (Metres count like radians;
// they turn nothing.) Found by a QR factorisation with pivoting of M^{−1/2} Gᵀ w^{−1/2}, for each
// set of rows that shares trees of the mechanism on its own: of order nv · rows² numbers, for when
// something is suspicious.
//
// What is then to hold is the limit of equal compliances c ρ, c → 0, if n were dependent exactly:
//
//   u in the span of ρ N,     Nᵀ ρ γ = 0,     with Nᵀ ρ N = 1:
//
// least squares for the velocities, least norm for the impulses; they do no work on each other,
// γ · u = 0. ρ is the largest w of the set, for all rows but those more than 1e4 times lighter,
// for which it is 1e4 w.
class DependentRows {
 public:
  // Looks among the rigid bilateral rows of these groups; the number of directions found.
  int Find(const VelocityProblem& problem, std::span<const int> groups);
  int count() const { return count_; }
  void Clear() { count_ = 0, sets_used_ = 0; }

  // γ ← γ − N Nᵀ ρ γ.
  void RemoveFrom(VecX* gamma) const;
  // part ← ρ N Nᵀ u on the rows that have dependent directions; other rows of *part stay.
  void CalcContradiction(const VecX& u, VecX* part) const;
  // Whether a contradiction is no more than what the gaps explain: ε of the velocities, and what
  // the rounding of positions, 1e-13 m, is worth in a step h.
  bool IsExplained(const VecX& part, double velocity, double h) const;
  // Calls visit(row) for each row that has a part in a dependent direction.
  template <typename Visit>
  void ForEachRow(Visit visit) const {
    for (int s = 0; s < sets_used_; ++s) {
      if (sets_[s].directions == 0) continue;
      for (int row : sets_[s].rows) visit(row);
    }
  }

 private:
  // Rows that share trees.
  struct Set {
    std::vector<int> rows;
    double w_max = 0;
    double tolerance = 0;  // ε
    int directions = 0;
    VecX rho;
    MatX N;     // rows × directions
    MatX A, R;  // M^{−1/2} Gᵀ w^{−1/2}, degrees of freedom × rows, and its factors: Q in A, R
    std::vector<int> order;
  };

  int RootOf(int tree);
  void CollectSets(const VelocityProblem& problem, std::span<const int> groups);
  double CalcTolerance(const VelocityProblem& problem, const Set& set);
  void FillMatrix(const VelocityProblem& problem, Set* set);
  static int Factor(Set* set);
  void FindDirections(Set* set) const;

  int count_ = 0, sets_used_ = 0;
  std::vector<Set> sets_;
  RowInertiaScratch scratch_;
  VecX w_, x_;
  std::vector<int>
      tree_parent_;  // per degree of freedom: its tree's root, and roots joined by rows
  std::vector<int> set_of_tree_, group_of_row_, local_;
};

}  // namespace voigt
