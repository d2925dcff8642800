// [Sherman]: a cart on two pads, each of which alone could not hold it.

#include <cmath>

#include "reproduce/event_log.h"
#include "reproduce/experiment_list.h"
#include "voigt/events/contact_modes.h"

namespace voigt::reproduce {
namespace {

// Friction of both pads, N, under a force F, where each carries 10 N.
Vec2 ShareOnPads(const Trial& trial, double mu1, double mu2, double F) {
  const auto text = [](double value) { return fmt::format("{:.17g}", value); };
  const Scene scene = trial.LoadScene("cart_on_pads", {{"parameters.mu1", text(mu1)},
                                                       {"parameters.mu2", text(mu2)},
                                                       {"parameters.start", text(F)},
                                                       {"parameters.growth", "0"}});
  HeldMotion motion(scene.model, true);
  ContactModes modes(scene.settings.formulation, 1e-9, 1e-12);
  motion.SetInputs(scene.initial.inputs, scene.initial.activation);
  std::vector<Hold> holds;
  std::vector<Event> rests;
  const bool decided = modes.Decide(0, scene.initial.q, scene.initial.v, &motion, &holds, &rests);
  if (!decided || holds.size() != 2 || !holds[0].sticks() || !holds[1].sticks()) {
    return {kNaN, kNaN};
  }
  return {-holds[0].friction[0], -holds[1].friction[0]};
}

}  // namespace

void Run003Cart(Trial* trial) {
  // Equal pads: mu N = 5 N each, F = 1.5 mu N.
  const Vec2 equal = ShareOnPads(*trial, 0.5, 0.5, 7.5);
  trial->Set("equal_1", equal[0] / 5);
  trial->Set("equal_2", equal[1] / 5);
  // Limits of 1 and 3 N under 3.5 N, where other ways to share fail.
  const Vec2 unequal = ShareOnPads(*trial, 0.1, 0.3, 3.5);
  trial->Set("unequal_1", unequal[0]);
  trial->Set("unequal_2", unequal[1]);

  // A force that grows by 20 N/s against limits of 8 and 2 N.
  const Scene scene = trial->LoadScene("cart_on_pads");
  Curve speed = MakeCurve("speed", 0, {Vec2(0, 0)});
  const EventLog log = RunByEvents(
      *trial, scene, [&](const State& state) { speed.points.emplace_back(state.t, state.v[0]); });
  const std::vector<double> slips = log.TimesOf(EventKind::kSlip);
  trial->Set("slip_1", slips.empty() ? kNaN : slips.front());
  trial->Set("slip_2", slips.size() < 2 ? kNaN : slips[1]);
  trial->Set("speed", log.end.v[0]);
  trial->Add({"Cart pulled by 20 t N", "t [s]", "speed [m/s]", {speed}});
  trial->Show(scene, "Cart on two pads");
}

}  // namespace voigt::reproduce
