#pragma once

#include "voigt/math/pose.h"
#include "voigt/model/joint.h"

// The kinematics of single joints, in the conventions of joint.h. Pointers q and v address the
// joint's own nq coordinates and nv rates.
namespace voigt {

// The coordinates at which M and F coincide.
void SetNeutral(JointType type, double* q);

// Rescales quaternions to unit length.
void NormalizeCoordinates(JointType type, double* q);

// X_FM(q). Quaternions need not be normalised.
Pose CalcJointPose(JointType type, double pitch, const double* q);

// The motion of M in F for unit rates, as columns [ω; v] at the origin of M in the axes of some
// frame W, given the rotations of F and M in W.
void CalcJointAxes(JointType type, double pitch, const Mat3& R_WF, const Mat3& R_WM, Vec6* S);

// Whether the axis of a rate is carried by M (true) or by F; where both carry it, F is named.
bool AxisMovesWithM(JointType type, int dof);

// q̇ = N(q) v.
void CalcCoordinateRates(JointType type, const double* q, const double* v, double* q_dot);

// q ← q ⊕ v: follows the rates for unit time, quaternions by the exponential map.
void IntegrateCoordinates(JointType type, const double* v, double* q);

// The deflection e (nv values) of q from rest: differences of scalar coordinates, the rotation
// vector of a ball or free joint. e = 0 at rest.
void CalcDeflection(JointType type, const double* q, const double* rest, double* e);

// A, the first nv × nv entries, with ė = A v: the identity but for the rotation of a ball or free
// joint.
using DeflectionRateMatrix = Eigen::Matrix<double, kMaxJointDofs, kMaxJointDofs>;
DeflectionRateMatrix CalcDeflectionRateMatrix(JointType type, const double* e);

// The coordinates whose pose is closest to X_FM; angles are taken within half a turn of hint.
void FitCoordinates(JointType type, double pitch, const Pose& X_FM, const double* hint, double* q);

// The rates that reproduce the motion [ω; v] of M in F (at the origin of M, in axes of F) best in
// the least-squares sense.
void FitRates(JointType type, double pitch, const Mat3& R_FM, const Vec6& V_FM, double* v);

}  // namespace voigt
