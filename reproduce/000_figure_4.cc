// [Drumwright 2019, figure 4]: how far the pin of a pendulum in absolute coordinates opens, with
// the printed curvature terms (Ġ v) and without, which is voigt's default.

#include <algorithm>
#include <cmath>

#include "reproduce/experiment_list.h"
#include "voigt/math/rotation.h"

namespace voigt::reproduce {
namespace {

struct PinRun {
  std::vector<Vec2> deviation;  // of the pin from its place over time, m
  double largest = 0;           // of them
  double energy = 0;            // largest |E|, J; it starts with 0
  double blow_up = kInfinity;   // s, when it has a hundred joules
};

PinRun SwingInAbsoluteCoordinates(const Trial& trial, double h, double until,
                                  const char* curvature) {
  const Scene scene = trial.LoadScene(
      "absolute_pendulum",
      {{"simulation.step", fmt::format("{:.17g}", h)}, {"simulation.curvature", curvature}});
  Simulator simulator = MakeSimulator(scene);
  PinRun out;
  const long steps = std::lround(until / h);
  for (long k = 0; k < steps; ++k) {
    if (k % 64 == 0) trial.Tick();
    // A run that blows up may end in a step that fails: that is what it shows.
    if (simulator.Step() != StepStatus::kOk) {
      out.blow_up = simulator.state().t;
      break;
    }
    const VecX& q = simulator.state().q;
    const Vec3 pin = q.head<3>() - QuaternionToMatrix(q.segment<4>(3)).col(0);
    out.deviation.emplace_back(simulator.state().t, pin.norm());
    out.largest = std::max(out.largest, pin.norm());
    const double energy = simulator.CalcEnergy().Total();
    out.energy = std::max(out.energy, std::abs(energy));
    if (!(energy < 100)) {
      out.blow_up = simulator.state().t;
      break;
    }
  }
  return out;
}

}  // namespace

void Run000Figure4(Trial* trial) {
  std::map<std::string, PinRun> printed, plain;
  for (const char* h : {"0.1", "0.01", "0.001", "0.0001"}) {
    printed[h] = SwingInAbsoluteCoordinates(*trial, std::stod(h), 1, "printed");
    plain[h] = SwingInAbsoluteCoordinates(*trial, std::stod(h), 1, "none");
    trial->Set(std::string("printed_") + h, printed[h].largest);
    trial->Set(std::string("voigt_") + h, plain[h].largest);
  }
  trial->Set("order_printed", std::log10(printed["0.001"].largest / printed["0.0001"].largest));
  trial->Set("order_voigt", std::log10(plain["0.001"].largest / plain["0.0001"].largest));
  trial->Set("energy_printed_0.0001", printed["0.0001"].energy);
  trial->Set("energy_printed_0.1", printed["0.1"].energy);
  for (const char* h : {"0.1", "0.0001"}) {
    Curve dashed = MakeCurve("voigt", 0, plain[h].deviation);
    dashed.dashed = true;
    trial->Add({std::string("h = ") + h + " s",
                "t [s]",
                "deviation of the pin [m]",
                {MakeCurve("as printed", 1, printed[h].deviation), dashed}});
  }
  // A hundred seconds.
  const PinRun long_printed = SwingInAbsoluteCoordinates(*trial, 0.1, 100, "printed");
  const PinRun long_plain = SwingInAbsoluteCoordinates(*trial, 0.2, 100, "none");
  trial->Set("blow_up_printed", long_printed.blow_up);
  trial->Set("long_deviation", long_plain.largest);
  trial->Show(trial->LoadScene("absolute_pendulum"), "Pendulum held by a spring of 1e15 N/m");
}

}  // namespace voigt::reproduce
