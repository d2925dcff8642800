// Where in a step of the integrator the first event is.

#include <boost/math/tools/toms748_solve.hpp>

#include "voigt/events/event_integrator_parts.h"

namespace voigt {

// At (q, v): the least gap of what is not held. What lies at φ = 0 without closing is no event.
double EventIntegrator::Implementation::CalcGap() {
  look.Update(t_before, q, v, std::max(h, 1e-6));
  double least = kInfinity;
  only_grazes = true;
  for (const Touch& touch : look.touches()) {
    if (IsHeld(touch.id)) continue;
    if (touch.is_soft()) {
      const double opening = touch.soft.CalcOpening(touch.phi, touch.phi_dot);
      only_grazes &= opening >= 0 || std::binary_search(grazing.begin(), grazing.end(), touch.id);
      least = std::min(least, opening);
      continue;
    }
    if (touch.phi > -settings.reach && touch.phi_dot > -ContactModes::kNoRate) continue;
    only_grazes &= touch.phi >= 0;
    least = std::min(least, touch.phi);
  }
  return least;
}

// At (q, v), where a step begins: contacts that yield and are about to press, but for rounding.
// They close within any step, however short it is.
void EventIntegrator::Implementation::ListGrazing() {
  constexpr double kGrazes = 1e-12;  // m
  look.Update(t_before, q, v, std::max(h, 1e-6));
  grazing.clear();
  for (const Touch& touch : look.touches()) {
    if (!touch.is_soft() || IsHeld(touch.id)) continue;
    if (std::fabs(touch.phi) <= kGrazes && touch.phi_dot <= ContactModes::kNoRate) {
      grazing.push_back(touch.id);
    }
  }
}

// The least of what holds may lose, from the last stage: forces, slip, distance from the cone.
// `with_excess`: that of those that creep, too, which takes another solution.
double EventIntegrator::Implementation::CalcHolds(bool with_excess) {
  double least = kInfinity;
  const TouchFinder& finder = *motion.finder();
  const auto watches = [](const Hold& hold) { return hold.watches_excess; };
  if (with_excess && std::any_of(holds.begin(), holds.end(), watches)) {
    motion.CalcStickExcess(&stage_holds);
  }
  for (size_t k = 0; k < holds.size(); ++k) {
    const Hold& hold = stage_holds[k];
    const Guide* const guide = hold.is_guide ? finder.FindGuide(hold.id) : nullptr;
    if (guide != nullptr) {
      least = std::min({least, CalcFriction(k, guide->rate), CalcBegin(k, guide->rate)});
    }
    const Touch* const touch = hold.is_guide ? nullptr : finder.Find(hold.id);
    if (hold.is_soft) least = std::min(least, CalcSoft(k, touch));
    if (touch == nullptr && hold.is_in_sight && watches_sight) least = std::min(least, -1.0);
    if (touch == nullptr || hold.is_soft) continue;
    // Contacts that did not press at the start of the step are watched by their gaps.
    if (holds[k].force > 0) least = std::min(least, hold.w * hold.force - hold.part_speed);
    if (!touch->has_friction()) continue;
    least = std::min({least, CalcFriction(k, touch->slip), CalcBegin(k, touch->slip)});
  }
  return least;
}

// Of a contact that yields: how far it is from open, and the triggers of its state [Sherman].
double EventIntegrator::Implementation::CalcSoft(size_t k, const Touch* touch) const {
  if (touch == nullptr) return -1;  // it is out of sight, far open
  const Hold& hold = stage_holds[k];
  const double closing = -touch->soft.CalcOpening(touch->phi, touch->phi_dot);
  if (!touch->has_friction()) return closing;
  const double v_tol = motion.creep_speed();
  switch (hold.state) {
    case Stiction::kStick:
      return std::min(closing, CalcFriction(k, touch->slip));
    case Stiction::kSlip:
      // By the slip along its last direction, which sees reversals, too.
      return std::min(closing, touch->slip.dot(hold.direction) - v_tol);
    case Stiction::kCreep: {
      const double least = std::min(v_tol - touch->slip.norm(), CalcFriction(k, touch->slip));
      const double excess = hold.watches_excess ? hold.excess : kInfinity;
      return std::min({closing, least, excess, CalcBegin(k, touch->slip)});
    }
    case Stiction::kOpen:
      break;
  }
  return closing;
}

// How far one that begins to slide is from where its slip says where to: a little farther, so that
// what decides next finds it there.
double EventIntegrator::Implementation::CalcBegin(size_t k, const Vec3& slip) const {
  constexpr double kPart = 1.01;
  const Hold& hold = stage_holds[k];
  return hold.begins ? kPart * motion.CalcLeastSlip(hold) - slip.norm() : kInfinity;
}

// How far friction is from its limit, or slip from its end.
double EventIntegrator::Implementation::CalcFriction(size_t k, const Vec3& slip) const {
  const Hold& hold = stage_holds[k];
  // Short of the limit, so that what decides next finds it reached.
  constexpr double kPart = 1 - 0.5 * HeldMotion::kAtLimit;
  if (hold.sticks()) return hold.shares ? kInfinity : kPart * hold.limit - hold.friction.norm();
  if (hold.direction == Vec3::Zero()) return kInfinity;
  // Those that begin to slide have no slip so far.
  const double slack = hold.slip > ContactModes::kNoRate ? 0 : ContactModes::kNoRate;
  return slip.dot(hold.direction) + slack;
}

// What is negative once an event has happened, after a part of the step from y_before; y_part is
// there then. The bound is for the root finder.
double EventIntegrator::Implementation::CalcAt(double part) {
  keeps_sight = true;
  method.do_step(std::ref(*this), y_before, t_before, y_part, part);
  (*this)(y_part, y_dot_after, t_before + part);
  const double held = CalcHolds();
  TakeAt(y_part, t_before + part);
  return std::min({CalcGap(), held, 1.0});
}

// The same of gaps alone, on the cubic between the ends of the step.
double EventIntegrator::Implementation::CalcSample(double s) {
  const double a = s * s * (3 - 2 * s), b = h * s * (1 - s) * (1 - s), c = -h * s * s * (1 - s);
  for (size_t i = 0; i < y.size(); ++i) {
    y_part[i] = (1 - a) * y_before[i] + a * y[i] + b * y_dot_before[i] + c * y_dot_after[i];
  }
  Take(y_part);
  return CalcGap();
}

// What is at rest does not shorten the steps of the integrator, and may be lost and held again
// between their ends, as by a force that comes and goes. The stages of a step look there.
void EventIntegrator::Implementation::NoteStage(double at) {
  const bool is_between = at > t_before && at < t_before + h;
  if (is_between && has_forces && CalcHolds(false) < 0) lost_at.push_back(at);
}

// The part of the step after which that is so; infinity where stages, which are not exact, were
// mistaken.
double EventIntegrator::Implementation::FindLost() {
  std::sort(lost_at.begin(), lost_at.end());
  for (const double at : lost_at) {
    if (CalcAt(at - t_before) < 0) return at - t_before;
  }
  return kInfinity;
}

// The first interval of the step [0, h] in which something happens; `is_early` if that is the first
// of all, in which contacts that have just parted may meet again: the step is too long to tell.
bool EventIntegrator::Implementation::FindEvent(double* low, double* high, bool* is_early) {
  const double lost = FindLost();
  (*this)(y_before, y_dot_before, t_before);
  ListGrazing();
  (*this)(y, y_dot_after, t_before + h);
  const double held_end = CalcHolds();
  end_holds = stage_holds;
  *is_early = false;
  for (int k = 1; k <= kEventSamples; ++k) {
    const double s = static_cast<double>(k) / kEventSamples;
    double gap = 0;
    if (k == kEventSamples) {
      TakeAt(y, t_before + h);
      gap = CalcGap();
    } else {
      gap = CalcSample(s);
    }
    if (gap < 0 && k == 1 && h > kShortestPiece && !only_grazes) *is_early = true;
    const bool is_lost = s * h >= lost || (k == kEventSamples && held_end < 0);
    if (!(gap < 0) && !is_lost) continue;
    *low = is_lost ? 0 : (k - 1) * h / kEventSamples;
    *high = std::min(s * h, lost);
    return true;
  }
  return false;
}

// To rounding of the time, on the side where the event has happened. The step is left at y_part.
double EventIntegrator::Implementation::FindRoot(double low, double high) {
  double at_high = CalcAt(high);
  if (!(at_high < 0)) {
    // The cubic saw something that is not there; or it is later in the step.
    if (high >= h) return h;
    low = high;
    high = h;
    at_high = CalcAt(h);
    if (!(at_high < 0)) return h;
  }
  double at_low = low > 0 ? CalcAt(low) : 1.0;
  if (at_low < 0) {
    high = low;
    at_high = at_low;
    low = 0;
    at_low = 1;
  }
  if (at_low == 0) return low;
  const double width = 1e-16 * std::max(1.0, std::fabs(t_before));
  if (low == 0 && !grazing.empty()) {
    // What grazes lies at zero to rounding, where there is no root that a method of higher order
    // could find: it is closed at the first moment that differs.
    while (high - low > width) {
      const double middle = 0.5 * (low + high);
      (CalcAt(middle) < 0 ? high : low) = middle;
    }
    CalcAt(high);
    return high;
  }
  boost::uintmax_t most = 80;
  const auto near = [&](double a, double b) { return b - a <= width; };
  const auto bracket = boost::math::tools::toms748_solve([&](double part) { return CalcAt(part); },
                                                         low, high, at_low, at_high, near, most);
  CalcAt(bracket.second);
  return bracket.second;
}

}  // namespace voigt
