// [Sherman]: friction in a pin joint from its radial reaction. A pendulum that swings until it
// sticks.

#include <cmath>

#include "reproduce/event_log.h"
#include "reproduce/experiment_list.h"

namespace voigt::reproduce {

void Run003PinJoint(Trial* trial) {
  const Scene scene = trial->LoadScene("pin_friction", {{"simulation.step", "0.01"}});
  Curve angle = MakeCurve("theta", 0, {Vec2(0, scene.initial.q[0])});
  const EventLog log = RunByEvents(
      *trial, scene, [&](const State& state) { angle.points.emplace_back(state.t, state.q[0]); });
  const State second = AdvanceTo(scene, 1);
  trial->Set("theta_1", second.q[0]);
  trial->Set("rate_1", second.v[0]);
  const auto turn = [&](size_t k) {
    return k < log.events.size() ? AdvanceTo(scene, log.events[k].t).q[0] : kNaN;
  };
  trial->Set("turn_1", turn(0));
  trial->Set("turn_2", turn(1));
  trial->Set("turn_3", turn(2));
  trial->Set("half_swings", static_cast<double>(log.events.size()));
  trial->Set("stick_time", log.events.empty() ? kNaN : log.events.back().t);
  trial->Set("stick_angle", log.end.q[0]);
  trial->Set("stick_rate", log.end.v[0]);
  trial->Add({"Pendulum in a dry bearing", "t [s]", "theta [rad]", {angle}});
  trial->Show(trial->LoadScene("pin_friction"), "Pendulum in a dry bearing");
}

}  // namespace voigt::reproduce
