#pragma once

#include "voigt/dynamics/inverse_dynamics.h"

namespace voigt {

// What joint(b) transmits: the force [torque; force] on the joint's child body at the origin of its
// frame M, in the axes of M. The share of springs, drives and loads along the joint's own axes is
// part of it. From the forces that CalcInverseDynamics leaves in its scratch for the actual v̇ and
// external forces.
Vec6 CalcJointReaction(const Model& model, const Kinematics& kin,
                       const NewtonEulerScratch& newton_euler, int b);

}  // namespace voigt
