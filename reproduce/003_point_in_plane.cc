// [Sherman]: a point in a plane that holds it from one side: it slides, then sticks.

#include <cmath>

#include "reproduce/event_log.h"
#include "reproduce/experiment_list.h"

namespace voigt::reproduce {

void Run003PointInPlane(Trial* trial) {
  const Scene scene = trial->LoadScene("puck_on_plane");
  Curve speed = MakeCurve("speed", 0, {Vec2(0, scene.initial.v.head<3>().norm())});
  const EventLog log = RunByEvents(*trial, scene, [&](const State& state) {
    speed.points.emplace_back(state.t, state.v.head<3>().norm());
  });
  const std::vector<double> stops = log.TimesOf(EventKind::kStick);
  trial->Set("stop_time", stops.size() == 1 ? stops[0] : kNaN);
  trial->Set("distance", log.end.q.head<3>().norm());
  trial->Set("direction", log.end.q[0] / log.end.q[1]);
  trial->Set("rest_speed", log.end.v.norm());
  trial->Set("height", log.end.q[2]);
  trial->Add({"Puck on a plane", "t [s]", "speed [m/s]", {speed}});
  trial->Show(scene, "Puck on a plane");
}

}  // namespace voigt::reproduce
