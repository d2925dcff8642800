// [Sherman]: friction of a point on a line from its two reactions. A bead on an inclined wire,
// which slides up and down again.

#include <cmath>

#include "reproduce/event_log.h"
#include "reproduce/experiment_list.h"

namespace voigt::reproduce {

void Run003PointOnLine(Trial* trial) {
  const Scene scene = trial->LoadScene("bead_on_wire");
  const Vec3 uphill(-std::sqrt(0.75), 0, 0.5);
  Curve path = MakeCurve("uphill", 0, {Vec2(0, 0)});
  const EventLog log = RunByEvents(*trial, scene, [&](const State& state) {
    path.points.emplace_back(state.t, uphill.dot(state.q.head<3>()));
  });
  trial->Set("s_1", path.points.back()[1]);
  const double turned = log.events.empty() ? kNaN : log.events[0].t;
  trial->Set("turn_time", turned);
  // Rates are even on both sides of the turn.
  trial->Set("deceleration", 2 / turned);
  trial->Set("acceleration", -uphill.dot(log.end.v.head<3>()) / (1 - turned));
  trial->Set("off_line", (log.end.q.head<3>() - uphill * path.points.back()[1]).norm());
  trial->Add({"Bead on a wire", "t [s]", "way uphill [m]", {path}});
  trial->Show(scene, "Bead on a wire");
}

}  // namespace voigt::reproduce
