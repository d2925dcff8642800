#include "voigt/dynamics/kinematics.h"

#include <cmath>

#include "voigt/base/check.h"
#include "voigt/dynamics/free_body.h"
#include "voigt/model/joint_motion.h"

namespace voigt {
namespace {

// R ← R Rz(angle): only the first two columns change.
void RotateAboutZ(double angle, Mat3* R) {
  const double c = std::cos(angle), s = std::sin(angle);
  const Vec3 x = R->col(0);
  R->col(0) = c * x + s * R->col(1);
  R->col(1) = c * R->col(1) - s * x;
}

// Joints along or about z. Passing one backwards turns the sign of its motion and nothing else.
// On entry *X is the inboard frame in the world, on return the link frame.
void MoveAlongZ(JointType type, double pitch, double sign, const double* q, Pose* X, Vec6* S) {
  const Vec3 z = sign * X->R.col(2);
  S[0].setZero();
  switch (type) {
    case JointType::kRevolute:
      S[0].head<3>() = z;
      RotateAboutZ(sign * q[0], &X->R);
      break;
    case JointType::kPrismatic:
      S[0].tail<3>() = z;
      X->p += q[0] * z;
      break;
    case JointType::kScrew:
      S[0].head<3>() = z;
      S[0].tail<3>() = pitch * z;
      X->p += pitch * q[0] * z;
      RotateAboutZ(sign * q[0], &X->R);
      break;
    default:  // cylindrical
      S[0].head<3>() = z;
      S[1].setZero();
      S[1].tail<3>() = z;
      X->p += q[1] * z;
      RotateAboutZ(sign * q[0], &X->R);
  }
}

// All other joints, by their general description.
void MoveGenerally(JointType type, double pitch, bool reversed, const double* q, Pose* X, Vec6* S) {
  const Pose X_WI = *X;
  const Pose X_FM = CalcJointPose(type, pitch, q);
  *X = X_WI * (reversed ? X_FM.Inverse() : X_FM);
  if (!reversed) {
    CalcJointAxes(type, pitch, X_WI.R, X->R, S);
    return;
  }
  // The motion of F in M, read at the origin of F.
  CalcJointAxes(type, pitch, X->R, X_WI.R, S);
  for (int k = 0; k < DofCount(type); ++k) S[k] = -ShiftMotion(S[k], X->p - X_WI.p);
}

}  // namespace

Kinematics::Kinematics(const Model& model)
    : X_WL(model.nb()),
      r(model.nb(), Vec3::Zero()),
      S(model.nv(), Vec6::Zero()),
      I(model.nb()),
      V(model.nb(), Vec6::Zero()),
      c(model.nb(), Vec6::Zero()) {}

void UpdatePositions(const Model& model, const VecX& q, Kinematics* kin) {
  const Tree& tree = model.tree();
  VOIGT_DCHECK(q.size() == tree.nq && static_cast<int>(kin->X_WL.size()) == tree.nb);
  for (int b = 1; b < tree.nb; ++b) {
    if (tree.is_free_body[b]) {
      UpdateFreePosition(tree, q, b, kin);
      continue;
    }
    const Pose& X_WP = kin->X_WL[tree.parent[b]];
    Pose& X = kin->X_WL[b];
    if (tree.parent[b] == 0) {
      X = tree.X_PI[b];  // the world is where it is
    } else {
      X.R.noalias() = X_WP.R * tree.X_PI[b].R;
      X.p.noalias() = X_WP.R * tree.X_PI[b].p;
      X.p += X_WP.p;
    }

    const JointType type = tree.type[b];
    const double* const q_b = q.data() + tree.q_start[b];
    Vec6* const S_b = kin->S.data() + tree.v_start[b];
    switch (type) {
      case JointType::kFixed:
        break;
      case JointType::kRevolute:
      case JointType::kPrismatic:
      case JointType::kScrew:
      case JointType::kCylindrical:
        MoveAlongZ(type, tree.pitch[b], tree.reversed[b] ? -1 : 1, q_b, &X, S_b);
        break;
      default:
        MoveGenerally(type, tree.pitch[b], tree.reversed[b], q_b, &X, S_b);
    }
    kin->r[b] = X.p - X_WP.p;
    if (tree.inertia[b].mass > 0) kin->I[b] = tree.inertia[b].RotatedBy(X.R);
  }
}

void UpdateVelocities(const Model& model, const VecX& v, Kinematics* kin) {
  const Tree& tree = model.tree();
  VOIGT_DCHECK(v.size() == tree.nv);
  for (int b = 1; b < tree.nb; ++b) {
    if (tree.is_free_body[b]) {
      UpdateFreeVelocity(tree, v, b, kin);
      continue;
    }
    // The parent's motion read at this link's origin, then what the joint adds. An axis carried by
    // the inboard side turns with the parent, one carried by the link turns with the link.
    const Vec6 V_P = ShiftMotion(kin->V[tree.parent[b]], kin->r[b]);
    const int first = tree.v_start[b], count = tree.dof_count[b];
    if (count == 1) {
      const Vec6 u = kin->S[first] * v[first];
      kin->V[b] = V_P + u;
      kin->c[b] = CrossMotion(V_P, u);
      continue;
    }
    Vec6 with_parent = Vec6::Zero(), with_link = Vec6::Zero();
    for (int k = first; k < first + count; ++k) {
      (tree.dof_moves_with_link[k] ? with_link : with_parent) += kin->S[k] * v[k];
    }
    kin->V[b] = V_P + with_parent + with_link;
    kin->c[b] = CrossMotion(V_P, with_parent) + CrossMotion(kin->V[b], with_link);
  }
}

void CalcAccelerations(const Model& model, const Kinematics& kin, const VecX* v_dot,
                       std::vector<Vec6>* A) {
  const Tree& tree = model.tree();
  VOIGT_DCHECK(static_cast<int>(A->size()) == tree.nb);
  (*A)[0].setZero();
  for (int b = 1; b < tree.nb; ++b) {
    Vec6& A_b = (*A)[b];
    A_b = ShiftMotion((*A)[tree.parent[b]], kin.r[b]) + kin.c[b];
    if (v_dot == nullptr) continue;
    const int first = tree.v_start[b];
    for (int k = first; k < first + tree.dof_count[b]; ++k) A_b += kin.S[k] * (*v_dot)[k];
  }
}

Vec6 CalcPointAcceleration(const Kinematics& kin, const std::vector<Vec6>& A, int body,
                           const Vec3& p_W) {
  const Vec3 arm = p_W - kin.X_WL[body].p;
  const Vec6 V = ShiftMotion(kin.V[body], arm);
  Vec6 out = ShiftMotion(A[body], arm);
  out.tail<3>() += V.head<3>().cross(V.tail<3>());
  return out;
}

Vec3 CalcPointBias(const Model& model, const Kinematics& kin, int body, const Vec3& p_W) {
  const Vec6 V = CalcPointVelocity(kin, body, p_W);
  Vec3 out = V.head<3>().cross(V.tail<3>());
  for (int b = body; b > 0; b = model.tree().parent[b]) {
    out += ShiftMotion(kin.c[b], p_W - kin.X_WL[b].p).tail<3>();
  }
  return out;
}

void GatherForces(const Model& model, const Kinematics& kin, std::vector<Vec6>* F, VecX* tau) {
  const Tree& tree = model.tree();
  for (int b = tree.nb - 1; b >= 1; --b) {
    const Vec6& F_b = (*F)[b];
    const int first = tree.v_start[b];
    if (tree.is_free_body[b]) {
      tau->segment<3>(first).noalias() = tree.X_PI[b].R.transpose() * F_b.tail<3>();
      tau->segment<3>(first + 3).noalias() = kin.X_WL[b].R.transpose() * F_b.head<3>();
      continue;
    }
    for (int k = first; k < first + tree.dof_count[b]; ++k) (*tau)[k] = kin.S[k].dot(F_b);
    if (tree.parent[b] > 0) (*F)[tree.parent[b]] += ShiftForce(F_b, kin.r[b]);
  }
}

}  // namespace voigt
