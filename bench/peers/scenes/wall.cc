// A wall of boxes laid like bricks, dry, that should stand still.

#include <fmt/format.h>

#include <algorithm>

#include "bench/peers/trial.h"

namespace voigt::peers {

std::vector<Trial> MakeWallTrials(bool quick) {
  constexpr int kRows = 6, kColumns = 5;
  const Vec3 brick(0.4, 0.2, 0.2);  // m
  constexpr double kMass = 16, kSpace = 0.002;
  Trial out;
  Scene& scene = out.scene;
  scene.name = "wall";
  scene.h = 0.005;
  scene.until = quick ? 1 : 5;
  scene.ground = {MakePlane(Vec3::UnitZ(), 0)};
  for (int k = 0; k < kRows; ++k) {
    // Odd rows are one brick shorter and begin half a brick later.
    for (int i = 0; i < kColumns - k % 2; ++i) {
      Body body;
      body.mass = kMass;
      body.inertia = BoxInertia(kMass, brick);
      body.start.p = Vec3((i + 0.5 * (k % 2)) * (brick[0] + kSpace), 0, (k + 0.5) * brick[2]);
      body.shapes = {MakeBox(brick)};
      scene.bodies.push_back(body);
    }
  }
  scene.room_for_contacts = 20 * static_cast<int>(scene.bodies.size());
  std::vector<Vec3> start;
  for (const Body& body : scene.bodies) start.push_back(body.start.p);
  const auto displacement = [start](const std::vector<Pose>& poses) {
    double out_of_place = 0;
    for (size_t b = 0; b < start.size(); ++b) {
      out_of_place = std::max(out_of_place, (poses[b].p - start[b]).norm());
    }
    return out_of_place;
  };
  out.title = fmt::format("Wall of {} boxes", scene.bodies.size());
  out.what = fmt::format(
      "{} boxes of 0.4 × 0.2 × 0.2 m and 16 kg laid like bricks in {} rows, 2 mm apart, at rest; "
      "rigid contacts, friction 0.5; {} s in steps of 5 ms.",
      scene.bodies.size(), kRows, scene.until);
  out.reference = "largest distance of a box from where it was laid at the end; none is right";
  out.error = [displacement](const std::vector<Pose>& poses, bool) { return displacement(poses); };
  out.standing = displacement;
  out.failure = [displacement](const std::vector<Pose>& poses) -> std::string {
    return displacement(poses) > 0.1 ? "the wall fell" : "";
  };
  out.tolerance = 1e-12;
  out.watch_every = 5;
  return {out};
}

}  // namespace voigt::peers
