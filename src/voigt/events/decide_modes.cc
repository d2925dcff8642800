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

bool EventIntegrator::Implementation::HasSliding() const {
  return std::any_of(holds.begin(), holds.end(),
                     [](const Hold& hold) { return !hold.sticks() && !hold.direction.isZero(); });
}

// Where friction leaves no accelerations, an impulse stops the sliding.
EventStatus EventIntegrator::Implementation::DecideModes() {
  constexpr int kMostLocks = 10;
  for (int k = 0; k <= kMostLocks; ++k) {
    if (DecideWithLockup()) return EventStatus::kOk;
    const double before = CalcKineticEnergy();
    std::uint64_t stopped = 0;
    if (k == kMostLocks || !motion.Lock(&v, &stopped)) break;
    y.back() += CalcKineticEnergy() - before;
    Report(EventKind::kLock, t, stopped);
  }
  return FailedStatus();
}

bool EventIntegrator::Implementation::DecideAt() {
  rests.clear();
  modes.SetUnstoppable(unstoppable);
  return modes.Decide(driving.CalcStart(t), q, v, &motion, &holds, &rests);
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

// Steps have become too short to go on with, for want of accelerations or for their errors. What
// holds do may have to change. Otherwise friction is about to leave none: what slides comes to
// where its force, growing without bound, has no end but at a stop.
EventStatus EventIntegrator::Implementation::GoOnFromHere() {
  constexpr double kNear = 1e-10;   // of the time
  constexpr int kMostStalls = 100;  // next to each other
  const bool is_near = t - stalled_at <= kNear * std::max(1.0, std::fabs(t));
  stalls = is_near ? stalls + 1 : 0;
  stalled_at = t;
  const EventStatus failed = has_forces ? EventStatus::kToleranceNotReached : FailedStatus();
  if (!motion.by_working() || stalls > kMostStalls) return failed;
  if (has_forces) return LockHere(failed);
  const std::uint64_t where = trouble;
  const std::vector<Hold> before = holds;
  if (const EventStatus status = Settle(); status != EventStatus::kOk) return status;
  const auto is_same = [](const Hold& a, const Hold& b) {
    return a.id == b.id && a.state == b.state && a.begins == b.begins;
  };
  const bool has_changed =
      !std::equal(before.begin(), before.end(), holds.begin(), holds.end(), is_same);
  trouble = where;
  return has_changed ? EventStatus::kOk : LockHere(failed);
}

// An impulse stops what slides, as where there are no accelerations, if they are about to end.
EventStatus EventIntegrator::Implementation::LockHere(EventStatus otherwise) {
  Take(y);
  stage_holds = holds;
  if (!motion.CalcAcceleration(driving.CalcStart(t), q, v, &stage_holds, &v_dot)) {
    return FailedStatus();
  }
  if (!motion.is_nearly_singular() || !HasSliding()) return otherwise;
  trouble = motion.nearly_singular();
  const double before = CalcKineticEnergy();
  std::uint64_t stopped = 0;
  if (!motion.Lock(&v, &stopped)) return EventStatus::kFrictionLocks;
  y.back() += CalcKineticEnergy() - before;
  std::copy_n(v.data(), model.nv(), y.begin() + model.nq());
  Report(EventKind::kLock, t, stopped);
  return Settle();
}

}  // namespace voigt
