#pragma once

#include "voigt/dynamics/kinematics.h"
#include "voigt/dynamics/mass_matrix.h"

namespace voigt {

// The gyroscopic torque of a spinning body grows with ω²; taken at the start of a step, as the bias
// takes it, it adds energy and throws a fast coin apart. For free and ball joints the change over
// the step is therefore found implicitly, for the link and all that hangs on it held rigid.
//
// The torque-free Euler equations, in the axes of the link,
//   I ω̇ + ω × I ω = 0,
// are advanced over h by the implicit midpoint rule (in substeps of at most half a radian), which
// keeps ½ ωᵀIω and ‖Iω‖ exactly: neither large steps nor fast spin change the energy.

// ω after h, starting from ω. Where the midpoint equations cannot be solved (spin beyond ~30
// radians per step), returns ω unchanged, which keeps the energy too, and sets *gave_up.
Vec3 AdvanceSpin(const Mat3& I, const Vec3& omega, double h, bool* gave_up);

// tau += the joint forces that replace, for every free and ball joint, the explicit velocity-
// dependent force of the frozen outer part by the implicit one. For a free joint that includes the
// centripetal force of a centre of mass off the joint's origin, chosen such that the momentum after
// the step's rotation is conserved. Returns the number of joints where AdvanceSpin gave up.
int AddGyroscopicCorrection(const Model& model, const Kinematics& kin,
                            const CompositeInertia& composite, double h, VecX* tau);

}  // namespace voigt
