#include "bench/peers/peer.h"

#include <cmath>

namespace voigt::bench {

double StackSpec::RestHeight(int i) const {
  // Contact k carries count − k spheres.
  const double carried = (i + 1) * (count - 0.5 * i);
  return (2 * i + 1) * radius - mass * gravity * carried / stiffness;
}

Vec3 FoundationSpec::Point(int i) const {
  const double cell = side / per_side;
  return {cell * (i % per_side + 0.5) - side / 2, cell * (i / per_side + 0.5) - side / 2,
          -side / 2};
}

Vec3 FoundationSpec::LoadPoint(double t) const {
  return side / 2 * Vec3(std::cos(10 * t), std::sin(10 * t), 1);
}

double BedSpec::mass() const { return density * 4 * kPi / 3 * radius * radius * radius; }

double BedSpec::inertia() const { return 0.4 * mass() * radius * radius; }

std::vector<Vec3> BedSpec::StartOnGrid() const {
  std::vector<Vec3> out;
  for (int k = 0; k < layers; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        out.emplace_back(i * pitch + 0.002 * std::sin(7 * k + 3 * i + 5 * j),
                         j * pitch + 0.002 * std::cos(5 * k + 2 * i + 9 * j), (k + 0.6) * pitch);
      }
    }
  }
  return out;
}

std::vector<BedSpec::Wall> BedSpec::Walls() const {
  return {{Vec3::UnitZ(), 0},
          {Vec3::UnitX(), -0.5 * pitch},
          {-Vec3::UnitX(), -(nx - 0.5) * pitch},
          {Vec3::UnitY(), -0.5 * pitch},
          {-Vec3::UnitY(), -(ny - 0.5) * pitch}};
}

std::vector<Engine> MakeEngines() {
  std::vector<Engine> engines = {MakeVoigtEngine()};
  [[maybe_unused]] const auto add = [&](const std::vector<Engine>& more) {
    engines.insert(engines.end(), more.begin(), more.end());
  };
#ifdef VOIGT_BENCH_MUJOCO
  add(MakeMujocoEngines());
#endif
#ifdef VOIGT_BENCH_ODE
  add(MakeOdeEngines());
#endif
#ifdef VOIGT_BENCH_BULLET
  add(MakeBulletEngines());
#endif
#ifdef VOIGT_BENCH_DART
  add(MakeDartEngines());
#endif
  return engines;
}

}  // namespace voigt::bench
