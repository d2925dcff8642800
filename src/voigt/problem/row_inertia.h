#pragma once

#include <vector>

#include "voigt/problem/velocity_problem.h"

namespace voigt {

// Memory that CalcRowInertia keeps from call to call.
struct RowInertiaScratch {
  std::vector<int> path;   // the degrees of freedom that a group reaches, children before parents
  std::vector<char> seen;  // per degree of freedom: on the path
  std::vector<double> x;   // per degree of freedom: L⁻ᵀ of each row of the group; else zero
  std::vector<double> columns;  // the same where the group's columns are all that it reaches
  std::vector<double> unit;     // per degree of freedom: (M⁻¹)_kk, or NaN while nobody has asked
};

// The diagonal of W = G M⁻¹ Gᵀ, one entry per row: the velocity of the row for a unit impulse along
// it, 1/kg or 1/(kg m²). With M = Lᵀ D L it is the squared length of D^{−1/2} L⁻ᵀ Gᵢᵀ, which
// differs from zero on the paths of the row's columns to their roots only: the cost is that of
// these paths, whatever the size of the tree, and no entry can be negative. Where problem.w has
// them already, they are taken from there.
void CalcRowInertia(const VelocityProblem& problem, RowInertiaScratch* scratch, VecX* w);

// Fills problem->w, for all who will ask. Whoever changes G or M afterwards clears it.
void SetRowInertia(RowInertiaScratch* scratch, VelocityProblem* problem);

// The same with memory of its own.
void CalcRowInertia(const VelocityProblem& problem, VecX* w);

}  // namespace voigt
