// Twelve spheres on a string of hinges, a floor and a wall [Mylapilli & Jain 2014], without
// restitution.

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "bench/peers/trial.h"

namespace voigt::peers {
namespace {

constexpr int kLinks = 12;
constexpr double kBall = 0.25, kLinkInertia = 0.4 * kBall * kBall, kLinkTilt = kPi / 4;

// The free chain in absolute angles from the vertical, to the right: point masses of 1 kg 1 m apart
// with kLinkInertia each. Only Lagrange's equations are used.
VecX CalcChainAcceleration(const VecX& angle, const VecX& rate) {
  MatX M(kLinks, kLinks);
  VecX f(kLinks);
  for (int i = 0; i < kLinks; ++i) {
    f[i] = -9.81 * (kLinks - i) * std::sin(angle[i]);
    for (int j = 0; j < kLinks; ++j) {
      const double carried = kLinks - std::max(i, j);
      M(i, j) = carried * std::cos(angle[i] - angle[j]) + (i == j ? kLinkInertia : 0);
      f[i] -= carried * std::sin(angle[i] - angle[j]) * rate[j] * rate[j];
    }
  }
  return M.llt().solve(f);
}

// Where the last sphere is after `until`, by Runge and Kutta's method of order 4 in steps of 20 us.
Vec3 IntegrateChain(double until) {
  const long steps = std::lround(until / 2e-5);
  const double h = until / static_cast<double>(steps);
  VecX x = VecX::Constant(kLinks, -kLinkTilt), v = VecX::Ones(kLinks);
  for (long i = 0; i < steps; ++i) {
    const VecX a1 = CalcChainAcceleration(x, v), v2 = v + 0.5 * h * a1;
    const VecX a2 = CalcChainAcceleration(x + 0.5 * h * v, v2), v3 = v + 0.5 * h * a2;
    const VecX a3 = CalcChainAcceleration(x + 0.5 * h * v2, v3), v4 = v + h * a3;
    const VecX a4 = CalcChainAcceleration(x + h * v3, v4);
    x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  Vec3 out(0, 0, 10);
  for (int i = 0; i < kLinks; ++i) out += Vec3(std::sin(x[i]), 0, -std::cos(x[i]));
  return out;
}

}  // namespace

std::vector<Trial> MakePendulumTrials(bool quick) {
  constexpr double kFree = 0.14;  // s: the chain hits the floor later
  Trial out;
  Scene& scene = out.scene;
  scene.name = "pendulum-12";
  scene.h = 1e-3;
  scene.until = quick ? 0.5 : 3;
  scene.ground = {MakePlane(Vec3::UnitZ(), 0.1), MakePlane(-Vec3::UnitX(), -4)};
  scene.room_for_contacts = 60;
  const Vec3 pivot(0, 0, 10), along(-std::sin(kLinkTilt), 0, -std::cos(kLinkTilt));
  for (int i = 0; i < kLinks; ++i) {
    Body ball;
    ball.mass = 1;
    ball.inertia = Vec3::Constant(kLinkInertia);
    ball.start.p = pivot + (i + 1) * along;
    ball.shapes = {MakeSphere(kBall)};
    scene.bodies.push_back(ball);
    Joint pin;
    pin.parent = i - 1;
    pin.child = i;
    pin.anchor = pivot + i * along;
    pin.axis = -Vec3::UnitY();
    pin.rate = i == 0 ? 1 : 0;
    scene.joints.push_back(pin);
  }
  SetJointRates(&scene);
  out.title = "Pendulum of twelve links";
  out.what =
      "Twelve spheres of 1 kg on a string of hinges 1 m apart swing against a floor, a wall and "
      "each "
      "other; rigid contacts, friction 0.5, no restitution; steps of 1 ms.";
  out.reference =
      "position of the last sphere after 0.14 s, before anything touches, beside Lagrange's "
      "equations "
      "of the chain integrated by Runge and Kutta's method of order 4 in steps of 20 us";
  out.error_time = kFree;
  out.error = [](const std::vector<Pose>& poses, bool) {
    return (poses[kLinks - 1].p - IntegrateChain(kFree)).norm();
  };
  out.failure = [pivot](const std::vector<Pose>& poses) -> std::string {
    return (poses[kLinks - 1].p - pivot).norm() > 1.1 * kLinks ? "the chain broke" : "";
  };
  return {out};
}

}  // namespace voigt::peers
