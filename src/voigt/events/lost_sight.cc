// Contacts that slide off an edge: their shapes no longer have them from there on, but others.

#include "voigt/events/event_integrator_parts.h"

namespace voigt {

// Of the last stage: whether all contacts are there that were when the step began.
bool EventIntegrator::Implementation::IsAllInSight() const {
  return std::all_of(stage_holds.begin(), stage_holds.end(), [&](const Hold& hold) {
    return hold.is_guide || !hold.is_in_sight || motion.finder().Find(hold.id) != nullptr;
  });
}

// Before a step. Corners that lie on an edge may be there and not there by rounding: these are
// looked at where steps end.
void EventIntegrator::Implementation::WatchSight() {
  constexpr int kMostBlinks = 8;
  constexpr double kMoment = 1e-9;  // s
  if (t_before - blinked_at > kMoment) blinks = 0;
  watches_sight = blinks < kMostBlinks;
}

// Where the event after a part of the step is that one is lost: stages that looked beyond the edge
// have missed its force, so that the step has to end a little before. Then again, until what they
// miss is nothing: the part of the step that it is, left at y_part; or none.
std::optional<double> EventIntegrator::Implementation::StopShort(double part) {
  constexpr double kNothing = 1e-9;  // s
  if (!watches_sight || keeps_sight) return std::nullopt;
  if (part > kNothing) {
    for (const double before : {1e-3, 1e-2, 0.1, 0.5}) {
      if (CalcAt((1 - before) * part) > 0 && keeps_sight) return (1 - before) * part;
    }
    CalcAt(part);
  }
  ++blinks;
  blinked_at = t_before + part;
  return std::nullopt;
}

}  // namespace voigt
