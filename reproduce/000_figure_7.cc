// [Drumwright 2019, figure 7]: the pressure below a cube on an elastic foundation whose load stands
// beside its middle.

#include <algorithm>
#include <map>

#include "reproduce/experiment_list.h"

namespace voigt::reproduce {
namespace {

// Pressure of the elements over x along the middle row, at rest under a load at x = ½, y = 0.
std::map<double, double> FindPressures(const Trial& trial, const std::string& load) {
  const Scene scene = trial.LoadScene("foundation", {{"parameters.n", "30"},
                                                     {"parameters.load", load},
                                                     {"loads.load_o.force", "[0, 0, 0]"},
                                                     {"loads.load_x.force", "[0, 0, -load]"},
                                                     {"loads.load_y.force", "[0, 0, 0]"}});
  Simulator simulator = MakeSimulator(scene);
  trial.Step(&simulator, scene.settings.step, 2);
  std::vector<ContactReport> contacts;
  simulator.ListContacts(&contacts);
  std::map<double, double> out;
  for (const ContactReport& contact : contacts) {
    if (contact.p_W[1] > 0 && contact.p_W[1] < 0.03) out[contact.p_W[0]] = contact.pressure;
  }
  return out;
}

}  // namespace

void Run000Figure7(Trial* trial) {
  Chart chart{"Pressure below the cube, load at x = 0.5 m", "x [m]", "pressure [Pa]", {}};
  int color = 0;
  for (const char* load : {"5", "50"}) {
    const std::map<double, double> pressures = FindPressures(*trial, load);
    if (pressures.size() < 2) throw std::runtime_error("no pressures below the cube");
    Curve curve = MakeCurve(std::string("load of ") + load + " N", color++);
    int lifted = 0;
    for (const auto& [x, p] : pressures) {
      curve.points.emplace_back(x, p);
      lifted += p <= 0;
    }
    chart.curves.push_back(curve);
    trial->Set(std::string("left_") + load, pressures.begin()->second);
    trial->Set(std::string("right_") + load, pressures.rbegin()->second);
    trial->Set(std::string("lifted_") + load, lifted);
  }
  trial->Add(chart);
  trial->Show(trial->LoadScene("foundation", {{"parameters.load", "50"}}),
              "Cube on an elastic foundation, 50 N");
}

}  // namespace voigt::reproduce
