#include "voigt/events/event_integrator.h"

#include <limits>
#include <utility>

#include "voigt/events/event_integrator_parts.h"
#include "voigt/math/tree_product.h"

namespace voigt {
void EventIntegrator::Implementation::Load(const State& state) {
  std::copy_n(state.q.data(), model.nq(), y.begin());
  std::copy_n(state.v.data(), model.nv(), y.begin() + model.nq());
  // From zero: what was before must not decide on steps, so that a saved state goes on bit for bit.
  y[model.nq() + model.nv()] = y[model.nq() + model.nv() + 1] = 0;
  work = contact_work = 0;
  t = state.t;
}

void EventIntegrator::Implementation::Take(const Vector& from) {
  q = Eigen::Map<const VecX>(from.data(), model.nq());
  v = Eigen::Map<const VecX>(from.data() + model.nq(), model.nv());
  NormalizePositions(model, &q);
}

// What is prescribed is known: whether an event has happened must not depend on what integration
// makes of it, or one that is taken back would follow again and again.
void EventIntegrator::Implementation::TakeAt(const Vector& from, double at) {
  Take(from);
  motion.prescribed().SetMotion(at, &q, &v);
}

void EventIntegrator::Implementation::Store(State* state) {
  Take(y);
  state->q = q;
  state->v = v;
  state->t = t;
  StoreModes(state);
  work = y[model.nq() + model.nv()];
  contact_work = y[model.nq() + model.nv() + 1];
}

bool EventIntegrator::Implementation::IsHeld(std::uint64_t id) const {
  return FindHold(holds, id) != nullptr;
}

void EventIntegrator::Implementation::Report(EventKind kind, double at, std::uint64_t id) {
  events.push_back({kind, at, id});
  totals.Add(events.back());
}

double EventIntegrator::Implementation::CalcKineticEnergy() {
  motion.UpdateConfiguration(q);
  MultiplyPacked(model.tree().pattern, motion.configuration().M(), v, &q_dot);
  return 0.5 * v.dot(q_dot);
}

// What closes at (q, v): one that no impulse stops, or the first, or null.
const Touch* EventIntegrator::Implementation::FindClosing() {
  look.Update(t, q, v, TouchFinder::kLook);
  const Touch* closing = nullptr;
  for (const Touch& touch : look.touches()) {
    if (touch.is_soft()) continue;
    if (touch.phi > settings.reach || touch.phi_dot >= -ContactModes::kNoRate) continue;
    if (touch.is_known) return &touch;
    if (closing == nullptr) closing = &touch;
  }
  return closing;
}

// All that closes at (q, v), together; again where contacts that were not part of it close by it.
EventStatus EventIntegrator::Implementation::ResolveImpacts(bool* has_impact) {
  constexpr int kMostImpacts = 100;
  *has_impact = false;
  for (int k = 0; k < kMostImpacts; ++k) {
    const Touch* const closing = FindClosing();
    if (closing == nullptr) return EventStatus::kOk;
    trouble = closing->id;
    if (closing->is_known) return EventStatus::kContradiction;
    const double before = CalcKineticEnergy();
    if (!ResolveImpact(closing->id)) return EventStatus::kImpactFailed;
    y.back() += CalcKineticEnergy() - before;
    *has_impact = true;
  }
  return EventStatus::kImpactFailed;
}

// `working` by the impulses of its own law, with the friction of joints; where it finds none, by
// those of maximum dissipation, without that friction.
bool EventIntegrator::Implementation::ResolveImpact(std::uint64_t id) {
  const bool is_struck = motion.Strike(t, q, settings.reach, &v);
  if (!is_struck) {
    totals.without_joint_friction += motion.by_working() && !look.guides().empty();
    motion.UpdateConfiguration(q);
    if (!impact.Resolve(motion.UpdateMass(), settings.reach, &look, &v)) return false;
  }
  Report(EventKind::kImpact, t, id);
  const int count = is_struck ? motion.struck_count() : impact.touch_count();
  totals.most_simultaneous = std::max<long>(totals.most_simultaneous, count);
  totals.limited += is_struck ? motion.was_limited() : impact.was_limited();
  if (!is_struck && listener) listener(impact);
  return true;
}

// Contacts that pressed up to here and no longer do, but for rounding: they are let go.
void EventIntegrator::Implementation::DropIdleHolds() {
  constexpr double kIdle = 1e-9;
  double largest = model.gravity().norm();
  for (const Hold& old : old_holds) {
    if (!old.is_guide) largest = std::max(largest, old.w * old.force);
  }
  std::erase_if(holds, [&](const Hold& hold) {
    if (hold.is_guide || hold.is_soft) return false;
    const Hold* const old = FindHold(old_holds, hold.id);
    return old != nullptr && old->force > 0 && hold.w * hold.force <= kIdle * largest;
  });
  ContactModes::DropOpenGuides(*motion.finder(), &holds);
}

void EventIntegrator::Implementation::CountChanges() {
  for (const Hold& old : old_holds) {
    const Hold* const now = FindHold(holds, old.id);
    if (old.is_soft) {
      CountSoftChange(&old, now);
    } else if (now == nullptr) {
      // Those that were lost on the way, as the edge of a shape is, are not released.
      if (old.force > 0 && motion.finder()->Find(old.id) != nullptr) {
        Report(EventKind::kRelease, t, old.id);
      }
    } else if (now->sticks() != old.sticks()) {
      Report(now->sticks() ? EventKind::kStick : EventKind::kSlip, t, old.id);
    } else if (!now->sticks() && now->direction.dot(old.direction) < 0) {
      Report(EventKind::kTurn, t, old.id);
    }
  }
  for (const Hold& hold : holds) {
    if (hold.is_soft && FindHold(old_holds, hold.id) == nullptr) CountSoftChange(nullptr, &hold);
  }
}

// The arrows of the state diagram [Sherman], and those that lead into and out of it.
void EventIntegrator::Implementation::CountSoftChange(const Hold* old, const Hold* now) {
  if (old == nullptr) {
    if (!is_start) Report(EventKind::kTouch, t, now->id);
    return;
  }
  if (now == nullptr) return Report(EventKind::kRelease, t, old->id);
  if (now->state == old->state) {
    const bool turns = now->creeps() && now->direction.dot(old->direction) < 0;
    if (turns) Report(EventKind::kTurn, t, old->id);
    return;
  }
  switch (now->state) {
    case Stiction::kStick:
      return Report(EventKind::kStick, t, now->id);
    case Stiction::kSlip:
      return Report(EventKind::kSlip, t, now->id);
    case Stiction::kCreep: {
      const bool stuck = old->state == Stiction::kStick;
      return Report(stuck ? EventKind::kBreakaway : EventKind::kSlowdown, t, now->id);
    }
    case Stiction::kOpen:
      break;
  }
}

// Bounces that are summed are over: what is left of their rates is taken away, which changes slips,
// and friction is judged by those.
EventStatus EventIntegrator::Implementation::DecideWithoutBounces() {
  if (!motion.Project(t, holds, &q, &v)) {
    return HasUnclearRates() ? EventStatus::kToleranceNotReached : EventStatus::kNoForces;
  }
  return DecideModes();
}

// Velocities after impacts, and what contacts do from here, decided anew.
EventStatus EventIntegrator::Implementation::Settle() {
  TakeAt(y, t);
  old_holds = holds;
  bool has_impact = false;
  if (const EventStatus status = ResolveImpacts(&has_impact); status != EventStatus::kOk) {
    return status;
  }
  if (const EventStatus status = DecideModes(); status != EventStatus::kOk) return status;
  if (!rests.empty()) {
    for (const Event& rest : rests) Report(rest.kind, rest.t, rest.id);
    if (const EventStatus status = DecideWithoutBounces(); status != EventStatus::kOk) {
      return status;
    }
  }
  if (!has_impact) {
    DropIdleHolds();
    CountChanges();
  }
  RecordModes();
  return Finish();
}

// Takes q and v to where constraints have them, and remembers them.
EventStatus EventIntegrator::Implementation::Finish() {
  if (!motion.Project(t, holds, &q, &v)) {
    return HasUnclearRates() ? EventStatus::kToleranceNotReached : EventStatus::kNoForces;
  }
  motion.finder()->Update(t, q, v, TouchFinder::kLook);
  if (motion.finder()->CalcContradiction(&trouble) > kContradicts) {
    return EventStatus::kContradiction;
  }
  for (Hold& hold : holds) {
    hold.slip = 0;
    if (hold.is_guide) {
      const Vec3 rate = motion.finder()->FindGuide(hold.id)->rate;
      hold.slip = hold.sticks() ? 0 : rate.norm();
      if (hold.begins) continue;
      if (hold.slip > ContactModes::kNoRate) hold.direction = rate / hold.slip;
      continue;
    }
    const Touch* const touch = motion.finder()->Find(hold.id);
    hold.is_in_sight = touch != nullptr;
    if (touch == nullptr || hold.sticks() || touch->tangent < 0) continue;
    hold.slip = touch->slip.norm();
    if (hold.begins || (hold.creeps() && hold.slip <= motion.CalcLeastSlip(hold))) continue;
    if (hold.slip > ContactModes::kNoRate) hold.direction = touch->slip / hold.slip;
  }
  std::copy_n(q.data(), model.nq(), y.begin());
  std::copy_n(v.data(), model.nv(), y.begin() + model.nq());
  return EventStatus::kOk;
}

// Whether contacts have come or gone without an event, as features of shapes that slide do, or have
// to be looked at anyway. After FindEvent.
bool EventIntegrator::Implementation::HasNewContacts() {
  for (const Hold& hold : holds) {
    if (hold.begins && hold.gain < 0) return true;
    if (hold.is_guide) continue;
    const Touch* const touch = look.Find(hold.id);
    if (hold.shares || touch == nullptr) return true;
    if (hold.creeps() && !hold.watches_excess) return true;
    if (hold.is_soft) continue;
    if (hold.force == 0 && touch->phi_dot > ContactModes::kNoRate) return true;
  }
  for (const Touch& touch : look.touches()) {
    if (touch.is_soft()) {
      if (touch.presses() && !IsHeld(touch.id)) return true;
      continue;
    }
    if (touch.phi <= settings.reach && std::fabs(touch.phi_dot) <= ContactModes::kNoRate &&
        !IsHeld(touch.id)) {
      return true;
    }
  }
  return false;
}

EventIntegrator::EventIntegrator(const Model& model, const FormulationSettings& formulation,
                                 bool with_audit, const Settings& settings)
    : own_(std::make_unique<Implementation>(model, formulation, with_audit, settings)) {}
EventIntegrator::EventIntegrator(EventIntegrator&&) noexcept = default;
EventIntegrator::~EventIntegrator() = default;

EventStatus EventIntegrator::AdvanceTo(double t_end, State* state,
                                       const std::function<bool()>& stop) {
  Implementation& own = *own_;
  const EventTotals totals_before = own.totals;
  own.Load(*state);
  own.motion.SetInputs(state->inputs, state->activation);
  own.inputs = state->inputs;
  own.activation = state->activation;
  own.is_at_end = own.is_present_known = false;
  own.events.clear();
  own.transitions.clear();
  own.at_once = 0;
  own.counts_from = own.t;
  own.blinked_at = -kInfinity;
  own.has_forces = true;
  own.stalled_at = -kInfinity;
  own.trouble = 0;
  own.holds.clear();
  own.RestoreModes(*state);
  own.motion.Forget();
  own.is_start = true;
  EventStatus status = own.Settle();
  own.is_start = false;
  double h_allowed = t_end - own.t;
  while (status == EventStatus::kOk && own.t < t_end) {
    if (stop && stop()) {
      own.totals = totals_before;
      own.work = own.contact_work = 0;
      own.events.clear();
      own.transitions.clear();
      return EventStatus::kStopped;
    }
    own.Store(state);
    status = own.Advance(t_end, &h_allowed);
  }
  own.totals.evaluations = own.motion.evaluations();
  const WorkingStats& working = own.motion.working_stats();
  own.totals.newton_iterations = working.iterations;
  own.totals.factorizations = working.factorizations;
  own.totals.fixed_point_iterations = working.fixed_points;
  own.totals.takeovers = working.takeovers;
  own.totals.sweep_starts = working.starts;
  own.totals.shared = working.shares;
  own.is_at_end = status == EventStatus::kOk;
  if (own.is_at_end) own.Store(state);
  if (status == EventStatus::kOk && own.motion.prescribed().any()) {
    own(own.y, own.y_dot_after, own.t);
    own.prescribed_force = own.motion.prescribed_force();
  }
  return status;
}

const HeldForces* EventIntegrator::CalcForces(const State& state) const {
  Implementation& own = *own_;
  if (!own.is_at_end) return nullptr;
  own.Take(own.y);
  if (state.t != own.t || state.q != own.q || state.v != own.v) return nullptr;
  if (own.present == nullptr) {
    own.present = std::make_unique<HeldForces>(own.model, own.motion.by_working());
  }
  if (!own.is_present_known) {
    own.present->Calc(own.t, own.q, own.v, own.holds, own.inputs, own.activation);
    own.is_present_known = true;
  }
  return own.present->is_found() ? own.present.get() : nullptr;
}

const std::vector<Event>& EventIntegrator::events() const { return own_->events; }
const std::vector<Transition>& EventIntegrator::transitions() const { return own_->transitions; }
void EventIntegrator::SetImpactListener(std::function<void(const Impact&)> listener) {
  own_->listener = std::move(listener);
}
std::uint64_t EventIntegrator::trouble() const { return own_->trouble; }
const EventTotals& EventIntegrator::totals() const { return own_->totals; }
double EventIntegrator::work() const { return own_->work; }
double EventIntegrator::contact_work() const { return own_->contact_work; }
const VecX& EventIntegrator::prescribed_force() const { return own_->prescribed_force; }
int EventIntegrator::pressing_count() const {
  return static_cast<int>(
      std::count_if(own_->holds.begin(), own_->holds.end(),
                    [](const Hold& hold) { return !hold.is_guide && hold.force > 0; }));
}
long EventIntegrator::inexact_contacts() const { return own_->look.inexact(); }

}  // namespace voigt
