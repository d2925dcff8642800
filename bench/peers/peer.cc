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
  return engines;
}

}  // namespace voigt::bench
