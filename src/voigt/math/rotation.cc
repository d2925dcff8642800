#include "voigt/math/rotation.h"

#include <Eigen/Geometry>
#include <cmath>

namespace voigt {
namespace {

// a and b of the right Jacobian, and a′/‖θ‖, b′/‖θ‖ of their derivatives by ‖θ‖.
struct ExpCoefficients {
  double a, b, a_slope, b_slope;
};

ExpCoefficients CalcExpCoefficients(double angle2) {
  const double angle = std::sqrt(angle2), angle4 = angle2 * angle2;
  // The closed forms lose digits by cancellation where the angle is small; their series do not.
  if (angle < 0.5) {
    const auto sum = [angle2](double c0, double c1, double c2, double c3, double c4, double c5) {
      return c0 + angle2 * (c1 + angle2 * (c2 + angle2 * (c3 + angle2 * (c4 + angle2 * c5))));
    };
    return {sum(1.0 / 2, -1.0 / 24, 1.0 / 720, -1.0 / 40320, 1.0 / 3628800, -1.0 / 479001600),
            sum(1.0 / 6, -1.0 / 120, 1.0 / 5040, -1.0 / 362880, 1.0 / 39916800, -1.0 / 6227020800),
            sum(-2.0 / 24, 4.0 / 720, -6.0 / 40320, 8.0 / 3628800, -10.0 / 479001600,
                12.0 / 87178291200),
            sum(-2.0 / 120, 4.0 / 5040, -6.0 / 362880, 8.0 / 39916800, -10.0 / 6227020800,
                12.0 / 1307674368000)};
  }
  const double s = std::sin(angle), one_minus_c = 2 * std::pow(std::sin(angle / 2), 2);
  return {one_minus_c / angle2, (angle - s) / (angle2 * angle),
          (angle * s - 2 * one_minus_c) / angle4,
          (angle * one_minus_c - 3 * (angle - s)) / (angle4 * angle)};
}

}  // namespace

Mat3 CrossMatrix(const Vec3& a) {
  Mat3 A;
  A << 0, -a[2], a[1],  //
      a[2], 0, -a[0],   //
      -a[1], a[0], 0;
  return A;
}

Vec4 QuaternionProduct(const Vec4& a, const Vec4& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

Mat3 QuaternionToMatrix(const Vec4& q) {
  const double s = 2 / q.squaredNorm();
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  Mat3 R;
  R << 1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),  //
      s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x),   //
      s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y);
  return R;
}

Vec4 MatrixToQuaternion(const Mat3& R) {
  const double trace = R.trace();
  Vec4 q;
  if (trace >= R(0, 0) && trace >= R(1, 1) && trace >= R(2, 2)) {
    q << 1 + trace, R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1);
  } else {
    int i = 0;
    if (R(1, 1) > R(0, 0)) i = 1;
    if (R(2, 2) > R(i, i)) i = 2;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    q[0] = R(k, j) - R(j, k);
    q[1 + i] = 1 + 2 * R(i, i) - trace;
    q[1 + j] = R(j, i) + R(i, j);
    q[1 + k] = R(k, i) + R(i, k);
  }
  q.normalize();
  return q[0] < 0 ? Vec4(-q) : q;
}

Vec4 QuaternionExp(const Vec3& theta) {
  const double half = 0.5 * theta.norm();
  // sin(x)/x by its series near 0, where the quotient is 0/0; the next term is below 1e-17.
  const double sinc = half < 1e-4 ? 1 - half * half / 6 : std::sin(half) / half;
  const Vec3 xyz = 0.5 * sinc * theta;
  return {std::cos(half), xyz[0], xyz[1], xyz[2]};
}

Vec3 QuaternionLog(const Vec4& q) {
  const double w = q[0] < 0 ? -q[0] : q[0];
  const Vec3 xyz = q[0] < 0 ? Vec3(-q.tail<3>()) : Vec3(q.tail<3>());
  const double sine = xyz.norm();
  // angle/sin(angle/2) → 2/w near the identity.
  const double factor = sine < 1e-12 * w ? 2 / w : 2 * std::atan2(sine, w) / sine;
  return factor * xyz;
}

Mat3 LogRateMatrix(const Vec3& theta) {
  const double angle2 = theta.squaredNorm();
  const double angle = std::sqrt(angle2);
  // The closed form loses digits by cancellation below 0.1 rad; five terms of the series do not.
  double b;
  if (angle < 0.1) {
    b = 1.0 / 12 + angle2 * (1.0 / 720 +
                             angle2 * (1.0 / 30240 + angle2 * (1.0 / 1209600 + angle2 / 47900160)));
  } else {
    b = 1 / angle2 - 1 / (2 * angle * std::tan(angle / 2));
  }
  const Mat3 T = CrossMatrix(theta);
  return Mat3::Identity() + 0.5 * T + b * T * T;
}

Vec3 CalcExpRate(const Vec3& theta, const Vec3& theta_dot) {
  const ExpCoefficients c = CalcExpCoefficients(theta.squaredNorm());
  const Vec3 across = theta.cross(theta_dot);
  return theta_dot - c.a * across + c.b * theta.cross(across);
}

Vec3 CalcExpAcceleration(const Vec3& theta, const Vec3& theta_dot, const Vec3& theta_ddot) {
  const ExpCoefficients c = CalcExpCoefficients(theta.squaredNorm());
  const Vec3 across = theta.cross(theta_dot);
  const double growth = theta.dot(theta_dot);  // ‖θ‖ d‖θ‖/dt
  return CalcExpRate(theta, theta_ddot) - growth * c.a_slope * across +
         growth * c.b_slope * theta.cross(across) + c.b * theta_dot.cross(across);
}

Vec4 QuaternionRate(const Vec4& q, const Vec3& omega) {
  return 0.5 * QuaternionProduct(q, {0, omega[0], omega[1], omega[2]});
}

Mat3 RotationAbout(const Vec3& unit_axis, double angle) {
  return Eigen::AngleAxisd(angle, unit_axis).toRotationMatrix();
}

Mat3 RotationFromRollPitchYaw(const Vec3& rpy) {
  return RotationAbout(Vec3::UnitZ(), rpy[2]) * RotationAbout(Vec3::UnitY(), rpy[1]) *
         RotationAbout(Vec3::UnitX(), rpy[0]);
}

Mat3 RotationWithZ(const Vec3& unit_z) {
  if (unit_z == Vec3::UnitZ()) return Mat3::Identity();
  // x along the coordinate axis that is farthest from z, made perpendicular to it.
  int far = 0;
  unit_z.cwiseAbs().minCoeff(&far);
  Mat3 R;
  R.col(2) = unit_z;
  R.col(0) = (Vec3::Unit(far) - unit_z[far] * unit_z).normalized();
  R.col(1) = unit_z.cross(R.col(0));
  return R;
}

}  // namespace voigt
