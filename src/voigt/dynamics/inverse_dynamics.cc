#include "voigt/dynamics/inverse_dynamics.h"

#include "voigt/base/check.h"

namespace voigt {

void CalcInverseDynamics(const Model& model, const Kinematics& kin, const VecX* v_dot,
                         const std::vector<Vec6>* F_ext, NewtonEulerScratch* scratch, VecX* tau) {
  const Tree& tree = model.tree();
  VOIGT_DCHECK(tau->size() == tree.nv);
  std::vector<Vec6>& A = scratch->A;
  std::vector<Vec6>& F = scratch->F;

  // Outwards: accelerations, and the force that each link needs. An upward acceleration of the
  // world stands for gravity.
  A[0] << Vec3::Zero(), -model.gravity();
  for (int b = 1; b < tree.nb; ++b) {
    A[b] = ShiftMotion(A[tree.parent[b]], kin.r[b]) + kin.c[b];
    if (v_dot != nullptr) {
      const int first = tree.v_start[b];
      for (int k = first; k < first + tree.dof_count[b]; ++k) A[b] += kin.S[k] * (*v_dot)[k];
    }
    F[b] = kin.I[b] * A[b] + CrossForce(kin.V[b], kin.I[b] * kin.V[b]);
    if (F_ext != nullptr) F[b] -= (*F_ext)[b];
  }

  // Inwards: each joint carries its link and all that hangs on it.
  GatherForces(model, kin, &F, tau);
  if (v_dot != nullptr) tau->array() += tree.armature.array() * v_dot->array();
}

}  // namespace voigt
