// [Sherman]: the states of friction and what leads from one to another, as the recorded sequence of
// a block that a spring drags.

#include <cmath>

#include "reproduce/event_log.h"
#include "reproduce/experiment_list.h"

namespace voigt::reproduce {

void Run003StateDiagram(Trial* trial) {
  const Scene scene = trial->LoadScene("dragged_block");
  Curve place = MakeCurve("block", 0, {Vec2(0, 0)}), drive = MakeCurve("end of the spring", 1);
  Curve state_curve = MakeCurve("0: stick, 1: slip", 2);
  const double v = 0.1;
  const EventLog log = RunByEvents(
      *trial, scene, [&](const State& state) { place.points.emplace_back(state.t, state.q[0]); });
  drive.points = {Vec2(0, 0), Vec2(scene.settings.until, v * scene.settings.until)};
  double level = 0;
  int disorder = 0;  // events that do not lead from the present state
  state_curve.points.emplace_back(0, level);
  for (const Event& event : log.events) {
    const bool is_slip = event.kind == EventKind::kSlip;
    const bool is_stick = event.kind == EventKind::kStick;
    if (!(is_slip && level == 0) && !(is_stick && level == 1)) ++disorder;
    state_curve.points.emplace_back(event.t, level);
    level = is_slip ? 1 : 0;
    state_curve.points.emplace_back(event.t, level);
  }
  state_curve.points.emplace_back(scene.settings.until, level);
  trial->Set("events", static_cast<double>(log.events.size()));
  trial->Set("disorder", disorder);
  for (size_t k = 0; k < 4; ++k) {
    trial->Set(fmt::format("event_{}", k + 1), k < log.events.size() ? log.events[k].t : kNaN);
  }
  trial->Add({"State over time", "t [s]", "state", {state_curve}});
  trial->Add({"Block dragged by a spring", "t [s]", "x [m]", {place, drive}});
  trial->Show(scene, "Block dragged by a spring");

  // From sliding straight into sliding back: the turn of a pendulum in a bearing.
  const EventLog swing =
      RunByEvents(*trial, trial->LoadScene("pin_friction", {{"simulation.until", "5"}}));
  const bool turns = !swing.events.empty() && swing.events[0].kind == EventKind::kTurn;
  trial->Set("reversal", turns ? swing.events[0].t : kNaN);
}

}  // namespace voigt::reproduce
