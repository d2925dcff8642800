// [Sherman]: friction beside motion that is prescribed. A bead on a rod that turns at a given rate,
// and the torque that this takes.

#include "reproduce/event_log.h"
#include "reproduce/experiment_list.h"

namespace voigt::reproduce {

void Run003TurningRod(Trial* trial) {
  const Scene scene = trial->LoadScene("bead_on_turning_rod");
  Curve way = MakeCurve("r", 0, {Vec2(0, scene.initial.q[1])});
  const EventLog log = RunByEvents(
      *trial, scene, [&](const State& state) { way.points.emplace_back(state.t, state.q[1]); });
  trial->Set("angle_1", log.end.q[0]);
  trial->Set("r_1", log.end.q[1]);
  trial->Set("rate_1", log.end.v[1]);
  trial->Set("torque_1", log.prescribed_force[0]);
  trial->Set("force_on_bead", log.prescribed_force[1]);
  // With weight, which presses the bead on the rod, too.
  const Scene heavy = trial->LoadScene("bead_on_turning_rod",
                                       {{"gravity", "[0, 0, -9.81]"}, {"parameters.v", "1.5"}});
  const EventLog under_weight = RunByEvents(*trial, heavy);
  trial->Set("heavy_r_1", under_weight.end.q[1]);
  trial->Set("heavy_rate_1", under_weight.end.v[1]);
  trial->Add({"Bead on a turning rod", "t [s]", "distance from the axis [m]", {way}});
  trial->Show(scene, "Bead on a turning rod");
}

}  // namespace voigt::reproduce
