// [Sherman]: the states of friction and what leads from one to another, as the recorded sequence of
// a block that a spring drags over a floor that yields, and over a guide.

#include <cmath>
#include <map>

#include "reproduce/event_log.h"
#include "reproduce/experiment_list.h"

namespace voigt::reproduce {
namespace {

// The arrows of the diagram: breakaway, slip, lockup from creep, slowdown to stick or to creep.
bool IsInDiagram(Stiction from, Stiction to) {
  switch (from) {
    case Stiction::kStick:
      return to == Stiction::kCreep;
    case Stiction::kCreep:
      return to == Stiction::kSlip || to == Stiction::kStick;
    case Stiction::kSlip:
      return to == Stiction::kStick || to == Stiction::kCreep;
    case Stiction::kOpen:
      break;
  }
  return false;
}

double LevelOf(Stiction state) {
  return state == Stiction::kStick ? 0 : state == Stiction::kCreep ? 1 : 2;
}

// Those of one contact point; what the others do differently is counted.
std::vector<Transition> TakeFirstElement(const std::vector<Transition>& all, int* apart) {
  std::map<std::uint64_t, std::vector<Transition>> by_id;
  for (const Transition& change : all) by_id[change.id].push_back(change);
  *apart = 0;
  const std::vector<Transition>& first = by_id.begin()->second;
  for (const auto& [id, changes] : by_id) {
    bool is_same = changes.size() == first.size();
    for (size_t k = 0; is_same && k < first.size(); ++k) {
      is_same = changes[k].to == first[k].to && std::fabs(changes[k].t - first[k].t) < 1e-6;
    }
    *apart += !is_same;
  }
  return first;
}

void RunSoftFloor(Trial* trial) {
  const Scene scene = trial->LoadScene("creeping_block");
  Curve place = MakeCurve("block", 0, {Vec2(0, 0)}), drive = MakeCurve("end of the spring", 1);
  Curve state_curve = MakeCurve("0: stick, 1: creep, 2: slip", 2);
  const EventLog log = RunByEvents(
      *trial, scene, [&](const State& state) { place.points.emplace_back(state.t, state.q[0]); });
  drive.points = {Vec2(0, 0), Vec2(scene.settings.until, 0.1 * scene.settings.until)};
  int apart = 0, disorder = 0;
  const std::vector<Transition> changes = TakeFirstElement(log.transitions, &apart);
  double level = 0;
  size_t count = 0;
  for (const Transition& change : changes) {
    state_curve.points.emplace_back(change.t, level);
    level = LevelOf(change.to);
    state_curve.points.emplace_back(change.t, level);
    if (change.from == Stiction::kOpen && change.t == 0) continue;  // how it begins
    disorder += !IsInDiagram(change.from, change.to);
    if (++count <= 6) trial->Set(fmt::format("change_{}", count), change.t);
  }
  state_curve.points.emplace_back(scene.settings.until, level);
  trial->Set("changes", static_cast<double>(count));
  trial->Set("disorder", disorder);
  trial->Set("apart", apart);
  trial->Add({"State over time", "t [s]", "state", {state_curve}});
  trial->Add({"Block dragged over a soft floor", "t [s]", "x [m]", {place, drive}});
  trial->Show(scene, "Block dragged over a soft floor");
}

}  // namespace

void Run003StateDiagram(Trial* trial) {
  RunSoftFloor(trial);

  // The same on a guide, whose friction is that of its reaction: it knows no creep.
  const EventLog log = RunByEvents(*trial, trial->LoadScene("dragged_block"));
  trial->Set("events", static_cast<double>(log.events.size()));
  for (size_t k = 0; k < 4; ++k) {
    trial->Set(fmt::format("event_{}", k + 1), k < log.events.size() ? log.events[k].t : kNaN);
  }

  // From sliding straight into sliding back: the turn of a pendulum in a bearing.
  const EventLog swing =
      RunByEvents(*trial, trial->LoadScene("pin_friction", {{"simulation.until", "5"}}));
  const bool turns = !swing.events.empty() && swing.events[0].kind == EventKind::kTurn;
  trial->Set("reversal", turns ? swing.events[0].t : kNaN);
}

}  // namespace voigt::reproduce
