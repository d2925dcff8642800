#include "tests/support/foundation.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace voigt::testing {

Vec2 FoundationCase::Element(int i) const {
  return {(i % per_side + 0.5) / per_side - 0.5, (i / per_side + 0.5) / per_side - 0.5};
}

Vec2 FoundationCase::LoadPoint(double t) const {
  return 0.5 * Vec2(std::cos(load_turning * t), std::sin(load_turning * t));
}

FoundationOde::FoundationOde(const FoundationCase& c, const Units& units)
    : case_(c), units_(units), x_(c.count()), y_(c.count()), lambda_(c.count()) {
  for (int i = 0; i < c.count(); ++i) {
    x_[i] = c.Element(i)[0];
    y_[i] = c.Element(i)[1];
  }
}

FoundationOde::Units FoundationOde::NaturalUnits(const FoundationCase& c) {
  return {c.weight() / c.E, std::sqrt(c.E / (2 * c.mass))};
}

void FoundationOde::CalcRate(double t, const double* x, double* dx) const {
  const double L = units_.length, V = units_.length * units_.rate;
  const double e1 = L * x[1], e2 = L * x[2], e3 = L * x[3];
  const double e0 = std::sqrt(1 - e1 * e1 - e2 * e2 - e3 * e3);
  const double v = V * x[4], omega_x = V * x[5], omega_y = V * x[6];
  // Rows of the rotation; the last entry of the third is 1 − tilt.
  const Vec3 X(1 - 2 * (e2 * e2 + e3 * e3), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2));
  const Vec3 Y(2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1 * e1 + e3 * e3), 2 * (e2 * e3 - e0 * e1));
  const double Zx = 2 * (e1 * e3 - e0 * e2), Zy = 2 * (e2 * e3 + e0 * e1);
  const double tilt = 2 * (e1 * e1 + e2 * e2);

  // Over the bottom (x, y, −½), −K φ − B φ̇ is linear: a + b x + c y.
  const Vec3 Z_dot = omega_x * Y - omega_y * X;
  const double K = case_.K(), B = case_.damping;
  const double a = -K * (L * x[0] + tilt / 2) - B * (v - Z_dot[2] / 2);
  const double b = -K * Zx - B * Z_dot[0], c = -K * Zy - B * Z_dot[1];
  lambda_ = (a + b * x_ + c * y_).max(0.0);
  const double sum = lambda_.sum();
  const double sum_x = (lambda_ * x_).sum(), sum_y = (lambda_ * y_).sum();

  // Vertical forces f at r turn the cube by f (r_y, −r_x).
  const Vec2 at = case_.LoadPoint(t);
  const Vec3 load = -case_.load * Vec3(at[0], at[1], 0.5), springs(sum_x, sum_y, -sum / 2);
  const Vec3 moment = load + springs;
  const double inertia = case_.mass / 6;
  const double force = sum - case_.load - case_.mass * case_.gravity;
  // 2 de/dt = e₀ ω + ω × e.
  dx[0] = v / L;
  dx[1] = 0.5 * (e0 * omega_x + omega_y * e3) / L;
  dx[2] = 0.5 * (e0 * omega_y - omega_x * e3) / L;
  dx[3] = 0.5 * (omega_x * e2 - omega_y * e1) / L;
  dx[4] = force / case_.mass / V;
  dx[5] = Y.dot(moment) / inertia / V;
  dx[6] = -X.dot(moment) / inertia / V;
}

PoseVector FoundationOde::PoseOf(const double* x) const {
  const Vec3 e = units_.length * Vec3(x[1], x[2], x[3]);
  PoseVector out;
  out << 0, 0, 0.5 + units_.length * x[0], std::sqrt(1 - e.squaredNorm()), e;
  return out;
}

FoundationRest FindFoundationRest(const FoundationCase& c, const Vec2& load_point) {
  const Vec3 demand(c.weight(), c.load * load_point[1], -c.load * load_point[0]);
  const auto lever = [&](int i) { return Vec3(1, c.Element(i)[1], -c.Element(i)[0]); };
  // Newton's method for height and tilts about x and y.
  Vec3 x(-c.weight() / c.E, 0, 0);
  for (int iteration = 0; iteration < 50; ++iteration) {
    Vec3 residual = -demand;
    Mat3 slope = Mat3::Zero();
    for (int i = 0; i < c.count(); ++i) {
      const double phi = lever(i).dot(x);
      if (phi > 0) continue;
      residual -= c.K() * phi * lever(i);
      slope += c.K() * lever(i) * lever(i).transpose();
    }
    x += slope.ldlt().solve(residual);
  }
  FoundationRest out;
  out.pose << 0, 0, 0.5 + x[0], 1, 0.5 * x[1], 0.5 * x[2], 0;
  out.lambda.resize(c.count());
  for (int i = 0; i < c.count(); ++i) out.lambda[i] = std::max(0.0, -c.K() * lever(i).dot(x));
  return out;
}

}  // namespace voigt::testing
