// A cube on an elastic foundation under a load that runs around [Drumwright 2019, §5.5].

#include "tests/support/foundation.h"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "bench/peers/trial.h"

namespace voigt::peers {
namespace {

Trial MakeFoundation(int per_side) {
  const testing::FoundationCase c{per_side, 1e7, 5};
  Trial out;
  Scene& scene = out.scene;
  scene.name = fmt::format("foundation-{}", c.count());
  scene.gravity = Vec3(0, 0, -c.gravity);
  scene.h = 0.01;
  scene.until = 1;
  scene.material = {0, c.K(), c.damping};
  scene.ground = {MakePlane(Vec3::UnitZ(), 0)};
  scene.room_for_contacts = c.count() + 10;
  Body cube;
  cube.name = "cube";
  cube.mass = c.mass;
  cube.inertia = Vec3::Constant(c.mass / 6);
  cube.start.p = Vec3(0, 0, 0.5);
  for (int i = 0; i < c.count(); ++i) {
    const Vec2 p = c.Element(i);
    cube.shapes.push_back(MakePoint(Vec3(p[0], p[1], -0.5)));
  }
  scene.bodies = {cube};
  // What acts in a step is the load at its end.
  scene.act = [c, h = scene.h](double t, const std::vector<Pose>& poses, Loads* loads) {
    const Vec2 p = c.LoadPoint(t + h);
    const Vec3 force(0, 0, -c.load), arm = poses[0].R * Vec3(p[0], p[1], 0.5);
    loads->wrenches.push_back({0, force, arm.cross(force)});
  };
  out.title = fmt::format("Cube on {} springs", c.count());
  out.what = fmt::format(
      "A cube of 1 m and 8 kg stands on {} springs without friction, together 1e7 N/m, each with "
      "1 N s/m, while a load of 5 N runs around its top; 1 s in steps of 10 ms.",
      c.count());
  out.reference =
      "sink, and tilt times 0.5 m, at the end beside the same springs as an ordinary differential "
      "equation, integrated by Fehlberg's method of order 8 to 1e-9 of the depth";
  out.error = [c](const std::vector<Pose>& poses, bool) {
    const testing::PoseVector q = testing::IntegrateFoundation(c, 1, 1e-9);
    const Mat3 R = Eigen::Quaterniond(q[3], q[4], q[5], q[6]).toRotationMatrix();
    return std::abs(poses[0].p[2] - q[2]) + 0.5 * (poses[0].R.col(2) - R.col(2)).norm();
  };
  out.failure = [](const std::vector<Pose>& poses) -> std::string {
    return std::abs(poses[0].p[2] - 0.5) > 0.1 ? "the cube left its place" : "";
  };
  out.tolerance = 1e-12;
  out.is_passive = false;
  out.watch_every = 5;
  return out;
}

}  // namespace

std::vector<Trial> MakeFoundationTrials(bool quick) {
  std::vector<Trial> out = {MakeFoundation(10)};
  if (!quick) out.push_back(MakeFoundation(30));
  return out;
}

}  // namespace voigt::peers
