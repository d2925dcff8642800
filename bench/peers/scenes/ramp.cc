// A block on four feet on a ramp of 15 degrees [Drumwright 2019, §6.4].

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

#include "bench/peers/trial.h"

namespace voigt::peers {
namespace {

constexpr double kTilt = 15 * kPi / 180, kGravity = 9.8;
constexpr double kLength = 0.2, kWidth = 0.1, kHeight = 0.05, kFoot = 0.01;  // m

// How far it slides: by semi-implicit Euler steps of a point with Coulomb friction, or exactly.
double CalcDistance(double mu, double until, double h, bool is_continuous) {
  const double a = std::max(0.0, kGravity * (std::sin(kTilt) - mu * std::cos(kTilt)));
  if (is_continuous) return 0.5 * a * until * until;
  double x = 0, v = 0;
  for (long i = 0; i < std::lround(until / h); ++i) {
    v += h * a;
    x += h * v;
  }
  return x;
}

Trial MakeRamp(double mu, double until, const std::string& name) {
  Trial out;
  Scene& scene = out.scene;
  scene.name = name;
  scene.gravity = Vec3(0, 0, -kGravity);
  scene.h = 0.01;
  scene.until = until;
  scene.material.mu = mu;
  scene.room_for_contacts = 20;
  const Mat3 R = Eigen::AngleAxisd(kTilt, Vec3::UnitY()).toRotationMatrix();
  scene.ground = {MakePlane(R.col(2), 0)};
  Body block;
  block.name = "block";
  block.mass = 1;
  block.inertia = Vec3(kWidth * kWidth + kHeight * kHeight, kLength * kLength + kHeight * kHeight,
                       kLength * kLength + kWidth * kWidth) /
                  12;
  block.start = {R, 0.5 * kHeight * R.col(2)};
  for (double x : {-0.5, 0.5}) {
    for (double y : {-0.5, 0.5}) {
      block.shapes.push_back(MakeSphere(kFoot, Vec3(x * kLength, y * kWidth, kFoot - kHeight / 2)));
    }
  }
  scene.bodies = {block};
  const Vec3 start = block.start.p, down = R.col(0);
  const auto distance = [=](const std::vector<Pose>& poses) {
    return (poses[0].p - start).dot(down);
  };
  out.title = fmt::format("Ramp, μ = {}, {} s", mu, until);
  out.what = fmt::format(
      "A block of 1 kg on four feet of 10 mm radius starts at rest on a ramp of 15°; rigid "
      "contacts, "
      "friction {}; {} s in steps of 10 ms.",
      mu, until);
  out.reference =
      "distance at the end: semi-implicit Euler recursion of a point with Coulomb friction for "
      "engines that step, a t²/2 for integrators with error control";
  out.error = [=](const std::vector<Pose>& poses, bool is_continuous) {
    return std::abs(distance(poses) - CalcDistance(mu, until, 0.01, is_continuous));
  };
  if (mu > std::tan(kTilt)) out.standing = distance;
  out.failure = [=](const std::vector<Pose>& poses) -> std::string {
    const double height = (poses[0].p - start).dot(R.col(2));
    return height < -kHeight ? "fell through the ramp" : height > 1 ? "left the ramp" : "";
  };
  out.tolerance = 1e-9;
  return out;
}

}  // namespace

std::vector<Trial> MakeRampTrials(bool quick) {
  std::vector<Trial> out;
  for (double mu : {0.0, 0.125, 0.25, 0.375}) {
    out.push_back(MakeRamp(mu, 1, fmt::format("ramp-{}", mu)));
    if (!quick) out.push_back(MakeRamp(mu, 60, fmt::format("ramp60-{}", mu)));
  }
  return out;
}

}  // namespace voigt::peers
