// [Drumwright & Shell 2010, figure 5]: the kinetic energy of 1001 spheres that fall into a box.

#include <algorithm>

#include "reproduce/experiment_list.h"

namespace voigt::reproduce {
namespace {

struct BedRun {
  std::vector<Vec2> kinetic;  // J, over time
  double reached = 0;         // s
  double gain = 0;            // the largest of motion and height beyond the start, over the fall
  long not_solved = 0;
};

BedRun RunBed(const Trial& trial, const std::string& layers, double until) {
  Scene scene = trial.LoadScene("spheres_in_box",
                                {{"parameters.layers", layers}, {"simulation.step", "0.005"}});
  Simulator simulator = MakeSimulator(scene);
  BedRun out;
  const Energy start = simulator.CalcEnergy();
  double lowest = start.gravity;
  trial.Step(&simulator, scene.settings.step, until, [&] {
    const Energy now = simulator.CalcEnergy();
    out.kinetic.emplace_back(simulator.state().t, now.kinetic);
    lowest = std::min(lowest, now.gravity);
    out.gain = std::max(out.gain, now.kinetic + now.gravity - start.gravity);
  });
  out.gain /= start.gravity - lowest;
  out.reached = simulator.state().t;
  out.not_solved = simulator.solver().not_solved;
  return out;
}

double LargestKinetic(const BedRun& run) {
  double out = 0;
  for (const Vec2& point : run.kinetic) out = std::max(out, point[1]);
  return out;
}

}  // namespace

void Run001Figure5(Trial* trial) {
  Chart chart{"Kinetic energy of spheres that fall into a box", "t [s]", "kinetic energy [J]", {}};
  const BedRun few = RunBed(*trial, "2", 2);
  trial->Set("reached_154", few.reached);
  trial->Set("settled_154", few.kinetic.back()[1] / LargestKinetic(few));
  trial->Set("gain_154", few.gain);
  chart.curves.push_back(MakeCurve("154 spheres", 1, few.kinetic));
  if (trial->Wants("reached_1001")) {
    const BedRun all = RunBed(*trial, "13", 5);
    trial->Set("reached_1001", all.reached);
    trial->Set("settled_1001", all.kinetic.back()[1] / LargestKinetic(all));
    trial->Set("gain_1001", all.gain);
    chart.curves.push_back(MakeCurve("1001 spheres", 0, all.kinetic));
  }
  trial->Add(chart);
  trial->Show(trial->LoadScene("spheres_in_box",
                               {{"parameters.layers", "2"}, {"simulation.step", "0.005"}}),
              "154 spheres fall into a box");
}

}  // namespace voigt::reproduce
