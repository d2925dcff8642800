// The end of sticking by other than the least forces. No force tells of it: as long as some way of
// sharing a load is within all limits they hold, and the decision is what finds whether there is
// one.

#include "voigt/events/event_integrator_parts.h"

namespace voigt {

// By `working`: others let what shares go one by one, and where a step ends.
bool EventIntegrator::Implementation::HasShared() const {
  return motion.by_working() &&
         std::any_of(holds.begin(), holds.end(), [](const Hold& hold) { return hold.shares; });
}

// What becomes of all that shares after a part of the step from y_before.
EventIntegrator::Implementation::Sharing EventIntegrator::Implementation::DecideSharing(
    double part) {
  method.do_step(std::ref(*this), y_before, t_before, y_part, part);
  if (!has_forces) return Sharing::kUnknown;
  TakeAt(y_part, t_before + part);
  trial_rests.clear();
  if (!modes.Decide(driving.CalcStart(t_before + part), q, v, &motion, &trial_holds,
                    &trial_rests)) {
    return Sharing::kUnknown;
  }
  const bool holds_all = std::all_of(holds.begin(), holds.end(), [&](const Hold& hold) {
    const Hold* const now = hold.shares ? FindHold(trial_holds, hold.id) : nullptr;
    return !hold.shares || (now != nullptr && now->sticks());
  });
  return holds_all ? Sharing::kHolds : Sharing::kEnds;
}

// Just beyond the end next to nothing moves, and where to may not be found: a little later it is.
double EventIntegrator::Implementation::FindClearEnd(double end, double part) {
  for (const double later : {0.0, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6}) {  // s
    const double at = std::min(end + later, part);
    if (DecideSharing(at) == Sharing::kEnds) return at;
  }
  return end;
}

// The first moment after which that is not so, of the part of the step that is looked at, or none.
// The step is left at y_part.
std::optional<double> EventIntegrator::Implementation::FindSharedEnd(double part) {
  if (!HasShared()) return std::nullopt;
  double low = 0;
  for (int k = 1; k <= kEventSamples; ++k) {
    double high = part * k / kEventSamples;
    if (DecideSharing(high) == Sharing::kHolds) {
      low = high;
      continue;
    }
    const double width = 1e-13 * std::max(1.0, std::fabs(t_before));
    while (high - low > width) {
      const double middle = 0.5 * (low + high);
      (DecideSharing(middle) == Sharing::kHolds ? low : high) = middle;
    }
    high = FindClearEnd(high, part);
    method.do_step(std::ref(*this), y_before, t_before, y_part, high);
    return high;
  }
  return std::nullopt;
}

}  // namespace voigt
