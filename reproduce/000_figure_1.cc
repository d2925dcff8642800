// [Drumwright 2019, figure 1]: explicit Euler steps of a spring, a mass and a damper need damping,
// but not too much of it. Beside it, the compliant constraint under the same figures.

#include <algorithm>

#include "reproduce/experiment_list.h"
#include "reproduce/spring_scene.h"

namespace voigt::reproduce {

void Run000Figure1(Trial* trial) {
  constexpr double kStep = 1e-5, kStiffness = 1e6;
  struct Case {
    const char* name;
    double b;
    int steps;  // that are drawn
  };
  for (const Case& c : {Case{"b_1", 1, 100000}, Case{"b_10", 10, 100000}, Case{"b_2e5", 2e5, 400},
                        Case{"b_2.1e5", 2.1e5, 400}}) {
    const Oscillator o{kStiffness, c.b, kStep};
    trial->Set("radius_" + std::string(c.name), CalcSpectralRadius(EulerScheme::kExplicit, o));

    Chart chart{fmt::format("b = {:g} N s/m", c.b), "t [s]", "x [m]", {}};
    Curve euler = MakeCurve("explicit Euler", 1);
    Vec2 y(1, 0);
    for (int k = 0; k <= c.steps; ++k) {
      // Long runs are a band, of which every 97th step shows the edges.
      if (c.steps < 1000 || k % 97 == 0) euler.points.emplace_back(k * kStep, y[0]);
      y = StepOscillator(EulerScheme::kExplicit, o, y);
      if (y.norm() > 1e20) break;
    }
    std::vector<Vec2> ours = RunSpringScene(*trial, o, 0.01);
    double largest = 0;
    for (const Vec2& point : ours) largest = std::max(largest, std::abs(point[1]));
    trial->Set("voigt_" + std::string(c.name), largest);
    chart.curves = {euler, MakeCurve("voigt", 0, ours)};
    trial->Add(chart);
  }
}

}  // namespace voigt::reproduce
