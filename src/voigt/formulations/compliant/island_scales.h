#pragma once

#include "voigt/kernels/newton_workspace.h"

namespace voigt {

// Rigid rows are solved with R raised to this part of the island's inverse inertia: the factor of H
// then keeps half of its digits, and each step on the natural map gains the other half.
inline constexpr double kFloor = 1e-8;
// The same for matrices without a factor.
inline constexpr double kIterativeFloor = 1e-2;

// What the rows of an island are measured by.
class IslandScales {
 public:
  // Sets ws->S.
  void Update(const ConvexProgram& program, const IslandView& island, NewtonWorkspace* ws);

  // ws->R ← R raised to a part of the island's inverse inertia, the same for all rows that are not
  // far lighter.
  void SetFloor(const ConvexProgram& program, const IslandView& island, double floor,
                NewtonWorkspace* ws) const;

  // The largest velocity that a row asks for, is made of without impulses (whose parts may cancel,
  // and leave their rounding), or is given by them.
  double CalcVelocity(const ConvexProgram& program, const IslandView& island, const VecX& gamma,
                      const NewtonWorkspace& ws) const;

 private:
  double w_max_ = 0;          // the largest response of a row to an impulse of its own
  double free_velocity_ = 0;  // the largest Σ |G_k v*_k|
};

}  // namespace voigt
