// What holds do from an event on, and the impulses that takes.

#include "voigt/events/event_integrator_parts.h"

namespace voigt {

EventStatus EventIntegrator::Implementation::FailedStatus() {
  if (HasUnclearRates()) return EventStatus::kToleranceNotReached;
  if (!motion.by_working()) return EventStatus::kNoForces;
  trouble = motion.trouble();
  return motion.working_status() == WorkingStatus::kInconsistent ? EventStatus::kContradiction
                                                                 : EventStatus::kFrictionLocks;
}

// Where friction leaves no accelerations, an impulse stops the sliding.
EventStatus EventIntegrator::Implementation::DecideModes() {
  constexpr int kMostLocks = 10;
  for (int k = 0; k <= kMostLocks; ++k) {
    if (DecideWithLockup()) return EventStatus::kOk;
    const double before = CalcKineticEnergy();
    if (k == kMostLocks || !motion.Lock(&v)) break;
    y.back() += CalcKineticEnergy() - before;
    const auto slides = [](const Hold& hold) { return !hold.sticks() && !hold.direction.isZero(); };
    const auto first = std::find_if(holds.begin(), holds.end(), slides);
    Report(EventKind::kLock, t, first == holds.end() ? 0 : first->id);
  }
  return FailedStatus();
}

bool EventIntegrator::Implementation::DecideAt() {
  rests.clear();
  modes.SetUnstoppable(unstoppable);
  return modes.Decide(t, q, v, &motion, &holds, &rests);
}

// Contacts that yield and stick from here on, and still slip.
void EventIntegrator::Implementation::ListMoving(std::vector<std::uint64_t>* out) {
  out->clear();
  motion.finder()->Update(t, q, v, TouchFinder::kLook);
  for (const Hold& hold : holds) {
    const Touch* const touch =
        hold.is_soft && hold.sticks() ? motion.finder()->Find(hold.id) : nullptr;
    if (touch != nullptr && touch->slip.norm() > HeldMotion::kNoSlip) out->push_back(hold.id);
  }
}

// The lockup of contacts that yield: an impulse takes what slip is left of those that are to stick.
// It is taken only if they do stick afterwards: it changes speeds, and with them the forces of
// dampers. Those that do not, or that nothing can stop, creep.
bool EventIntegrator::Implementation::DecideWithLockup() {
  unstoppable.clear();
  VecX v_start = v;
  std::vector<std::uint64_t> moving;
  while (true) {
    v = v_start;
    if (!DecideAt()) return false;
    ListMoving(&moving);
    if (moving.empty()) return true;
    const double before = CalcKineticEnergy();
    if (motion.StopSlip(t, q, holds, &v) && DecideAt()) {
      std::erase_if(moving, [&](std::uint64_t id) {
        const Hold* const hold = FindHold(holds, id);
        return hold != nullptr && hold->sticks();
      });
      if (moving.empty()) {
        y.back() += CalcKineticEnergy() - before;
        v_start = v;
        continue;  // others may stick now, too
      }
    }
    unstoppable.insert(unstoppable.end(), moving.begin(), moving.end());
  }
}

}  // namespace voigt
