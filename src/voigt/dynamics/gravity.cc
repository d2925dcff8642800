#include "voigt/dynamics/gravity.h"

namespace voigt {

void AddGravityForces(const Model& model, const Kinematics& kin, const CompositeInertia& composite,
                      VecX* tau) {
  const Tree& tree = model.tree();
  const Vec3& g = model.gravity();
  for (int b = 1; b < tree.nb; ++b) {
    const SpatialInertia& I = composite.I[b];
    if (tree.is_free_body[b]) {
      const int first = tree.v_start[b];
      tau->segment<3>(first) += I.mass * (tree.X_PI[b].R.transpose() * g);
      tau->segment<3>(first + 3) += kin.X_WL[b].R.transpose() * I.h.cross(g);
      continue;
    }
    const Vec3 moment = I.h.cross(g);
    for (int k = tree.v_start[b]; k < tree.v_start[b] + tree.dof_count[b]; ++k) {
      (*tau)[k] += kin.S[k].head<3>().dot(moment) + I.mass * kin.S[k].tail<3>().dot(g);
    }
  }
}

}  // namespace voigt
