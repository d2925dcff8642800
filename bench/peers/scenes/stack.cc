// Spheres above each other fall on the ground and become a stack [Drumwright 2019, §6.5].

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/peers/trial.h"

namespace voigt::peers {
namespace {

constexpr double kRadius = 0.5, kGap = 0.1, kStackMass = 1, kSpringOfStack = 1e11;

// Contact k from below carries count − k spheres.
double RestHeight(int i, int count) {
  const double carried = (i + 1) * (count - 0.5 * i);
  return (2 * i + 1) * kRadius - kStackMass * 9.81 * carried / kSpringOfStack;
}

Trial MakeStack(int count, bool quick) {
  Trial out;
  Scene& scene = out.scene;
  scene.name = fmt::format("stack-{}", count);
  scene.h = 0.01;
  scene.until = quick ? 3 : 5;
  scene.material = {0.5, kSpringOfStack, 1};
  scene.ground = {MakePlane(Vec3::UnitZ(), 0)};
  scene.room_for_contacts = 3 * count + 10;
  const double I = 0.4 * kStackMass * kRadius * kRadius;
  for (int i = 0; i < count; ++i) {
    Body ball;
    ball.name = fmt::format("ball{}", i);
    ball.mass = kStackMass;
    ball.inertia = Vec3(I, I, I);
    ball.start.p = Vec3(0, 0, kRadius + kGap + i * (2 * kRadius + kGap));
    ball.shapes = {MakeSphere(kRadius)};
    scene.bodies.push_back(ball);
  }
  out.title = fmt::format("Stack of {} spheres", count);
  out.what = fmt::format(
      "{} spheres of 1 kg and 0.5 m, 0.1 m apart, fall onto the ground and onto each other. "
      "Contacts "
      "are springs of 1e11 N/m with 1 N s/m; {} s in steps of 10 ms.",
      count, scene.until);
  out.reference =
      "height of the top sphere at the end beside that of rest, (2n − 1) r − m g n (n + 1)/(2 K)";
  out.error = [count](const std::vector<Pose>& poses, bool) {
    return std::abs(poses[count - 1].p[2] - RestHeight(count - 1, count));
  };
  out.standing = [count](const std::vector<Pose>& poses) { return poses[count - 1].p[2]; };
  out.failure = [count](const std::vector<Pose>& poses) -> std::string {
    const bool fell = std::any_of(poses.begin(), poses.end(), [](const Pose& pose) {
      return pose.p.head<2>().norm() > kRadius;
    });
    const double top = poses[count - 1].p[2] - RestHeight(count - 1, count);
    return fell || std::abs(top) > kRadius ? "the stack fell" : "";
  };
  out.tolerance = 1e-12;
  return out;
}

}  // namespace

std::vector<Trial> MakeStackTrials(bool quick) {
  std::vector<Trial> out;
  for (int count : {10, 50, 100}) out.push_back(MakeStack(count, quick));
  return out;
}

}  // namespace voigt::peers
