#include "voigt/dynamics/joint_reactions.h"

namespace voigt {

Vec6 CalcJointReaction(const Model& model, const Kinematics& kin,
                       const NewtonEulerScratch& newton_euler, int b) {
  const Tree& tree = model.tree();
  Vec6 F = newton_euler.F[b];
  Pose X_WM = kin.X_WL[b];
  if (tree.reversed[b]) {
    // The link is the joint's parent; the child feels the opposite at the inboard frame.
    X_WM = kin.X_WL[tree.parent[b]] * tree.X_PI[b];
    F = -ShiftForce(F, kin.X_WL[b].p - X_WM.p);
  }
  Vec6 out;
  out << X_WM.R.transpose() * F.head<3>(), X_WM.R.transpose() * F.tail<3>();
  return out;
}

}  // namespace voigt
