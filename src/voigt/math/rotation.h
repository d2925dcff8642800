#pragma once

#include "voigt/math/types.h"

// Rotations as matrices and unit quaternions. Quaternions are Vec4 (w, x, y, z), Hamilton
// convention: R(q₁ q₂) = R(q₁) R(q₂).
namespace voigt {

// [a]×, so that [a]× b = a × b.
Mat3 CrossMatrix(const Vec3& a);

Vec4 QuaternionProduct(const Vec4& a, const Vec4& b);
inline Vec4 QuaternionConjugate(const Vec4& q) { return {q[0], -q[1], -q[2], -q[3]}; }
inline Vec4 QuaternionIdentity() { return {1, 0, 0, 0}; }

// The rotation of q/‖q‖: any q ≠ 0 is taken as the rotation it points to, so that integrators may
// pass intermediate values that are not yet normalised.
Mat3 QuaternionToMatrix(const Vec4& q);

// The inverse of QuaternionToMatrix with w ≥ 0 (Shepperd's method: divides by the largest part).
Vec4 MatrixToQuaternion(const Mat3& R);

// exp: ℝ³ → unit quaternions, the rotation by ‖θ‖ about θ/‖θ‖. Exact to rounding for all θ.
Vec4 QuaternionExp(const Vec3& theta);

// log: the rotation vector of q with ‖θ‖ ≤ π. Inverse of QuaternionExp.
Vec3 QuaternionLog(const Vec4& q);

// d/dt log(q) = A ω for a rotation whose angular velocity in its own (rotated) axes is ω;
// A = 1 + ½[θ]× + (1/‖θ‖² − cot(‖θ‖/2)/(2‖θ‖)) [θ]×², the inverse right Jacobian of SO(3).
Mat3 LogRateMatrix(const Vec3& theta);

// ω and ω̇ in rotated axes of a rotation exp θ(t): ω = θ̇ − a θ × θ̇ + b θ × (θ × θ̇) with
// a = (1 − cos ‖θ‖)/‖θ‖², b = (‖θ‖ − sin ‖θ‖)/‖θ‖³, the right Jacobian of SO(3) times θ̇.
Vec3 CalcExpRate(const Vec3& theta, const Vec3& theta_dot);
Vec3 CalcExpAcceleration(const Vec3& theta, const Vec3& theta_dot, const Vec3& theta_ddot);

// dq/dt of a unit quaternion for the angular velocity ω in rotated axes: ½ q ⊗ (0, ω).
Vec4 QuaternionRate(const Vec4& q, const Vec3& omega);

Mat3 RotationAbout(const Vec3& unit_axis, double angle);

// Rz(yaw) Ry(pitch) Rx(roll): fixed-axis x-y-z angles, as in URDF.
Mat3 RotationFromRollPitchYaw(const Vec3& rpy);

// Some rotation whose third column is the unit vector z. Deterministic; the identity for z = e₃.
Mat3 RotationWithZ(const Vec3& unit_z);

}  // namespace voigt
