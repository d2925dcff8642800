// A row of four-bar mechanisms, the benchmark of many loops of the IFToMM library [González et al.
// 2006].

#include <fmt/format.h>

#include <cmath>

#include "bench/peers/trial.h"

namespace voigt::peers {
namespace {

// All rods turn alike: one pendulum with J θ̈ = g s sin θ, upside down at θ = 0. By Runge and
// Kutta's method of order 4.
double IntegrateFourBarAngle(int loops, double until) {
  const double J = (loops + 1) / 3.0 + loops, s = (loops + 1) / 2.0 + loops;
  const auto a = [&](double angle) { return 9.81 * s / J * std::sin(angle); };
  const long steps = std::lround(until / 1e-5);
  const double h = until / static_cast<double>(steps);
  double x = 0, v = -1;
  for (long i = 0; i < steps; ++i) {
    const double a1 = a(x), v2 = v + 0.5 * h * a1, a2 = a(x + 0.5 * h * v);
    const double v3 = v + 0.5 * h * a2, a3 = a(x + 0.5 * h * v2);
    const double v4 = v + h * a3, a4 = a(x + h * v3);
    x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return x;
}

Joint MakePin(int parent, int child, const Vec3& anchor, double rate) {
  Joint out;
  out.parent = parent;
  out.child = child;
  out.anchor = anchor;
  out.axis = Vec3::UnitY();
  out.rate = rate;
  return out;
}

}  // namespace

std::vector<Trial> MakeFourBarTrials(bool quick) {
  constexpr int kLoops = 20;
  Trial out;
  Scene& scene = out.scene;
  scene.name = fmt::format("four-bar-{}", kLoops);
  scene.h = 1e-3;
  scene.until = quick ? 0.5 : 2;
  scene.room_for_contacts = 10;
  for (int i = 0; i <= kLoops; ++i) {
    Body rod;
    rod.inertia = Vec3(1 / 12.0, 1 / 12.0, 1e-4);
    rod.start.p = Vec3(i, 0, 0.5);
    scene.bodies.push_back(rod);
    scene.joints.push_back(MakePin(-1, i, Vec3(i, 0, 0), -1));
  }
  for (int i = 0; i < kLoops; ++i) {
    Body coupler;
    coupler.inertia = Vec3(1e-4, 1 / 12.0, 1 / 12.0);
    coupler.start.p = Vec3(i + 0.5, 0, 1);
    const int number = kLoops + 1 + i;
    scene.bodies.push_back(coupler);
    scene.joints.push_back(MakePin(i, number, Vec3(i, 0, 1), 1));
  }
  for (int i = 0; i < kLoops; ++i) {
    Joint closing = MakePin(i + 1, kLoops + 1 + i, Vec3(i + 1, 0, 1), 0);
    closing.closes_loop = true;
    scene.joints.push_back(closing);
  }
  SetJointRates(&scene);
  out.title = fmt::format("Row of {} four-bar mechanisms", kLoops);
  out.what = fmt::format(
      "{} rods of 1 m and 1 kg stand on pins and carry couplers, {} closed loops; they fall over "
      "and "
      "pass positions in which all lie in one line. {} s in steps of 1 ms.",
      kLoops + 1, kLoops, scene.until);
  out.reference =
      "position of the last coupler at the end beside the one equation of motion, integrated by "
      "Runge "
      "and Kutta's method of order 4 in steps of 10 us";
  out.error = [until = scene.until](const std::vector<Pose>& poses, bool) {
    const double angle = IntegrateFourBarAngle(kLoops, until);
    return (poses.back().p - Vec3(kLoops - 0.5 + std::sin(angle), 0, std::cos(angle))).norm();
  };
  out.failure = [](const std::vector<Pose>& poses) -> std::string {
    return (poses.back().p - Vec3(kLoops - 0.5, 0, 0)).norm() > 1.5 ? "the mechanism broke" : "";
  };
  return {out};
}

}  // namespace voigt::peers
