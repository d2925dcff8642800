#pragma once

#include <span>
#include <vector>

#include "voigt/kernels/convex_program.h"
#include "voigt/problem/velocity_scale.h"

namespace voigt {

// Rigid rows are solved with R raised to this part of the island's inverse inertia: the factor of H
// then keeps half of its digits, and each step on the natural map gains the other half.
inline constexpr double kFloor = 1e-8;

// What the rows of an island are measured by.
class IslandScales {
 public:
  // Works out what follows and sets S, for every row w + R, equal over the components of each disc.
  void Update(const ConvexProgram& program, std::span<const int> blocks, std::vector<double>* S);

  // Sets R: that of the program, raised to a part of the island's inverse inertia, which is the
  // same for all rows that are not far lighter.
  void SetFloor(const ConvexProgram& program, std::span<const int> blocks, double floor,
                std::vector<double>* R) const;

  // The largest velocity that a row asks for, is made of without impulses (whose parts may cancel,
  // and leave their rounding), or is given by them.
  VelocityScale CalcVelocity(const ConvexProgram& program, std::span<const int> blocks,
                             const VecX& gamma, const std::vector<double>& S) const;
  double free_velocity() const { return free_velocity_; }  // the part that no solution changes

 private:
  double w_max_ = 0;          // the largest response of a row to an impulse of its own
  double free_velocity_ = 0;  // the largest Σ |G_k v*_k|
};

}  // namespace voigt
