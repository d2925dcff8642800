// [Drumwright 2019, figure 2]: semi-implicit Euler steps need a soft spring.

#include "reproduce/experiment_list.h"
#include "reproduce/spring_scene.h"

namespace voigt::reproduce {

void Run000Figure2(Trial* trial) {
  constexpr double kStep = 1e-3, kDamping = 1;
  for (const auto& [name, k] : {std::pair("k_1e6", 1e6), std::pair("k_1e7", 1e7)}) {
    const Oscillator o{k, kDamping, kStep};
    trial->Set("radius_" + std::string(name), CalcSpectralRadius(EulerScheme::kSemiImplicit, o));
    Curve euler = MakeCurve("semi-implicit Euler", 1);
    Vec2 y(1, 0);
    for (int step = 0; step <= 2000 && y.norm() < 1e12; ++step) {
      euler.points.emplace_back(step * kStep, y[0]);
      y = StepOscillator(EulerScheme::kSemiImplicit, o, y);
    }
    const std::vector<Vec2> ours = RunSpringScene(*trial, o, 0.05);
    // Beyond the first steps it has come to rest.
    trial->Set("voigt_" + std::string(name), std::abs(ours.back()[1]));
    trial->Add(
        {fmt::format("k = {:g} N/m", k), "t [s]", "x [m]", {euler, MakeCurve("voigt", 0, ours)}});
  }
}

}  // namespace voigt::reproduce
