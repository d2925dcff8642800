#pragma once

#include "voigt/math/rotation.h"
#include "voigt/math/spatial.h"

namespace voigt {

// The inertia of a rigid body, or of a rigid assembly of bodies, about a reference point O:
// ten numbers that add up when bodies are welded together.
//   mass  m [kg],   h = m c [kg m] with c the centre of mass from O,
//   I [kg m²] about O: stored as (xx, yy, zz, xy, xz, yz).
struct SpatialInertia {
  double mass = 0;
  Vec3 h = Vec3::Zero();
  Vec6 I = Vec6::Zero();

  // From the mass, the centre of mass and the inertia about the centre of mass.
  static SpatialInertia FromCom(double mass, const Vec3& com, const Mat3& I_com) {
    const Mat3 C = CrossMatrix(com);
    return FromMatrix(mass, mass * com, I_com - mass * C * C);
  }

  static SpatialInertia FromMatrix(double mass, const Vec3& h, const Mat3& I) {
    SpatialInertia out;
    out.mass = mass;
    out.h = h;
    out.I << I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2);
    return out;
  }

  Mat3 RotationalMatrix() const {
    Mat3 A;
    A << I[0], I[3], I[4],  //
        I[3], I[1], I[5],   //
        I[4], I[5], I[2];
    return A;
  }

  // The inertia about the centre of mass. Needs mass > 0.
  Mat3 CentralMatrix() const {
    const Mat3 H = CrossMatrix(h);
    return RotationalMatrix() + H * H / mass;
  }

  // I ω, the rotational part alone.
  Vec3 TimesAngular(const Vec3& w) const {
    return {I[0] * w[0] + I[3] * w[1] + I[4] * w[2],  //
            I[3] * w[0] + I[1] * w[1] + I[5] * w[2],  //
            I[4] * w[0] + I[5] * w[1] + I[2] * w[2]};
  }

  // The momentum [L_O; p] of the motion [ω; v_O].
  Vec6 operator*(const Vec6& V) const {
    const Vec3 w = V.head<3>(), v = V.tail<3>();
    Vec6 out;
    out.head<3>() = TimesAngular(w) + h.cross(v);
    out.tail<3>() = mass * v - h.cross(w);
    return out;
  }

  SpatialInertia& operator+=(const SpatialInertia& other) {
    mass += other.mass;
    h += other.h;
    I += other.I;
    return *this;
  }

  // The same body about the point from which O is displaced by r (parallel axes):
  // I' = I + 2(g·r)1 − (g rᵀ + r gᵀ),  g = h + m r/2.
  SpatialInertia ShiftedBy(const Vec3& r) const {
    const Vec3 g = h + (0.5 * mass) * r;
    const double gx = g[0] * r[0], gy = g[1] * r[1], gz = g[2] * r[2];
    SpatialInertia out;
    out.mass = mass;
    out.h = h + mass * r;
    out.I << I[0] + 2 * (gy + gz), I[1] + 2 * (gx + gz), I[2] + 2 * (gx + gy),
        I[3] - (g[0] * r[1] + g[1] * r[0]),  //
        I[4] - (g[0] * r[2] + g[2] * r[0]),  //
        I[5] - (g[1] * r[2] + g[2] * r[1]);
    return out;
  }

  // The same body in axes of which R holds this one's: R I Rᵀ.
  SpatialInertia RotatedBy(const Mat3& R) const {
    const Mat3 A = R * RotationalMatrix();
    SpatialInertia out;
    out.mass = mass;
    out.h = R * h;
    out.I << A.row(0).dot(R.row(0)), A.row(1).dot(R.row(1)), A.row(2).dot(R.row(2)),
        A.row(0).dot(R.row(1)), A.row(0).dot(R.row(2)), A.row(1).dot(R.row(2));
    return out;
  }

  Mat6 Matrix() const {
    Mat6 out;
    const Mat3 H = CrossMatrix(h);
    out << RotationalMatrix(), H, H.transpose(), mass * Mat3::Identity();
    return out;
  }
};

}  // namespace voigt
