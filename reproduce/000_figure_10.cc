// [Drumwright 2019, figure 10]: stacks of stiff spheres, how long they take and where they stand.

#include <cmath>

#include "reproduce/experiment_list.h"
#include "voigt/base/stopwatch.h"

namespace voigt::reproduce {

void Run000Figure10(Trial* trial) {
  Curve times = MakeCurve("voigt", 0);
  Scene ten = trial->LoadScene("sphere_stack");
  for (int n : {1, 2, 5, 10, 20, 50, 100}) {
    const Scene scene = trial->LoadScene("sphere_stack", {{"parameters.n", std::to_string(n)}});
    Simulator simulator = MakeSimulator(scene);
    const Stopwatch stopwatch;
    trial->Step(&simulator, 0.01, 5);
    // The paper's axis is a second of virtual time.
    times.points.emplace_back(n, stopwatch.Seconds() / 5);
    if (n != 1 && n != 2 && n != 10 && n != 100) continue;
    const State& state = simulator.state();
    const double z_top = 0.5 + 0.1 + (n - 1) * 1.1 + state.q[7 * (n - 1) + 2];
    trial->Set(fmt::format("z_{}", n), z_top);
    double worst = 0;
    int count = 0;
    for (const RowGroup& group : simulator.problem().groups) {
      const double force = simulator.solution().gamma[group.first_row] / simulator.problem().h;
      if (!(force > 0)) continue;
      ++count;
      // Contact i carries what is above it: some whole number of weights.
      const double weights = force / 9.81;
      worst = std::max(worst, std::abs(weights - std::round(weights)) / std::max(weights, 1.0));
    }
    if (n == 100) {
      trial->Set("contacts_100", count);
      trial->Set("forces_100", worst);
      trial->Set("speed_100", state.v.cwiseAbs().maxCoeff());
      trial->Set("time_100", times.points.back()[1]);
    }
  }
  // Growth between 10 and 100 spheres, as a power.
  trial->Set("power", std::log10(times.points[6][1] / times.points[3][1]));
  trial->Add({"Wall time of one second", "spheres", "time [s]", {times}});
  trial->Show(ten, "Stack of ten spheres");
}

}  // namespace voigt::reproduce
