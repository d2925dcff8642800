// [Drumwright 2019, figure 3]: implicit Euler steps of an undamped spring are stable and lose
// energy. A compliant constraint is that scheme: the figure is voigt's.

#include <cmath>

#include "reproduce/experiment_list.h"
#include "reproduce/spring_scene.h"

namespace voigt::reproduce {

void Run000Figure3(Trial* trial) {
  constexpr double kStiffness = 1e6, kUntil = 0.02;
  Chart chart{"k = 1e6 N/m, no damping", "t [s]", "x [m]", {}};
  int color = 0;
  for (const auto& [name, h] : {std::pair("1e-5", 1e-5), std::pair("1e-2", 1e-2)}) {
    const Scene scene = LoadSpringScene(*trial, {kStiffness, 0, h}, kUntil);
    Simulator simulator = MakeSimulator(scene);
    const auto energy = [&] {
      const double x = simulator.state().q[0], v = simulator.state().v[0];
      return 0.5 * (kStiffness * x * x + v * v);
    };
    const double start = energy();
    Curve curve = MakeCurve(fmt::format("h = {} s", name), color++, {Vec2(0, 1)});
    trial->Step(&simulator, h, kUntil,
                [&] { curve.points.emplace_back(simulator.state().t, simulator.state().q[0]); });
    // Amplitudes go with the root of the energy.
    const double steps = static_cast<double>(simulator.steps());
    trial->Set("factor_" + std::string(name), std::pow(energy() / start, 0.5 / steps));
    chart.curves.push_back(curve);
  }
  trial->Add(chart);
}

}  // namespace voigt::reproduce
