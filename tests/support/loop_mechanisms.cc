#include "tests/support/loop_mechanisms.h"

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <utility>

#include "voigt/math/types.h"

namespace voigt::testing {
namespace {

constexpr double kGravity = 9.81;
constexpr double kPi = 3.14159265358979323846;

// Of a thin even rod, by the velocities of its ends: T = ½ m (a² + a·b + b²)/3.
double RodInertia(double mass, const Vec3& a, const Vec3& b) {
  return mass * (a.dot(a) + a.dot(b) + b.dot(b)) / 3;
}

// The corners of Bricard's mechanism, with that of the closing pin first, as the first pin turns.
// Bonds of length 1 at right torsion angles; the angles at the corners are α, β, α, β, … with
// cos α + cos β = cos α cos β.
std::array<Vec3, 7> BricardCorners(double q) {
  std::array<Vec3, 7> P;
  P[0] = Vec3(0, 0, 1);
  P[1] = Vec3::Zero();
  P[2] = Vec3(std::cos(q), 0, -std::sin(q));
  const double cos_alpha = -std::sin(q), cos_beta = -cos_alpha / (1 - cos_alpha);
  for (int k = 3; k < 7; ++k) {
    const double c = k % 2 ? cos_beta : cos_alpha, sign = k % 2 ? 1 : -1;
    const Vec3 before = P[k - 2] - P[k - 3], last = P[k - 1] - P[k - 2];
    const Vec3 normal = sign * before.cross(last).normalized();
    P[k] = P[k - 1] - c * last + std::sqrt(1 - c * c) * normal;
  }
  return P;
}

double BricardInertia(double q) {
  constexpr double d = 1e-3;
  const auto a = BricardCorners(q - d), b = BricardCorners(q + d);
  const auto a2 = BricardCorners(q - 2 * d), b2 = BricardCorners(q + 2 * d);
  std::array<Vec3, 7> rate;
  for (int k = 0; k < 7; ++k) rate[k] = (8 * (b[k] - a[k]) - (b2[k] - a2[k])) / (12 * d);
  double sum = 0;
  for (int k = 1; k < 6; ++k) sum += RodInertia(1, rate[k], rate[k + 1]);
  return sum;
}

double BricardPotential(double q) {
  const auto P = BricardCorners(q);
  double sum = 0;
  for (int k = 1; k < 6; ++k) sum += kGravity * (P[k].y() + P[k + 1].y()) / 2;
  return sum;
}

}  // namespace

// All rods turn alike and all couplers move like the rods' ends.
LoopMechanism FourBars() {
  constexpr double n = 5;
  OneDof reference;
  reference.inertia = [](double) { return (n + 1) / 3 + n; };
  reference.potential = [](double q) { return kGravity * std::cos(q) * ((n + 1) / 2 + n); };
  return {"n_four_bar", "foot0", std::move(reference), {0, -1}, 0.6, 1e-3};
}

LoopMechanism SliderCrank() {
  constexpr double r = 0.1, l = 0.3;
  OneDof reference;
  reference.inertia = [](double q) {
    const double x = r * std::cos(q), z = r * std::sin(q);
    const double slide = -z - x * z / std::sqrt(l * l - z * z);  // rate of x + √(l² − z²)
    const Vec3 pin(-z, 0, x), slider(slide, 0, 0);
    return r * r / 3 + RodInertia(2, pin, slider) + 3 * slide * slide;
  };
  reference.potential = [](double q) { return kGravity * 1.5 * r * std::sin(q); };
  return {"slider_crank", "main", std::move(reference), {kPi / 2, 20}, 0.4, 2e-4};
}

LoopMechanism Bricard() {
  OneDof reference{BricardInertia, BricardPotential};
  return {"bricard", "pin0", std::move(reference), {0, 0}, 0.5, 1e-2};
}

// The shaft keeps its angular momentum L, and L²/(2J) acts on the arms like a potential.
LoopMechanism FlyballGovernor() {
  constexpr double a = 0.5, start = kPi / 6;
  const auto about_shaft = [](double q) {
    const double reach = a * std::sin(q);
    const double arm = 2 * reach * reach + 3.2e-3;
    const double rod = 0.3 * reach * reach / 3 + 1e-5 * std::cos(q) * std::cos(q);
    return 0.02 + 2e-3 + 2 * arm + 2 * rod;
  };
  const double momentum = about_shaft(start) * 10;
  OneDof reference;
  reference.inertia = [](double q) {
    const Vec3 knee(a * std::cos(q), 0, a * std::sin(q)), sleeve(0, 0, 2 * a * std::sin(q));
    return 2 * (2 * a * a + 3.2e-3) + 2 * RodInertia(0.3, knee, sleeve) + sleeve.squaredNorm();
  };
  reference.potential = [=](double q) {
    const double slide = 2 * a * (1 - std::cos(q));
    const double weight = kGravity * (2 * 2 + 2 * 0.3 * 1.5 + 2) * a;
    return -weight * std::cos(q) + 0.5 * 200 * slide * slide +
           0.5 * momentum * momentum / about_shaft(q);
  };
  return {"flyball_governor", "swing0", std::move(reference), {start, 0}, 1, 1e-3, 1};
}

}  // namespace voigt::testing
