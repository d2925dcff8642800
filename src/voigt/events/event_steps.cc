// One step of the integrator: how long it may be, and what happens where it comes to nothing or to
// a kink of a function of time.

#include "voigt/events/event_integrator_parts.h"

namespace voigt {

// How long a step may be, beside the motion of slips that friction turns. It does so with the rate
// turning/slip, which is fast where a slip has only begun, and stages of a step that is much longer
// may all miss it: error control looks at the ends.
double EventIntegrator::Implementation::CalcTurningTime() const {
  constexpr double kTurnings = 3;  // more than it takes to stop
  double least = kInfinity;
  for (const Hold& hold : holds) {
    const bool turns = !hold.sticks() && !hold.begins && hold.turning > 0;
    if (!turns || hold.slip <= HeldMotion::kSlowSlip) continue;
    least = std::min(least, kTurnings * hold.slip / hold.turning);
  }
  return least;
}

// Whether the rates of a constraint that moves by itself were not found, and whose.
bool EventIntegrator::Implementation::HasUnclearRates() {
  const std::uint64_t unclear = motion.finder()->unclear();
  if (unclear != 0) trouble = unclear;
  return unclear != 0;
}

// How far motion that is prescribed is from what the step has made of it, over what that may be.
// Fehlberg's estimate of errors compares moments at the two ends of a step: it sees nothing of a
// function of time alone, however fast that goes to and fro in between. After FindEvent.
double EventIntegrator::Implementation::CalcMissedMotion(double at) {
  constexpr double kFollowed = 1e-12, kRowsFollowed = 1e-11, kSmall = 1e-2;
  double worst = 0;
  if (motion.prescribed().any()) {
    Take(y);
    worst = motion.prescribed().CalcMiss(at, q, v, kSmall) / kFollowed;
  }
  const TouchFinder& finder = *motion.finder();
  if (!finder.has_moving_rows()) return worst;
  for (int row : finder.bilateral_rows()) {
    const double rate = std::fabs(finder.phi_t(row));
    if (rate == 0 && finder.phi_tt(row) == 0) continue;
    worst = std::max(worst, std::fabs(finder.problem().rows[row].phi) / kRowsFollowed);
    worst = std::max(worst, std::fabs(finder.rates()[row]) / (rate + 0.1) / kRowsFollowed);
  }
  return worst;
}

void EventIntegrator::Implementation::NoteNormals() {
  const bool is_first = normals.size() != stage_holds.size();
  if (is_first) normals.assign(stage_holds.size(), {});
  for (size_t k = 0; k < stage_holds.size(); ++k) {
    const Hold& hold = stage_holds[k];
    if (hold.sticks()) continue;
    NormalChange& change = normals[k];
    if (is_first) change.start = hold.normal;
    const double grown = hold.normal.squaredNorm() - change.start.squaredNorm();
    change.moved = std::max(change.moved, (hold.normal - change.start).squaredNorm());
    change.grown = std::max(change.grown, std::fabs(grown));
  }
}

// How much the forces that friction comes from have changed in a step, over what they may. N = ‖n‖
// has a kink where n goes through zero, and a sharp bend where it passes near by; where n is a
// function of time alone error control sees neither. Steps are short beside the way to there, as
// steps to a branch point have to be. One that only turns may do so.
double EventIntegrator::Implementation::CalcNormalChange() const {
  constexpr double kSteady = 0.25;  // of N: 1e-10 of what the bend adds
  if (h <= driving.kShortestFollowed) return 0;
  double worst = 0;
  for (const NormalChange& change : normals) {
    const double moved = std::min(change.moved, change.grown);
    if (moved == 0) continue;
    worst = std::max(worst, std::sqrt(moved) / (kSteady * change.start.norm()));
  }
  return worst;
}

// How long the next step may be, then.
double EventIntegrator::Implementation::CalcSteadyStep(double change) const {
  return std::max(driving.kShortestFollowed, h * std::clamp(0.9 / change, 0.1, 9.0));
}

// Another piece of the motion that is prescribed begins. Where its rates jump, impulses make them
// do so, and others with them; a place that jumps is not reached.
EventStatus EventIntegrator::Implementation::TakeKink(double at) {
  constexpr double kNoJump = 1e-9;  // m/s or rad/s
  t = at;
  Take(y);
  TouchFinder* const finder = motion.finder();
  finder->Update(std::nextafter(t, kInfinity), q, v, TouchFinder::kLook);
  if (finder->CalcContradiction(&trouble, true) > kContradicts) {
    return EventStatus::kContradiction;
  }
  const double before = CalcKineticEnergy();
  const VecX v_before = v;
  motion.TakeKink(t, q, &v);
  const double driven = CalcKineticEnergy();
  y[model.nq() + model.nv()] += driven - before;
  const double jump = std::max((v - v_before).lpNorm<Eigen::Infinity>(),
                               motion.by_working() ? motion.CalcRowRates(t, q, v) : 0);
  if (jump > kNoJump && FindClosing() == nullptr && motion.Strike(t, q, settings.reach, &v)) {
    y.back() += CalcKineticEnergy() - driven;
  }
  std::copy_n(v.data(), model.nv(), y.begin() + model.nq());
  return Settle();
}

// Whether events at t are not more than can be in so little time.
bool EventIntegrator::Implementation::IsGettingOn() {
  constexpr double kMoment = 1e-5;  // s
  if (t - counts_from > kMoment) {
    counts_from = t;
    at_once = 0;
  }
  return ++at_once <= settings.most_at_once;
}

// The step that was tried has come to nothing: a shorter one is next, or, where that could hardly
// be told from none, what it takes to go on.
EventStatus EventIntegrator::Implementation::Shorten(double next, double left, double* h_allowed) {
  y = y_before;
  const bool is_short = next <= kShortestPiece || t + next <= t;
  *h_allowed = is_short ? left : next;
  if (is_short && HasUnclearRates()) return EventStatus::kToleranceNotReached;
  return is_short ? GoOnFromHere() : EventStatus::kOk;
}

void EventIntegrator::Implementation::TakeEndForces() {
  for (size_t k = 0; k < holds.size(); ++k) {
    holds[k].force = end_holds[k].force;
    holds[k].w = end_holds[k].w;
    holds[k].turning = end_holds[k].turning;
    if (!holds[k].begins) continue;
    holds[k].direction = end_holds[k].direction;
    holds[k].gain = end_holds[k].gain;
  }
}

// A part of the step, left at y_part, up to an event, or to a little before it where it is that a
// contact is lost. `t_end`: of the whole step, without rounding.
EventStatus EventIntegrator::Implementation::TakePart(double part, double t_end,
                                                      double* h_allowed) {
  const std::optional<double> short_part = StopShort(part);
  ++totals.pieces;
  y = y_part;
  if (short_part) {
    t = t_before + *short_part;
    *h_allowed = 2 * (part - *short_part);
    return Settle();
  }
  t = part == h ? t_end : t_before + part;
  return IsGettingOn() ? Settle() : EventStatus::kEventsWithoutEnd;
}

// One step of the integrator, up to its end or to the first event in it.
EventStatus EventIntegrator::Implementation::Advance(double t_last, double* h_allowed) {
  const double t_kink = driving.FindPieceEnd(t, std::min(t_last, t + *h_allowed));
  const bool has_kink = t_kink <= t_last;
  const double t_end = has_kink ? driving.CalcEnd(t_kink) : t_last;
  if (has_kink && t_end <= t) return TakeKink(t_kink);
  const double left = t_end - t;
  *h_allowed = std::min(*h_allowed, CalcTurningTime());
  const bool is_last = *h_allowed >= left;
  double proposal = is_last ? left : *h_allowed;
  y_before = y;
  t_before = t;
  h = proposal;
  WatchSight();
  double missed = driving.CalcMissed(t, h);
  if (missed > 1) {
    *h_allowed = FollowingStep(h, missed);
    return EventStatus::kOk;
  }
  has_forces = true;
  double t_after = t;
  lost_at.clear();
  normals.clear();
  watches_stages = true;
  const bool is_taken =
      controlled.try_step(std::ref(*this), y, t_after, proposal) == odeint::success;
  watches_stages = false;
  if (!is_taken || !has_forces || !IsFinite(y)) {
    return Shorten(has_forces && !is_taken ? proposal : 0.1 * h, left, h_allowed);
  }
  const double change = CalcNormalChange();
  if (change > 1) {
    y = y_before;
    *h_allowed = CalcSteadyStep(change);
    return EventStatus::kOk;
  }
  double low = 0, high = 0;
  bool is_early = false;
  const bool has_event = FindEvent(&low, &high, &is_early);
  if (!has_forces) return Shorten(0.1 * h, left, h_allowed);
  if (h > driving.kShortestFollowed) {
    missed = std::max(missed, CalcMissedMotion(t_before + h));
  }
  if (missed > 1 || (has_event && is_early)) {
    y = y_before;
    *h_allowed = missed > 1 ? FollowingStep(h, missed) : h / kEventSamples;
    return EventStatus::kOk;
  }
  proposal = std::min({proposal, FollowingStep(h, missed), CalcSteadyStep(change)});
  double part = has_event ? FindRoot(low, high) : h;
  const std::optional<double> shared_end = has_forces ? FindSharedEnd(part) : std::nullopt;
  if (!has_forces) return Shorten(0.1 * h, left, h_allowed);
  if (has_event || shared_end) {
    part = shared_end.value_or(part);
    if (!IsFinite(y_part)) return Shorten(0.1 * h, left, h_allowed);
    // Contacts that yield begin with a force that is hardly any, too smooth a look for long steps.
    constexpr double kFirstStep = 1e-8;  // s
    *h_allowed = grazing.empty() ? std::max(h, proposal) : std::max(kFirstStep, 1e-6 * left);
    return TakePart(part, is_last ? t_end : t_before + h, h_allowed);
  }
  ++totals.pieces;
  t = is_last ? t_end : t_after;
  *h_allowed = proposal;
  TakeEndForces();
  if (is_last && has_kink) return TakeKink(t_kink);
  if (HasNewContacts()) return Settle();
  Take(y);
  return Finish();
}

}  // namespace voigt
