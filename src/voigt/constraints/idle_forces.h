#pragma once

#include <Eigen/LU>

#include "voigt/constraints/reaction_map.h"
#include "voigt/math/types.h"

// Loads that rigid bodies leave open: where rows repeat each other, forces Z z on them move
// nothing, and how much of a load each joint bears is a question of elasticity. Here it is one of
// least squares, of all forces that joints bear; a bearing bears moments by forces at its radius.
namespace voigt {

// A basis Z of forces on rows with Gᵀ Z = 0; rows × none where each row holds something of its own.
class IdleForces {
 public:
  const MatX& Calc(const MatX& G_T);

 private:
  Eigen::FullPivLU<MatX> factor_;
  MatX Z_;
};

// Whether friction is that of the joint in the tree that holds a body, or, with a wrench, that of
// the loop joint or constraint which the wrench is of.
inline bool IsOfJoint(const ConstraintSet& constraints, const FrictionRows& friction, int body,
                      const RowWrench* wrench) {
  return wrench == nullptr ? friction.body == body : IsOwnWrench(constraints, friction, *wrench);
}

}  // namespace voigt
