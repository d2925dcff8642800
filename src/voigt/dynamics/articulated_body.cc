#include "voigt/dynamics/articulated_body.h"

#include "voigt/base/check.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

// to += Xᵀ I X: adds an articulated inertia to the parent's, whose origin lies r before the link's.
// With blocks [J H; Hᵀ M]:  H′ = H + [r]× M,  J′ = J + [r]× H′ᵀ − H [r]×.
void AddShifted(const Mat6& I, const Vec3& r, Mat6* to) {
  const Mat3 C = CrossMatrix(r);
  const Mat3 H = I.topRightCorner<3, 3>();
  const Mat3 M = I.bottomRightCorner<3, 3>();
  const Mat3 H_new = H + C * M;
  to->topLeftCorner<3, 3>() += I.topLeftCorner<3, 3>() + C * H_new.transpose() - H * C;
  to->topRightCorner<3, 3>() += H_new;
  to->bottomLeftCorner<3, 3>() += H_new.transpose();
  to->bottomRightCorner<3, 3>() += M;
}

bool IsPrescribed(PrescribedDofs prescribed, int k) {
  return prescribed != nullptr && (*prescribed)[k] != 0;
}

// The inward pass over forces: fills body->u, which keeps Sᵀ p_A where a dof is prescribed. By now
// I_A holds the inertias after elimination of each link's own dofs: what its joint passes inwards.
void UpdateForces(const Model& model, const Kinematics& kin, PrescribedDofs prescribed,
                  const VecX& tau, const VecX& v_dot, const std::vector<Vec6>* F_ext,
                  ArticulatedBody* body) {
  const Tree& tree = model.tree();
  std::vector<Vec6>& p_A = body->p_A;
  for (int b = 1; b < tree.nb; ++b) {
    p_A[b] = CrossForce(kin.V[b], kin.I[b] * kin.V[b]);
    if (F_ext != nullptr) p_A[b] -= (*F_ext)[b];
  }
  for (int b = tree.nb - 1; b >= 1; --b) {
    const int first = tree.v_start[b];
    for (int k = first + tree.dof_count[b] - 1; k >= first; --k) {
      const double s_p = kin.S[k].dot(p_A[b]);
      if (IsPrescribed(prescribed, k)) {
        body->u[k] = s_p;
        p_A[b] += body->U[k] * v_dot[k];
      } else {
        body->u[k] = tau[k] - s_p;
        p_A[b] += body->U[k] * (body->u[k] / body->D[k]);
      }
    }
    if (tree.parent[b] > 0) {
      const Vec6 at_link = p_A[b] + body->I_A[b] * kin.c[b];
      p_A[tree.parent[b]] += ShiftForce(at_link, kin.r[b]);
    }
  }
}

// The outward pass over accelerations: finds v_dot where it is free, *tau where it is prescribed.
void UpdateAccelerations(const Model& model, const Kinematics& kin, PrescribedDofs prescribed,
                         ArticulatedBody* body, VecX* tau, VecX* v_dot) {
  const Tree& tree = model.tree();
  std::vector<Vec6>& A = body->A;
  A[0] << Vec3::Zero(), -model.gravity();
  for (int b = 1; b < tree.nb; ++b) {
    A[b] = ShiftMotion(A[tree.parent[b]], kin.r[b]) + kin.c[b];
    const int first = tree.v_start[b];
    for (int k = first; k < first + tree.dof_count[b]; ++k) {
      const double inner = body->U[k].dot(A[b]);
      if (IsPrescribed(prescribed, k)) {
        (*tau)[k] = inner + body->D[k] * (*v_dot)[k] + body->u[k];
      } else {
        (*v_dot)[k] = (body->u[k] - inner) / body->D[k];
      }
      A[b] += kin.S[k] * (*v_dot)[k];
    }
  }
}

}  // namespace

ArticulatedBody::ArticulatedBody(const Model& model)
    : U(model.nv(), Vec6::Zero()),
      D(VecX::Zero(model.nv())),
      I_A(model.nb(), Mat6::Zero()),
      p_A(model.nb(), Vec6::Zero()),
      A(model.nb(), Vec6::Zero()),
      u(VecX::Zero(model.nv())) {}

void UpdateArticulatedInertia(const Model& model, const Kinematics& kin, PrescribedDofs prescribed,
                              ArticulatedBody* body) {
  const Tree& tree = model.tree();
  std::vector<Mat6>& I_A = body->I_A;
  for (int b = 1; b < tree.nb; ++b) I_A[b] = kin.I[b].Matrix();
  for (int b = tree.nb - 1; b >= 1; --b) {
    const int first = tree.v_start[b];
    for (int k = first + tree.dof_count[b] - 1; k >= first; --k) {
      body->U[k].noalias() = I_A[b] * kin.S[k];
      body->D[k] = kin.S[k].dot(body->U[k]) + tree.armature[k];
      if (IsPrescribed(prescribed, k)) continue;
      const Vec6 scaled = body->U[k] / body->D[k];
      I_A[b].noalias() -= scaled * body->U[k].transpose();
    }
    if (tree.parent[b] > 0) AddShifted(I_A[b], kin.r[b], &I_A[tree.parent[b]]);
  }
}

void CalcForwardDynamics(const Model& model, const Kinematics& kin, const VecX& tau,
                         const std::vector<Vec6>* F_ext, ArticulatedBody* body, VecX* v_dot) {
  VOIGT_DCHECK(tau.size() == model.nv() && v_dot->size() == model.nv());
  UpdateForces(model, kin, nullptr, tau, *v_dot, F_ext, body);
  UpdateAccelerations(model, kin, nullptr, body, nullptr, v_dot);
}

void CalcHybridDynamics(const Model& model, const Kinematics& kin,
                        const std::vector<char>& prescribed, const std::vector<Vec6>* F_ext,
                        ArticulatedBody* body, VecX* tau, VecX* v_dot) {
  VOIGT_DCHECK(tau->size() == model.nv() && v_dot->size() == model.nv());
  UpdateForces(model, kin, &prescribed, *tau, *v_dot, F_ext, body);
  UpdateAccelerations(model, kin, &prescribed, body, tau, v_dot);
}

}  // namespace voigt
