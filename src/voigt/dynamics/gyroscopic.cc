#include "voigt/dynamics/gyroscopic.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "voigt/math/rotation.h"

namespace voigt {
namespace {

constexpr double kSubstepAngle = 0.5;  // rad
constexpr int kMaxSubsteps = 64;
constexpr int kMaxNewtonSteps = 20;

// One midpoint step: 2 I (m − ω) + h m × I m = 0 for m, then ω⁺ = 2m − ω. Newton's method; the
// solution is unique and near ω while h‖ω‖ is below one.
bool MidpointStep(const Mat3& I, double h, Vec3* omega) {
  const double scale = (I * *omega).norm();
  Vec3 m = *omega;
  for (int i = 0; i < kMaxNewtonSteps; ++i) {
    const Vec3 L = I * m;
    const Vec3 residual = 2 * (L - I * *omega) + h * m.cross(L);
    const Mat3 J = 2 * I + h * (CrossMatrix(m) * I - CrossMatrix(L));
    const Vec3 step = J.partialPivLu().solve(residual);
    m -= step;
    if ((I * step).norm() <= 1e-15 * scale) {
      *omega = 2 * m - *omega;
      return m.allFinite();
    }
  }
  // Newton stalls at rounding level rather than at zero; anything small is converged.
  const Vec3 L = I * m;
  const Vec3 residual = 2 * (L - I * *omega) + h * m.cross(L);
  if (!(residual.norm() <= 1e-12 * scale)) return false;
  *omega = 2 * m - *omega;
  return true;
}

// The velocity-dependent impulse [torque; force] at the link's origin over h of a free body of mass
// m with central inertia I_c and centre of mass r from the origin: implicit minus explicit.
Vec6 FreeBodyCorrection(double mass, const Mat3& I_c, const Vec3& r, const Vec3& omega,
                        const Vec3& omega_new, double h) {
  // Momentum m(v_O + ω × r) is conserved when r turns with ω⁺ during the step:
  // impulse −m ω⁺ × (exp(hω⁺) r − r) instead of −h m ω × (ω × r).
  const Vec3 r_new = QuaternionToMatrix(QuaternionExp(h * omega_new)) * r;
  const Vec3 linear =
      mass * (h * omega.cross(omega.cross(r)) - omega_new.cross(r_new - r));
  const Vec3 spin = I_c * (omega_new - omega) + h * omega.cross(I_c * omega);
  Vec6 out;
  out << spin + r.cross(linear), linear;
  return out;
}

}  // namespace

Vec3 AdvanceSpin(const Mat3& I, const Vec3& omega, double h, bool* gave_up) {
  *gave_up = false;
  const double angle = std::abs(h) * omega.norm();
  if (angle == 0) return omega;
  const int substeps =
      static_cast<int>(std::clamp(std::ceil(angle / kSubstepAngle), 1.0, double{kMaxSubsteps}));
  Vec3 out = omega;
  for (int i = 0; i < substeps; ++i) {
    if (MidpointStep(I, h / substeps, &out)) continue;
    *gave_up = true;
    return omega;
  }
  return out;
}

int AddGyroscopicCorrection(const Model& model, const Kinematics& kin,
                            const CompositeInertia& composite, double h, VecX* tau) {
  const Tree& tree = model.tree();
  int gave_up_count = 0;
  for (int b = 1; b < tree.nb; ++b) {
    const bool is_free = tree.type[b] == JointType::kFree;
    if (!is_free && tree.type[b] != JointType::kBall) continue;
    const SpatialInertia& I = composite.I[b];
    const Vec3 omega = kin.V[b].head<3>();
    if (!(I.mass > 0) || omega.isZero(0)) continue;

    // A free body turns about its centre of mass, a ball joint's link about the joint.
    bool gave_up = false;
    Vec6 impulse;
    if (is_free) {
      const Mat3 I_c = I.CentralMatrix();
      const Vec3 omega_new = AdvanceSpin(I_c, omega, h, &gave_up);
      impulse = FreeBodyCorrection(I.mass, I_c, I.h / I.mass, omega, omega_new, h);
    } else {
      const Mat3 I_O = I.RotationalMatrix();
      const Vec3 omega_new = AdvanceSpin(I_O, omega, h, &gave_up);
      impulse << I_O * (omega_new - omega) + h * omega.cross(I_O * omega), Vec3::Zero();
    }
    gave_up_count += gave_up;
    const int first = tree.v_start[b];
    for (int k = first; k < first + tree.nv_of(b); ++k) {
      (*tau)[k] += kin.S[k].dot(impulse) / h;
    }
  }
  return gave_up_count;
}

}  // namespace voigt
