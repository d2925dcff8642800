#pragma once

#include "voigt/dynamics/kinematics.h"

// Jacobians: 6 × nv matrices J with [ω; v] = J · rates, in world axes. Their rates of change come
// as products J̇ v from the spatial accelerations for v̇ = 0 (CalcAccelerations with nullptr).
namespace voigt {

// Of the point of `body` that is now at p_W.
void CalcPointJacobian(const Model& model, const Kinematics& kin, int body, const Vec3& p_W,
                       Eigen::Ref<Mat6X> J);

// Of the body's own frame: the point Jacobian at its origin.
void CalcBodyJacobian(const Model& model, const Kinematics& kin, int body, Eigen::Ref<Mat6X> J);

// Of a point of body B relative to a point of body A: [ω_B − ω_A; v_Q − v_P]. Degrees of freedom
// that move both alike cancel exactly where the points coincide.
void CalcRelativeJacobian(const Model& model, const Kinematics& kin, int body_A, const Vec3& p_WP,
                          int body_B, const Vec3& p_WQ, Eigen::Ref<Mat6X> J);

// J̇ v of the three, given the bias accelerations A.
Vec6 CalcPointJacobianRate(const Kinematics& kin, const std::vector<Vec6>& A, int body,
                           const Vec3& p_W);
Vec6 CalcBodyJacobianRate(const Model& model, const Kinematics& kin, const std::vector<Vec6>& A,
                          int body);
Vec6 CalcRelativeJacobianRate(const Kinematics& kin, const std::vector<Vec6>& A, int body_A,
                              const Vec3& p_WP, int body_B, const Vec3& p_WQ);

// tau += Jᵀ F for a force [torque; force] at the point p_W of `body`.
void AddJacobianTransposed(const Model& model, const Kinematics& kin, int body, const Vec3& p_W,
                           const Vec6& F, VecX* tau);

}  // namespace voigt
