#include "voigt/model/joint_motion.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "voigt/math/rotation.h"

namespace voigt {
namespace {

using ConstVec4Map = Eigen::Map<const Vec4>;
using ConstVec3Map = Eigen::Map<const Vec3>;
using Vec4Map = Eigen::Map<Vec4>;
using Vec3Map = Eigen::Map<Vec3>;

// The rotation about coordinate axis i (0, 1, 2 for x, y, z).
Mat3 AxisTurn(int i, double angle) {
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  Mat3 R = Mat3::Identity();
  R(j, j) = R(k, k) = std::cos(angle);
  R(k, j) = std::sin(angle);
  R(j, k) = -R(k, j);
  return R;
}

// The angle congruent to a modulo 2π that lies within half a turn of hint.
double Unwrap(double a, double hint) { return hint + std::remainder(a - hint, 2 * kPi); }

}  // namespace

void SetNeutral(JointType type, double* q) {
  std::fill_n(q, CoordinateCount(type), 0.0);
  if (HasQuaternion(type)) q[QuaternionStart(type)] = 1;
}

void NormalizeCoordinates(JointType type, double* q) {
  if (!HasQuaternion(type)) return;
  Vec4Map(q + QuaternionStart(type)).normalize();
}

Pose CalcJointPose(JointType type, double pitch, const double* q) {
  Pose X;
  switch (type) {
    case JointType::kFixed:
      break;
    case JointType::kRevolute:
      X.R = AxisTurn(2, q[0]);
      break;
    case JointType::kPrismatic:
      X.p[2] = q[0];
      break;
    case JointType::kScrew:
      X.R = AxisTurn(2, q[0]);
      X.p[2] = pitch * q[0];
      break;
    case JointType::kCylindrical:
      X.R = AxisTurn(2, q[0]);
      X.p[2] = q[1];
      break;
    case JointType::kUniversal:
      X.R = AxisTurn(0, q[0]) * AxisTurn(1, q[1]);
      break;
    case JointType::kPlanar:
      X.R = AxisTurn(2, q[2]);
      X.p = {q[0], q[1], 0};
      break;
    case JointType::kBall:
      X.R = QuaternionToMatrix(ConstVec4Map(q));
      break;
    case JointType::kFree:
      X.R = QuaternionToMatrix(ConstVec4Map(q + 3));
      X.p = ConstVec3Map(q);
      break;
  }
  return X;
}

void CalcJointAxes(JointType type, double pitch, const Mat3& R_WF, const Mat3& R_WM, Vec6* S) {
  const auto set_rotation = [&](int k, const auto& axis) { S[k] << axis, Vec3::Zero(); };
  const auto set_translation = [&](int k, const auto& axis) { S[k] << Vec3::Zero(), axis; };
  switch (type) {
    case JointType::kFixed:
      break;
    case JointType::kRevolute:
      set_rotation(0, R_WF.col(2));
      break;
    case JointType::kPrismatic:
      set_translation(0, R_WF.col(2));
      break;
    case JointType::kScrew:
      S[0] << R_WF.col(2), pitch * R_WF.col(2);
      break;
    case JointType::kCylindrical:
      set_rotation(0, R_WF.col(2));
      set_translation(1, R_WF.col(2));
      break;
    case JointType::kUniversal:
      set_rotation(0, R_WF.col(0));
      set_rotation(1, R_WM.col(1));
      break;
    case JointType::kPlanar:
      set_translation(0, R_WF.col(0));
      set_translation(1, R_WF.col(1));
      set_rotation(2, R_WF.col(2));
      break;
    case JointType::kBall:
      for (int k = 0; k < 3; ++k) set_rotation(k, R_WM.col(k));
      break;
    case JointType::kFree:
      for (int k = 0; k < 3; ++k) set_translation(k, R_WF.col(k));
      for (int k = 0; k < 3; ++k) set_rotation(3 + k, R_WM.col(k));
      break;
  }
}

bool AxisMovesWithM(JointType type, int dof) {
  switch (type) {
    case JointType::kUniversal:
      return dof == 1;
    case JointType::kPlanar:
      // The direction is F's as well, but the line passes through the moving origin of M.
      return dof == 2;
    case JointType::kBall:
      return true;
    case JointType::kFree:
      return dof >= 3;
    default:
      return false;
  }
}

void CalcCoordinateRates(JointType type, const double* q, const double* v, double* q_dot) {
  switch (type) {
    case JointType::kBall:
      Vec4Map{q_dot} = QuaternionRate(ConstVec4Map(q), ConstVec3Map(v));
      break;
    case JointType::kFree:
      Vec3Map{q_dot} = ConstVec3Map(v);
      Vec4Map(q_dot + 3) = QuaternionRate(ConstVec4Map(q + 3), ConstVec3Map(v + 3));
      break;
    default:
      std::copy_n(v, DofCount(type), q_dot);
  }
}

void IntegrateCoordinates(JointType type, const double* v, double* q) {
  if (!HasQuaternion(type)) {
    for (int k = 0; k < DofCount(type); ++k) q[k] += v[k];
    return;
  }
  const int at = QuaternionStart(type);
  if (type == JointType::kFree) Vec3Map{q} += ConstVec3Map(v);
  const Vec3 turn = ConstVec3Map(v + at);
  if (turn == Vec3::Zero()) return;
  Vec4Map quaternion(q + at);
  quaternion = QuaternionProduct(quaternion, QuaternionExp(turn)).normalized();
}

void CalcDeflection(JointType type, const double* q, const double* rest, double* e) {
  if (!HasQuaternion(type)) {
    for (int k = 0; k < DofCount(type); ++k) e[k] = q[k] - rest[k];
    return;
  }
  const int at = QuaternionStart(type);
  if (type == JointType::kFree) Vec3Map{e} = ConstVec3Map(q) - ConstVec3Map(rest);
  Vec3Map(e + at) = QuaternionLog(QuaternionProduct(QuaternionConjugate(ConstVec4Map(rest + at)),
                                                    ConstVec4Map(q + at).normalized()));
}

DeflectionRateMatrix CalcDeflectionRateMatrix(JointType type, const double* e) {
  DeflectionRateMatrix A = DeflectionRateMatrix::Identity();
  if (!HasQuaternion(type)) return A;
  const int at = QuaternionStart(type);
  A.block<3, 3>(at, at) = LogRateMatrix(ConstVec3Map(e + at));
  return A;
}

void FitCoordinates(JointType type, double pitch, const Pose& X_FM, const double* hint, double* q) {
  const Mat3& R = X_FM.R;
  const Vec3& p = X_FM.p;
  const double angle_z = std::atan2(R(1, 0) - R(0, 1), R(0, 0) + R(1, 1));
  switch (type) {
    case JointType::kFixed:
      break;
    case JointType::kRevolute:
      q[0] = Unwrap(angle_z, hint[0]);
      break;
    case JointType::kPrismatic:
      q[0] = p[2];
      break;
    case JointType::kScrew:
      // The rise tells the turn, the rotation the angle within it.
      q[0] = Unwrap(angle_z, pitch != 0 ? p[2] / pitch : hint[0]);
      break;
    case JointType::kCylindrical:
      q[0] = Unwrap(angle_z, hint[0]);
      q[1] = p[2];
      break;
    case JointType::kUniversal:
      // R = Rx(q₀) Ry(q₁): the second column is (0, cos q₀, sin q₀), the first row
      // (cos q₁, 0, sin q₁).
      q[0] = Unwrap(std::atan2(R(2, 1), R(1, 1)), hint[0]);
      q[1] = Unwrap(std::atan2(R(0, 2), R(0, 0)), hint[1]);
      break;
    case JointType::kPlanar:
      q[0] = p[0];
      q[1] = p[1];
      q[2] = Unwrap(angle_z, hint[2]);
      break;
    case JointType::kBall:
    case JointType::kFree: {
      const int at = QuaternionStart(type);
      if (type == JointType::kFree) Vec3Map{q} = p;
      Vec4 quaternion = MatrixToQuaternion(R);
      // q and -q are one rotation; the sign follows the hint.
      if (quaternion.dot(ConstVec4Map(hint + at)) < 0) quaternion = -quaternion;
      Vec4Map(q + at) = quaternion;
      break;
    }
  }
}

void FitRates(JointType type, double pitch, const Mat3& R_FM, const Vec6& V_FM, double* v) {
  const int nv = DofCount(type);
  if (nv == 0) return;
  Vec6 S[kMaxJointDofs];
  CalcJointAxes(type, pitch, Mat3::Identity(), R_FM, S);
  // The normal equations. The axes are orthogonal as 6-vectors, but for those of a universal joint
  // where R_FM is none of its rotations.
  Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, kMaxJointDofs> A(6, nv);
  for (int k = 0; k < nv; ++k) A.col(k) = S[k];
  Eigen::Map<VecX>(v, nv) = (A.transpose() * A).ldlt().solve(A.transpose() * V_FM);
}

}  // namespace voigt
