#include "voigt/constraints/reaction_map.h"

namespace voigt {

void ReactionMap::Start(const Model& model, const Kinematics& kin, const VecX& v_dot,
                        const std::vector<Vec6>& F_ext) {
  CalcInverseDynamics(model, kin, &v_dot, &F_ext, &forces_, &tau_);
}

void ReactionMap::AddRow(const Model& model, const Kinematics& kin, const VecX& response, int row,
                         const std::vector<RowWrench>& wrenches) {
  const Tree& tree = model.tree();
  forces_.A[0].setZero();
  forces_.F[0].setZero();
  for (int b = 1; b < tree.nb; ++b) {
    Vec6& A = forces_.A[b];
    A = ShiftMotion(forces_.A[tree.parent[b]], kin.r[b]);
    const int first = tree.v_start[b];
    for (int k = first; k < first + tree.dof_count[b]; ++k) A += kin.S[k] * response[k];
    forces_.F[b] = kin.I[b] * A;
  }
  for (const RowWrench& wrench : wrenches) {
    if (wrench.row != row) continue;
    Vec6 F;
    F << wrench.torque, wrench.force;
    forces_.F[wrench.body_B] -= ShiftForce(F, wrench.p - kin.X_WL[wrench.body_B].p);
    forces_.F[wrench.body_A] += ShiftForce(F, wrench.p - kin.X_WL[wrench.body_A].p);
  }
  GatherForces(model, kin, &forces_.F, &tau_);
}

bool IsOwnWrench(const ConstraintSet& constraints, const FrictionRows& friction,
                 const RowWrench& wrench) {
  if (wrench.constraint < 0) return false;
  return friction.loop >= 0 ? constraints.loop_of(wrench.constraint) == friction.loop
                            : wrench.constraint == friction.constraint;
}

Vec3 CalcOwnNormal(const ConstraintSet& constraints, const FrictionRows& friction, int row,
                   const std::vector<RowWrench>& wrenches) {
  Vec3 out = Vec3::Zero();
  int first = -1;  // of its own rows: wrenches follow one another as rows do
  for (const RowWrench& wrench : wrenches) {
    if (!IsOwnWrench(constraints, friction, wrench)) continue;
    if (wrench.row == row && friction.body < 0) out += CalcNormalOfWrench(friction, wrench);
    if (first < 0 && wrench.row == row) out += friction.of_row;
    if (first < 0) first = wrench.row;
  }
  return out;
}

}  // namespace voigt
