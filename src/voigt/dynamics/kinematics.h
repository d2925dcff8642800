#pragma once

#include <vector>

#include "voigt/model/model.h"

namespace voigt {

// Where the links are and how they move, for one (q, v). All vectors are in world axes; spatial
// vectors of a link refer to the origin of its own link frame, so that no lever arm is longer than
// a link and accuracy does not depend on where in the world the mechanism stands.
struct Kinematics {
  Kinematics() = default;
  explicit Kinematics(const Model& model);

  // From q (UpdatePositions).
  std::vector<Pose> X_WL;         // link frames
  std::vector<Vec3> r;            // from the parent's origin to the link's
  std::vector<Vec6> S;            // per dof: the link's motion for unit rate
  std::vector<SpatialInertia> I;  // per link

  // From v (UpdateVelocities).
  std::vector<Vec6> V;  // velocity [ω; v]
  std::vector<Vec6> c;  // what the joint adds to the spatial acceleration when v̇ = 0: Ṡ v
};

// Forward kinematics: everything that depends on q. Quaternions need not be normalised.
void UpdatePositions(const Model& model, const VecX& q, Kinematics* kin);

// Everything that depends on v; needs UpdatePositions first.
void UpdateVelocities(const Model& model, const VecX& v, Kinematics* kin);

// Spatial accelerations A of all links for given v̇ (gravity not included); A.size() == nb.
// Pass v_dot = nullptr for v̇ = 0: A is then J̇ v, the bias acceleration.
void CalcAccelerations(const Model& model, const Kinematics& kin, const VecX* v_dot,
                       std::vector<Vec6>* A);

// Pose of a body's own frame.
inline Pose CalcBodyPose(const Model& model, const Kinematics& kin, int body) {
  return kin.X_WL[body] * model.tree().X_LB[body];
}

// Velocity [ω; v] of the point of `body` that is now at p_W.
inline Vec6 CalcPointVelocity(const Kinematics& kin, int body, const Vec3& p_W) {
  return ShiftMotion(kin.V[body], p_W - kin.X_WL[body].p);
}

// [α; a] of the material point of `body` that is now at p_W, from the spatial accelerations A.
Vec6 CalcPointAcceleration(const Kinematics& kin, const std::vector<Vec6>& A, int body,
                           const Vec3& p_W);

// J̇ v of the point of `body` that is now at p_W: its acceleration for v̇ = 0.
Vec3 CalcPointBias(const Model& model, const Kinematics& kin, int body, const Vec3& p_W);

// tau = Σ_b J_bᵀ F_b for forces (or momenta) at the links' origins, by one inward pass. Afterwards
// F holds what each joint passes inwards: the sum over its subtree.
void GatherForces(const Model& model, const Kinematics& kin, std::vector<Vec6>* F, VecX* tau);

}  // namespace voigt
