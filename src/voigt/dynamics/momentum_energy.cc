#include "voigt/dynamics/momentum_energy.h"

namespace voigt {

Vec3 CalcCenterOfMass(const Model& model, const Kinematics& kin) {
  double mass = 0;
  Vec3 sum = Vec3::Zero();
  for (int b = 1; b < model.nb(); ++b) {
    mass += kin.I[b].mass;
    sum += kin.I[b].mass * kin.X_WL[b].p + kin.I[b].h;
  }
  return sum / mass;
}

Vec6 CalcMomentum(const Model& model, const Kinematics& kin, const Vec3& p_W) {
  Vec6 sum = Vec6::Zero();
  for (int b = 1; b < model.nb(); ++b) {
    sum += ShiftForce(kin.I[b] * kin.V[b], kin.X_WL[b].p - p_W);
  }
  return sum;
}

double CalcKineticEnergy(const Model& model, const Kinematics& kin, const VecX& v) {
  double twice = (model.tree().armature.array() * v.array().square()).sum();
  for (int b = 1; b < model.nb(); ++b) twice += kin.V[b].dot(kin.I[b] * kin.V[b]);
  return 0.5 * twice;
}

double CalcGravityEnergy(const Model& model, const Kinematics& kin) {
  double energy = 0;
  for (int b = 1; b < model.nb(); ++b) {
    energy -= model.gravity().dot(kin.I[b].mass * kin.X_WL[b].p + kin.I[b].h);
  }
  return energy;
}

}  // namespace voigt
