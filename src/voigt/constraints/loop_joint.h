#pragma once

#include <memory>

#include "voigt/constraints/constraint.h"

namespace voigt {

// A joint that closes a loop, as rows that hold its child to its parent. With F on the parent and M
// on the child, p = p_FM in axes of F and θ the rotation vector of R_FM:
//
//   type         rows
//   fixed        p = 0, θ = 0
//   revolute     p = 0, x_F · z_M = 0, y_F · z_M = 0
//   prismatic    p_x = p_y = 0, θ = 0
//   screw        p_x = p_y = 0, x_F · z_M = 0, y_F · z_M = 0, p_z − pitch · angle = 0
//   cylindrical  p_x = p_y = 0, x_F · z_M = 0, y_F · z_M = 0
//   universal    p = 0, x_F · y_M = 0
//   planar       p_z = 0, x_F · z_M = 0, y_F · z_M = 0
//   ball         p = 0
//   free         none
//
// Forces along the axes of F act at the origin of M on both bodies, so that each row is the exact
// derivative of its φ and momentum is kept. Axes that are to be parallel could also be opposite:
// that is a wrong branch. Joint::loop_stiffness and loop_damping make the rows soft, with
// loop_angular_stiffness and loop_angular_damping for the rows of angles.
std::shared_ptr<const Constraint> MakeLoopJoint(const Model& model, int loop);

}  // namespace voigt
