// [Drumwright 2019, figure 6]: a pendulum against a stop of 1e12 N m/rad at four steps.

#include <cmath>

#include "reproduce/experiment_list.h"

namespace voigt::reproduce {
namespace {

struct StopRun {
  std::vector<Vec2> angle;  // over time
  double end = 0;           // rad, after 1 s
  double restitution = 0;
};

StopRun RunStop(const Trial& trial, double h, const char* K) {
  Scene scene = trial.LoadScene("joint_limit", {{"parameters.K", K}});
  scene.settings.audit = AuditKind::kOff;  // up to 1e8 steps
  Simulator simulator = MakeSimulator(scene);
  StopRun out;
  double fastest = 0, drawn = -1;
  trial.Step(&simulator, h, 1, [&] {
    const State& state = simulator.state();
    fastest = std::min(fastest, state.v[0]);
    // The first step that ends beyond the stop, on the way out.
    if (out.restitution == 0 && state.v[0] > 0 && state.q[0] > 0) {
      out.restitution = -state.v[0] / fastest;
    }
    if (state.t < drawn + 1e-3) return;
    drawn = state.t;
    out.angle.emplace_back(state.t, state.q[0]);
  });
  out.end = simulator.state().q[0];
  return out;
}

}  // namespace

void Run000Figure6(Trial* trial) {
  Chart chart{"Pendulum with a stop at 0, k = 1e12 N m/rad", "t [s]", "theta [rad]", {}};
  int color = 0;
  std::map<std::string, double> ends;
  for (const char* h : {"1e-5", "1e-6", "1e-7", "1e-8"}) {
    const std::string theta = std::string("theta_") + h;
    if (!trial->Wants(theta)) continue;
    const StopRun run = RunStop(*trial, std::stod(h), "1e12");
    trial->Set(theta, run.end);
    trial->Set(std::string("restitution_") + h, run.restitution);
    chart.curves.push_back(MakeCurve(std::string("h = ") + h + " s", color++, run.angle));
  }
  trial->Add(chart);

  // With 1e6 N m/rad, ordinary steps resolve the contact, and the order shows.
  const double exact = trial->Constants("soft_exact")[0];
  double last = 0;
  for (const char* h : {"1e-4", "1e-5", "1e-6"}) {
    const std::string error = std::string("soft_") + h;
    if (!trial->Wants(error)) continue;
    const double now = exact - RunStop(*trial, std::stod(h), "1e6").end;
    trial->Set(error, now);
    if (std::string(h) == "1e-6") trial->Set("soft_order", std::log10(last / now));
    last = now;
  }
  trial->Show(trial->LoadScene("joint_limit"), "Pendulum against its stop, h = 1e-5 s");
}

}  // namespace voigt::reproduce
