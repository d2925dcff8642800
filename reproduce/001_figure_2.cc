// [Drumwright & Shell 2010, figure 2]: a box slides down a ramp by complementarity (Anitescu &
// Potra, by Lemke's method) and by maximum dissipation.

#include <cmath>

#include "reproduce/experiment_list.h"

namespace voigt::reproduce {
namespace {

std::vector<Vec2> SlideDown(const Trial& trial, const std::string& mu, const char* formulation) {
  // Rigid feet and ramp.
  const Scene scene = trial.LoadScene("ramp", {{"parameters.mu", mu},
                                               {"materials.ramp", "{friction: mu}"},
                                               {"simulation.formulation", formulation}});
  Simulator simulator = MakeSimulator(scene);
  std::vector<Vec2> out;
  trial.Step(&simulator, scene.settings.step, 1,
             [&] { out.emplace_back(simulator.state().t, simulator.state().q[0]); });
  return out;
}

}  // namespace

void Run001Figure2(Trial* trial) {
  Chart chart{"Box on a ramp of 15°", "t [s]", "distance [m]", {}};
  int color = 0;
  for (const char* mu : {"0.1", "0.2", "0.25"}) {
    const auto complementary = SlideDown(*trial, mu, "mlcp-lemke");
    const auto dissipative = SlideDown(*trial, mu, "max-dissipation");
    trial->Set(std::string("complementarity_") + mu, complementary.back()[1]);
    trial->Set(std::string("dissipation_") + mu, dissipative.back()[1]);
    double apart = 0;
    for (size_t k = 0; k < complementary.size(); ++k) {
      apart = std::max(apart, std::abs(complementary[k][1] - dissipative[k][1]));
    }
    trial->Set(std::string("apart_") + mu, apart);
    chart.curves.push_back(
        MakeCurve(fmt::format("mu = {}, complementarity", mu), color, complementary));
    Curve dashed = MakeCurve("dissipation", color + 4, dissipative);
    dashed.dashed = true;
    chart.curves.push_back(dashed);
    ++color;
  }
  trial->Add(chart);
}

}  // namespace voigt::reproduce
