// [Drumwright 2019, figure 9]: how far a block slides down a ramp of 15° within a second.

#include <algorithm>
#include <cmath>

#include "reproduce/experiment_list.h"

namespace voigt::reproduce {
namespace {

struct RampRun {
  std::vector<Vec2> distance;              // over time
  double front_force = 0, rear_force = 0;  // of one foot, N
};

RampRun RunRamp(const Trial& trial, const std::string& mu) {
  const Scene scene = trial.LoadScene("ramp", {{"parameters.mu", mu}});
  Simulator simulator = MakeSimulator(scene);
  RampRun out;
  trial.Step(&simulator, scene.settings.step, 1,
             [&] { out.distance.emplace_back(simulator.state().t, simulator.state().q[0]); });
  std::vector<double> forces;
  for (const RowGroup& group : simulator.problem().groups) {
    forces.push_back(simulator.solution().gamma[group.first_row] / simulator.problem().h);
  }
  std::sort(forces.begin(), forces.end());
  out.rear_force = forces.front();
  out.front_force = forces.back();
  return out;
}

}  // namespace

void Run000Figure9(Trial* trial) {
  Chart over_time{"Distance over time, h = 0.01 s", "t [s]", "distance [m]", {}};
  Curve ends = MakeCurve("voigt after 1 s", 0);
  int color = 0;
  for (const char* mu : {"0", "0.125", "0.25", "0.375"}) {
    const RampRun run = RunRamp(*trial, mu);
    trial->Set(std::string("distance_") + mu, run.distance.back()[1]);
    over_time.curves.push_back(MakeCurve(std::string("mu = ") + mu, color++, run.distance));
    ends.points.emplace_back(std::stod(mu), run.distance.back()[1]);
    if (std::string(mu) == "0.25") {
      trial->Set("front_foot", run.front_force);
      trial->Set("rear_foot", run.rear_force);
    }
  }
  // g T²/2 (sin 15° − μ cos 15°), or none.
  Curve exact = MakeCurve("Coulomb's law", 1);
  exact.dashed = true;
  for (double mu = 0; mu < 0.376; mu += 0.0025) {
    const double a = 9.8 * (std::sin(kPi / 12) - mu * std::cos(kPi / 12));
    exact.points.emplace_back(mu, std::max(0.0, 0.5 * a));
  }
  trial->Add({"Distance after 1 s", "coefficient of friction", "distance [m]", {exact, ends}});
  trial->Add(over_time);
  trial->Show(trial->LoadScene("ramp", {{"parameters.mu", "0.125"}}),
              "Block on the ramp, mu = 0.125");
}

}  // namespace voigt::reproduce
