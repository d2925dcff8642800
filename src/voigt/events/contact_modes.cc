#include "voigt/events/contact_modes.h"

#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

// Bounces faster than this are never summed, m/s.
constexpr double kFastBounce = 1e-3;
// Friction within this of its cone, relative, slides.
constexpr double kAtCone = HeldMotion::kAtLimit;
// Parting faster than this part of what a contact's force is worth is no rounding.
constexpr double kParts = 1e-9;
constexpr int kSlipPasses = 200;

}  // namespace

ContactModes::ContactModes(const FormulationSettings& settings, double reach, double least_hop)
    : reach_(reach), least_hop_(least_hop) {
  if (settings.kind == FormulationKind::kWorking) return;
  FormulationSettings exact = settings;
  exact.AcceptOnlyTheAim();
  formulation_ = MakeFormulation(exact);
}

// One that yields is closed while its law pushes. By its speed it slips; slower, it is to be seen
// whether it sticks or creeps.
void ContactModes::AddSoft(const Touch& touch, double creep_speed, std::vector<Hold>* holds) {
  if (!touch.presses()) return;
  Hold& hold = holds->emplace_back();
  hold.id = touch.id;
  hold.is_soft = true;
  if (!touch.has_friction()) return;
  const double slip = touch.slip.norm();
  const bool is_stoppable =
      std::find(unstoppable_.begin(), unstoppable_.end(), touch.id) == unstoppable_.end();
  if (slip < creep_speed) hold.state = is_stoppable ? Stiction::kStick : Stiction::kCreep;
  if (slip > kNoRate) hold.direction = touch.slip / slip;
}

// Friction of so many rows, at that speed.
bool ContactModes::MayBegin(double slip, int row_count) const {
  const bool is_slow = slip > kNoRate && slip <= HeldMotion::kSlowSlip;
  return is_slow && row_count > 1 && formulation_ == nullptr;
}

void ContactModes::ListClosed(const TouchFinder& finder, double creep_speed,
                              std::vector<Hold>* holds) {
  holds->clear();
  bounces_.clear();
  for (const Touch& touch : finder.touches()) {
    if (touch.is_soft()) {
      AddSoft(touch, creep_speed, holds);
      continue;
    }
    if (touch.phi > reach_ || touch.phi_dot > kFastBounce) continue;
    if (touch.phi_dot > kNoRate) {
      if (touch.restitution == 0) continue;
      bounces_.push_back({touch.id, touch.phi_dot, touch.restitution});
    }
    Hold& hold = holds->emplace_back();
    hold.id = touch.id;
    const double slip = touch.slip.norm();
    if (touch.has_friction() && slip <= kNoRate) hold.state = Stiction::kStick;
    if (touch.tangent >= 0 && slip > kNoRate) hold.direction = touch.slip / slip;
    hold.begins = MayBegin(slip, touch.has_friction() ? 2 : 0);
  }
}

void ContactModes::ListGuides(const TouchFinder& finder, std::vector<Hold>* holds) {
  for (const Guide& guide : finder.guides()) {
    if (guide.normal_touch != 0 && FindHold(*holds, guide.normal_touch) == nullptr) continue;
    Hold& hold = holds->emplace_back();
    hold.id = guide.id;
    hold.is_guide = true;
    const double rate = guide.rate.norm();
    if (rate <= kNoRate) {
      hold.state = Stiction::kStick;
    } else {
      hold.direction = guide.rate / rate;
    }
    hold.begins = MayBegin(rate, guide.rows.row_count);
  }
}

// A bounce of speed u under the acceleration a = w λ_n rises u²/(2 a); it and all that follow it
// take 2 u/(a (1 − e)). Where no forces are found that close all of them they go on.
void ContactModes::DropLargeBounces(double t, const VecX& q, const VecX& v, HeldMotion* motion,
                                    std::vector<Hold>* holds, std::vector<Event>* rests) {
  if (bounces_.empty()) return;
  // Of a copy, with friction against all slip: where what is slow goes is not decided yet.
  std::vector<Hold> closed = *holds;
  for (Hold& hold : closed) hold.begins = false;
  const bool is_found = motion->CalcAcceleration(t, q, v, &closed, &v_dot_, motion->by_working());
  for (const Bounce& bounce : bounces_) {
    const Hold* const hold = FindHold(closed, bounce.id);
    const double a = is_found ? hold->w * hold->force : 0;
    if (bounce.restitution < 1 && bounce.speed * bounce.speed < 2 * a * least_hop_) {
      const double left = 2 * bounce.speed / (a * (1 - bounce.restitution));
      rests->push_back({EventKind::kRest, t + left, bounce.id});
    } else {
      holds->erase(holds->begin() + (FindHold(*holds, bounce.id) - holds->data()));
    }
  }
}

// After an acceleration: whether friction that was to hold is more than the cone has. Where it is
// just that, the contact slides from now on.
bool ContactModes::HasSlip(const TouchFinder& finder, const std::vector<Hold>& holds) const {
  bool is_beyond = false;
  for (const Hold& hold : holds) {
    if (!hold.sticks()) continue;
    const Touch* const touch = finder.Find(hold.id);
    if (touch == nullptr) continue;
    is_beyond |= hold.friction.norm() > touch->mu * hold.force * (1 - kAtCone);
  }
  return is_beyond;
}

// The rows of the holds at the level of accelerations: u = G v̇ + Ġ v.
void ContactModes::SetRows(const std::vector<Hold>& holds, TouchFinder* finder) {
  VelocityProblem* const problem = finder->mutable_problem();
  for (RowGroup& group : problem->groups) {
    if (group.law == Law::kBilateral) continue;
    const Touch* const touch = finder->Find(group.id);
    const Hold* const hold = FindHold(holds, group.id);
    if (touch == nullptr || hold == nullptr) {
      group.col_count = 0;
    } else if (!hold->sticks()) {
      group.mu = 0;  // its friction is known by its direction, and comes in with the free motion
    }
  }
  for (Row& row : problem->rows) row.phi = 0;
}

void ContactModes::TakeSlip(const TouchFinder& finder, std::vector<Hold>* holds) {
  for (Hold& hold : *holds) {
    if (!hold.sticks()) continue;
    const Touch* const touch = finder.Find(hold.id);
    if (touch == nullptr) continue;
    const double x = solution_.gamma[touch->tangent], y = solution_.gamma[touch->tangent + 1];
    const double size = std::hypot(x, y), radius = touch->mu * solution_.gamma[touch->normal];
    hold.shares = true;
    if (size < radius * (1 - kAtCone) || size == 0) continue;
    hold.state = Stiction::kSlip;
    hold.shares = false;
    hold.direction = -(x * touch->t1 + y * touch->t2) / size;
  }
}

// Friction of contacts at rest by the formulation's law, on accelerations. That of contacts that
// slide is a force along their slip and depends on normal forces: repeated until those settle.
bool ContactModes::DecideSlip(double t, const VecX& q, const VecX& v, HeldMotion* motion,
                              std::vector<Hold>* holds) {
  TouchFinder* const finder = motion->finder();
  const VecX free = motion->free_acceleration(), curvature = motion->curvature();
  SetRows(*holds, finder);
  VelocityProblem* const problem = finder->mutable_problem();
  problem->M = &motion->configuration().M();
  problem->factor = &motion->configuration().factor();
  for (int i = 0; i < problem->row_count(); ++i) problem->rows[i].phi_t = curvature[i];
  for (const RowGroup& group : problem->groups) {
    if (group.col_count > 0) continue;
    for (int r = 0; r < group.row_count; ++r) problem->rows[group.first_row + r].phi_t = 0;
  }
  normal_.setZero(problem->row_count());
  guess_.setZero(problem->row_count());
  for (int pass = 0; pass < kSlipPasses; ++pass) {
    VecX sliding = VecX::Zero(problem->row_count());
    for (const Hold& hold : *holds) {
      const Touch* const touch = finder->Find(hold.id);
      if (hold.sticks() || touch == nullptr || touch->tangent < 0) continue;
      const double radius = touch->mu * normal_[touch->normal];
      sliding[touch->tangent] = -radius * hold.direction.dot(touch->t1);
      sliding[touch->tangent + 1] = -radius * hold.direction.dot(touch->t2);
    }
    problem->v_star = free;
    problem->CalcVelocity(sliding, &v_dot_);
    problem->v_star = v_dot_;
    formulation_->Solve(*problem, guess_, &solution_);
    if (solution_.status == SolveStatus::kFailed) return false;
    guess_ = solution_.gamma;
    const double change = (solution_.gamma - normal_).lpNorm<Eigen::Infinity>();
    normal_ = solution_.gamma;
    if (change <= 1e-13 * normal_.lpNorm<Eigen::Infinity>()) break;
  }
  TakeSlip(*finder, holds);
  return motion->CalcAcceleration(t, q, v, holds, &v_dot_);
}

// One that friction does not hold: against its slip, or where that is slow against the slip that
// impends, which the hold knows already.
void ContactModes::LetCreep(const HeldMotion& motion, const Touch& touch, Hold* hold) const {
  hold->state = Stiction::kCreep;
  const double slip = touch.slip.norm();
  const bool is_slow = slip <= motion.CalcLeastSlip(*hold);
  if (!is_slow) hold->direction = touch.slip / slip;
  hold->begins = is_slow && touch.slip.dot(hold->direction) >= -kNoRate;
}

// By `working`: what sticks, and which of what slides slowly is on its way to slide on. Of the
// latter those that could stop have friction against their slip as all others do, and the rest is
// decided again.
bool ContactModes::DecideBegin(double t, const VecX& q, const VecX& v, HeldMotion* motion,
                               std::vector<Hold>* holds) {
  std::vector<Hold> before;
  bool again = true;
  while (again) {
    before = *holds;
    if (!motion->CalcAcceleration(t, q, v, holds, &v_dot_, true)) return false;
    again = false;
    for (size_t k = 0; k < holds->size(); ++k) {
      if (!before[k].begins || (*holds)[k].begins) continue;
      before[k].begins = false;
      again = true;
    }
    if (again) *holds = before;
  }
  return true;
}

// After `working` has decided what sticks: contacts that yield and do not creep from here on. What
// their friction against slip leaves of that of others is decided again. Nothing that creeps sticks
// again, so that this ends.
bool ContactModes::DecideCreep(double t, const VecX& q, const VecX& v, HeldMotion* motion,
                               std::vector<Hold>* holds) {
  std::vector<Hold> before;
  bool again = true;
  while (again) {
    before = *holds;
    if (!DecideBegin(t, q, v, motion, holds)) return false;
    again = false;
    for (size_t k = 0; k < holds->size(); ++k) {
      Hold& hold = (*holds)[k];
      const Touch* const touch = hold.is_soft ? motion->finder()->Find(hold.id) : nullptr;
      if (touch == nullptr || !before[k].sticks() || hold.sticks()) continue;
      LetCreep(*motion, *touch, &hold);
      again = true;
    }
  }
  motion->CalcStickExcess(holds);
  for (Hold& hold : *holds) hold.watches_excess = hold.creeps() && hold.excess > 0;
  return true;
}

bool ContactModes::Decide(double t, const VecX& q, const VecX& v, HeldMotion* motion,
                          std::vector<Hold>* holds, std::vector<Event>* rests) {
  motion->finder()->Update(t, q, v, TouchFinder::kLook);
  ListClosed(*motion->finder(), motion->creep_speed(), holds);
  ListGuides(*motion->finder(), holds);
  DropLargeBounces(t, q, v, motion, holds, rests);
  const bool is_soft =
      std::any_of(holds->begin(), holds->end(), [](const Hold& hold) { return hold.is_soft; });
  const bool is_decided = is_soft ? DecideCreep(t, q, v, motion, holds)
                          : motion->by_working()
                              ? DecideBegin(t, q, v, motion, holds)
                              : motion->CalcAcceleration(t, q, v, holds, &v_dot_);
  if (!is_decided) return false;
  if (!motion->by_working() && HasSlip(*motion->finder(), *holds) &&
      !DecideSlip(t, q, v, motion, holds)) {
    return false;
  }
  const auto parts = [&](const Hold& hold) {
    return hold.force == 0 && hold.part_speed > kParts * v_dot_.lpNorm<Eigen::Infinity>();
  };
  std::erase_if(*holds, parts);
  DropOpenGuides(*motion->finder(), holds);
  return true;
}

void ContactModes::DropOpenGuides(const TouchFinder& finder, std::vector<Hold>* holds) {
  std::erase_if(*holds, [&](const Hold& hold) {
    const Guide* const guide = hold.is_guide ? finder.FindGuide(hold.id) : nullptr;
    return guide != nullptr && guide->normal_touch != 0 &&
           FindHold(*holds, guide->normal_touch) == nullptr;
  });
}

}  // namespace voigt
