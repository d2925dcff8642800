// How long steps of the integrator may be, and what happens where motion that is prescribed has a
// kink.

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
    q_dot = q;
    v_dot = v;
    motion.prescribed().SetMotion(at, &q, &v);
    for (int k = 0; k < model.nv(); ++k) {
      const double off = std::fabs(v[k] - v_dot[k]) / (std::fabs(v[k]) + kSmall);
      worst = std::max(worst, off / kFollowed);
    }
    for (int k = 0; k < model.nq(); ++k) {
      const double off = std::fabs(q[k] - q_dot[k]) / (std::fabs(q[k]) + kSmall);
      worst = std::max(worst, off / kFollowed);
    }
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

}  // namespace voigt
