#include "voigt/dynamics/jacobian.h"

#include "voigt/base/check.h"

namespace voigt {
namespace {

// Adds sign × the point Jacobian along the path to the body.
void AddPointColumns(const Model& model, const Kinematics& kin, int body, const Vec3& p_W,
                     double sign, Eigen::Ref<Mat6X> J) {
  const Tree& tree = model.tree();
  VOIGT_DCHECK(J.cols() == tree.nv);
  for (int k = tree.last_dof[body]; k >= 0; k = tree.pattern.parent(k)) {
    const Vec3& origin = kin.X_WL[tree.dof_body[k]].p;
    J.col(k) += sign * ShiftMotion(kin.S[k], p_W - origin);
  }
}

}  // namespace

void CalcPointJacobian(const Model& model, const Kinematics& kin, int body, const Vec3& p_W,
                       Eigen::Ref<Mat6X> J) {
  J.setZero();
  AddPointColumns(model, kin, body, p_W, 1, J);
}

void CalcBodyJacobian(const Model& model, const Kinematics& kin, int body, Eigen::Ref<Mat6X> J) {
  CalcPointJacobian(model, kin, body, CalcBodyPose(model, kin, body).p, J);
}

void CalcRelativeJacobian(const Model& model, const Kinematics& kin, int body_A, const Vec3& p_WP,
                          int body_B, const Vec3& p_WQ, Eigen::Ref<Mat6X> J) {
  J.setZero();
  AddPointColumns(model, kin, body_B, p_WQ, 1, J);
  AddPointColumns(model, kin, body_A, p_WP, -1, J);
}

Vec6 CalcPointJacobianRate(const Kinematics& kin, const std::vector<Vec6>& A, int body,
                           const Vec3& p_W) {
  return CalcPointAcceleration(kin, A, body, p_W);
}

Vec6 CalcBodyJacobianRate(const Model& model, const Kinematics& kin, const std::vector<Vec6>& A,
                          int body) {
  return CalcPointAcceleration(kin, A, body, CalcBodyPose(model, kin, body).p);
}

Vec6 CalcRelativeJacobianRate(const Kinematics& kin, const std::vector<Vec6>& A, int body_A,
                              const Vec3& p_WP, int body_B, const Vec3& p_WQ) {
  return CalcPointAcceleration(kin, A, body_B, p_WQ) - CalcPointAcceleration(kin, A, body_A, p_WP);
}

void AddJacobianTransposed(const Model& model, const Kinematics& kin, int body, const Vec3& p_W,
                           const Vec6& F, VecX* tau) {
  const Tree& tree = model.tree();
  for (int k = tree.last_dof[body]; k >= 0; k = tree.pattern.parent(k)) {
    const Vec3& origin = kin.X_WL[tree.dof_body[k]].p;
    (*tau)[k] += kin.S[k].dot(ShiftForce(F, p_W - origin));
  }
}

}  // namespace voigt
