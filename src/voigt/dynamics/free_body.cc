#include "voigt/dynamics/free_body.h"

namespace voigt {
namespace {

// Whether a body is the same however it is turned, like spheres and cubes about their middle.
bool IsIsotropic(const SpatialInertia& own) {
  return own.I[0] == own.I[1] && own.I[0] == own.I[2] && own.I[3] == 0 && own.I[4] == 0 &&
         own.I[5] == 0 && own.h == Vec3::Zero();
}

}  // namespace

void UpdateFreePosition(const Tree& tree, const VecX& q, int body, Kinematics* kin) {
  const Pose& X_WF = tree.X_PI[body];
  const int at = tree.q_start[body], first = tree.v_start[body];
  Pose& X = kin->X_WL[body];
  X.R.noalias() = X_WF.R * QuaternionToMatrix(q.segment<4>(at + 3));
  X.p = X_WF.p + X_WF.R * q.segment<3>(at);
  for (int k = 0; k < 3; ++k) {
    kin->S[first + k] << Vec3::Zero(), X_WF.R.col(k);
    kin->S[first + 3 + k] << X.R.col(k), Vec3::Zero();
  }
  kin->r[body] = X.p;
  kin->I[body] =
      IsIsotropic(tree.inertia[body]) ? tree.inertia[body] : tree.inertia[body].RotatedBy(X.R);
}

void WriteFreeMass(const Tree& tree, const Kinematics& kin, int body, double* M) {
  const SpatialInertia& own = tree.inertia[body];
  const Mat3 I = own.RotationalMatrix();
  Mat3 coupling = Mat3::Zero();  // of ω (rows) with v
  if (own.h != Vec3::Zero()) {
    const Mat3 R_FL = tree.X_PI[body].R.transpose() * kin.X_WL[body].R;
    // v gives the spin momentum h × v about the origin.
    coupling.noalias() = CrossMatrix(own.h) * R_FL.transpose();
  }
  const double* const armature = tree.armature.data() + tree.v_start[body];
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < k; ++j) *M++ = 0;
    *M++ = own.mass + armature[k];
  }
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 3; ++j) *M++ = coupling(k, j);
    for (int j = 0; j < k; ++j) *M++ = I(k, j);
    *M++ = I(k, k) + armature[3 + k];
  }
}

void UpdateFreeVelocity(const Tree& tree, const VecX& v, int body, Kinematics* kin) {
  const auto rates = v.segment<6>(tree.v_start[body]);
  const Vec3 omega = kin->X_WL[body].R * rates.tail<3>();
  const Vec3 velocity = tree.X_PI[body].R * rates.head<3>();
  kin->V[body] << omega, velocity;
  // The axes of ω turn with the link and pass through its moving origin.
  kin->c[body] << Vec3::Zero(), velocity.cross(omega);
}

Vec6 CalcFreeBias(const Kinematics& kin, int body) {
  const Vec3 omega = kin.V[body].head<3>();
  const SpatialInertia& I = kin.I[body];
  Vec6 out;
  out << omega.cross(I.TimesAngular(omega)), omega.cross(omega.cross(I.h));
  return out;
}

void SetFreeRates(const Tree& tree, const Kinematics& kin, int body, const Vec3& v_com,
                  const Vec3& omega, VecX* v) {
  const Vec3 omega_L = tree.R_LP[body] * omega;
  const SpatialInertia& own = tree.inertia[body];
  Vec3 velocity = v_com;
  if (own.h != Vec3::Zero()) velocity -= kin.X_WL[body].R * omega_L.cross(own.h / own.mass);
  v->segment<3>(tree.v_start[body]) = tree.X_PI[body].R.transpose() * velocity;
  v->segment<3>(tree.v_start[body] + 3) = omega_L;
}

}  // namespace voigt
