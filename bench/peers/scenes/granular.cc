// Spheres fall into a box and pack, as in scenes/spheres_in_box.yaml.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/peers/overlap.h"
#include "bench/peers/trial.h"

namespace voigt::peers {

Scene MakeBed(int nx, int ny, int layers, const Material& material) {
  constexpr double kGrain = 0.04, kPitch = 0.085, kDensity = 2500;
  const double mass = kDensity * 4 * kPi / 3 * kGrain * kGrain * kGrain;
  Scene scene;
  const int count = nx * ny * layers;
  scene.name = fmt::format("granular-{}", count);
  scene.h = 0.002;
  scene.material = material;
  scene.ground = {MakePlane(Vec3::UnitZ(), 0), MakePlane(Vec3::UnitX(), -0.5 * kPitch),
                  MakePlane(-Vec3::UnitX(), -(nx - 0.5) * kPitch),
                  MakePlane(Vec3::UnitY(), -0.5 * kPitch),
                  MakePlane(-Vec3::UnitY(), -(ny - 0.5) * kPitch)};
  scene.room_for_contacts = 2 * count;
  Body grain;
  grain.mass = mass;
  grain.inertia = Vec3::Constant(0.4 * mass * kGrain * kGrain);
  grain.shapes = {MakeSphere(kGrain)};
  for (int k = 0; k < layers; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        // A little disorder, so that layers do not stand on top of each other.
        grain.start.p =
            Vec3(i * kPitch + 0.002 * std::sin(7 * k + 3 * i + 5 * j),
                 j * kPitch + 0.002 * std::cos(5 * k + 2 * i + 9 * j), (k + 0.6) * kPitch);
        scene.bodies.push_back(grain);
      }
    }
  }
  return scene;
}

namespace {

constexpr double kStiff = 1e7, kSoft = 2e6;  // N/m

Trial MakeGranular(int nx, int ny, int layers, double stiffness, double until) {
  Trial out;
  Scene& scene = out.scene;
  scene = MakeBed(nx, ny, layers, {0.3, stiffness, 50});
  const bool is_soft = stiffness == kSoft;
  if (is_soft) scene.name += "-soft";
  scene.until = until;
  const size_t count = scene.bodies.size();
  out.title = fmt::format("Bed of {} {}spheres", count, is_soft ? "softer " : "");
  out.what = fmt::format(
      "{} glass spheres of 40 mm radius fall into a box and pack; contacts are springs of {:.0e} "
      "N/m with 50 N s/m, friction 0.3; {} s in steps of 2 ms.",
      count, stiffness, until);
  out.reference = fmt::format(
      "largest overlap of spheres with each other and with walls over the run; none is right (the "
      "springs themselves yield by some {} micrometres)",
      is_soft ? 50 : 10);
  out.error_is_worst_overlap = true;
  out.failure = [ground = scene.ground](const std::vector<Pose>& poses) {
    int lost = 0;
    for (const Pose& pose : poses) {
      for (const Shape& wall : ground) {
        lost += wall.X_BS.R.col(2).dot(pose.p - wall.X_BS.p) < 0;
      }
    }
    return lost == 0 ? std::string() : fmt::format("{} spheres beyond a wall", lost);
  };
  out.watch_every = 5;
  return out;
}

// The same until it has come to rest, 1250 steps: what counts is the overlap that is left.
Trial MakeSettling(int nx, int ny, int layers) {
  Trial out = MakeGranular(nx, ny, layers, kSoft, 5);
  Scene& scene = out.scene;
  scene.h = 0.004;
  // As many as MuJoCo 2.2 can hold.
  scene.room_for_contacts = 14 * static_cast<int>(scene.bodies.size()) / 5;
  scene.name = fmt::format("granular-{}-settled", scene.bodies.size());
  out.title = fmt::format("Bed of {} spheres comes to rest", scene.bodies.size());
  out.what = fmt::format(
      "{} glass spheres of 40 mm radius fall into a box and come to rest; contacts are springs of "
      "{:.0e} N/m with 50 N s/m, friction 0.3; 5 s in steps of 4 ms. Engines that take seconds for "
      "a step are left out.",
      scene.bodies.size(), kSoft);
  out.reference =
      "largest overlap of spheres with each other and with walls at the end; the springs "
      "themselves "
      "yield by some 50 micrometres under the weight, and by more where spheres are wedged";
  out.error_is_worst_overlap = false;
  out.error = [bed = scene](const std::vector<Pose>& poses, bool) {
    return std::max(0.0, -FindOverlaps(bed, ApartTable(bed), poses).least_gap);
  };
  out.watch_every = 25;
  out.engines = {"MuJoCo CG", "Bullet", "ODE QuickStep"};
  out.patience = 30;
  return out;
}

}  // namespace

std::vector<Trial> MakeGranularTrials(bool quick) {
  std::vector<Trial> out;
  if (quick) return {MakeGranular(4, 5, 6, kStiff, 0.3)};
  out = {MakeGranular(7, 11, 13, kStiff, 0.2), MakeGranular(7, 11, 13, kSoft, 0.2),
         MakeGranular(16, 25, 10, kStiff, 0.2), MakeSettling(7, 11, 13)};
  out[0].patience = out[1].patience = 3;
  out[2].patience = 10;
  return out;
}

}  // namespace voigt::peers
