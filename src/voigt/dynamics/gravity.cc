#include "voigt/dynamics/gravity.h"

namespace voigt {

void AddGravityForces(const Model& model, const Kinematics& kin, const CompositeInertia& composite,
                      VecX* tau) {
  const Tree& tree = model.tree();
  const Vec3& g = model.gravity();
  for (int k = 0; k < tree.nv; ++k) {
    const SpatialInertia& I = composite.I[tree.dof_body[k]];
    (*tau)[k] += kin.S[k].head<3>().dot(I.h.cross(g)) + I.mass * kin.S[k].tail<3>().dot(g);
  }
}

}  // namespace voigt
