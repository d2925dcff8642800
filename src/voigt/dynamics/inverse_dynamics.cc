#include "voigt/dynamics/inverse_dynamics.h"

#include "voigt/base/check.h"
#include "voigt/dynamics/free_body.h"

namespace voigt {

namespace {

// Outwards, from the acceleration A₀ of the world: accelerations, and the force that each link
// needs. Inwards: each joint carries its link and all that hangs on it.
void SolveNewtonEuler(const Model& model, const Kinematics& kin, const Vec6& A_0, const VecX* v_dot,
                      const std::vector<Vec6>* F_ext, NewtonEulerScratch* scratch, VecX* tau) {
  const Tree& tree = model.tree();
  VOIGT_DCHECK(tau->size() == tree.nv);
  std::vector<Vec6>& A = scratch->A;
  std::vector<Vec6>& F = scratch->F;
  A[0] = A_0;
  const bool rates_stay = v_dot == nullptr && F_ext == nullptr && A_0 == Vec6::Zero();
  for (int b = 1; b < tree.nb; ++b) {
    if (rates_stay && tree.is_free_body[b]) {
      F[b] = CalcFreeBias(kin, b);
      continue;
    }
    A[b] = ShiftMotion(A[tree.parent[b]], kin.r[b]) + kin.c[b];
    if (v_dot != nullptr) {
      const int first = tree.v_start[b];
      for (int k = first; k < first + tree.dof_count[b]; ++k) A[b] += kin.S[k] * (*v_dot)[k];
    }
    // Robots have many massless links, one per axis of a compound joint.
    if (kin.I[b].mass > 0) {
      F[b] = kin.I[b] * A[b] + CrossForce(kin.V[b], kin.I[b] * kin.V[b]);
    } else {
      F[b].setZero();
    }
    if (F_ext != nullptr) F[b] -= (*F_ext)[b];
  }
  GatherForces(model, kin, &F, tau);
  if (v_dot != nullptr) tau->array() += tree.armature.array() * v_dot->array();
}

}  // namespace

void CalcInverseDynamics(const Model& model, const Kinematics& kin, const VecX* v_dot,
                         const std::vector<Vec6>* F_ext, NewtonEulerScratch* scratch, VecX* tau) {
  // An upward acceleration of the world stands for gravity.
  Vec6 A_0;
  A_0 << Vec3::Zero(), -model.gravity();
  SolveNewtonEuler(model, kin, A_0, v_dot, F_ext, scratch, tau);
}

void CalcInertialBias(const Model& model, const Kinematics& kin, NewtonEulerScratch* scratch,
                      VecX* tau) {
  SolveNewtonEuler(model, kin, Vec6::Zero(), nullptr, nullptr, scratch, tau);
}

}  // namespace voigt
