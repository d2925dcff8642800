// Friction of held motion: what it may be, along what, and from which forces.

#include <algorithm>
#include <cmath>

#include "voigt/events/held_motion.h"

namespace voigt {
namespace {

double CalcDrop(double mu_static, double mu_sliding) {
  return mu_static > mu_sliding ? mu_sliding / mu_static : 1;
}

}  // namespace

double HeldMotion::CalcLeastSlip(const Hold& hold) const {
  if (hold.creeps()) return kSlowCreep * creep_speed();
  return hold.slip > kSlowSlip ? kNoSlip : kSlowSlip;
}

// Of creep: from μ_s to μ over the creep speed, along the smoothest polynomial of degree five, so
// that neither of the ends is seen by the integrator. With a speed of its own to drop over,
// friction that creeps is the same function of slip as that which slides.
double HeldMotion::CalcSlidingFriction(const Hold& hold, const Touch& touch) const {
  if (!hold.creeps() || touch.drop_speed > 0) return touch.mu;
  const double x = std::min(touch.slip.norm() / creep_speed(), 1.0);
  const double step = x * x * x * (10 + x * (6 * x - 15));
  return touch.mu_static + (touch.mu - touch.mu_static) * step;
}

Vec3 HeldMotion::CalcDirection(const Hold& hold, const Vec3& slip) const {
  if (!hold.begins && slip.dot(hold.direction) > CalcLeastSlip(hold)) return slip.normalized();
  return hold.direction;
}

// A rigid one that is slow enough to begin might as well come to a stop: that is to be decided. A
// soft one has been found not to.
FrictionTask HeldMotion::CalcTask(const Hold& hold, bool decides) const {
  if (hold.sticks()) return decides ? FrictionTask::kDecides : FrictionTask::kHolds;
  if (!hold.begins) return FrictionTask::kSlides;
  return decides && !hold.is_soft ? FrictionTask::kDecides : FrictionTask::kBegins;
}

void HeldMotion::AddBlocks(const std::vector<Hold>& holds, bool decides) {
  problem_.friction.clear();
  block_hold_.clear();
  block_guide_.clear();
  const auto find_normal = [&](std::uint64_t id) {
    const Touch* const touch = finder_.Find(id);
    for (int j = 0; touch != nullptr && j < static_cast<int>(rows_.size()); ++j) {
      if (rows_[j].row == touch->normal) return j;
    }
    return -1;
  };
  for (int j = 0; j < static_cast<int>(rows_.size()); ++j) {
    const HeldRow& held = rows_[j];
    if (problem_.laws[j] != AccelerationLaw::kFriction) continue;
    if (!block_hold_.empty() && block_hold_.back() == held.hold) {
      ++problem_.friction.back().row_count;
      continue;
    }
    const Hold& hold = holds[held.hold];
    const Guide* const guide = hold.is_guide ? finder_.FindGuide(hold.id) : nullptr;
    FrictionBlock& block = problem_.friction.emplace_back();
    block_hold_.push_back(held.hold);
    block_guide_.push_back(guide);
    block.first_row = j;
    block.task = CalcTask(hold, decides);
    if (guide != nullptr) {
      block.mu = hold.sticks() ? guide->mu_static : guide->mu_sliding;
      if (hold.sticks()) block.drop = CalcDrop(guide->mu_static, guide->mu_sliding);
      block.direction = CalcDirection(hold, guide->rate);
      if (guide->normal_touch != 0) block.normal_row = find_normal(guide->normal_touch);
    } else {
      const Touch& touch = *finder_.Find(hold.id);
      const Vec3 d = CalcDirection(hold, touch.slip);
      block.mu = hold.sticks() ? touch.mu_static : CalcSlidingFriction(hold, touch);
      // What yields begins to creep with the friction of rest.
      if (hold.sticks() && !hold.is_soft) block.drop = CalcDrop(touch.mu_static, touch.mu);
      block.direction = {d.dot(touch.t1), d.dot(touch.t2), 0};
      if (touch.is_soft()) {
        block.n0[0] = std::max(touch.push, 0.0);
      } else {
        block.normal_row = find_normal(hold.id);
      }
    }
    if (block.task == FrictionTask::kDecides) block.mu *= 1 - kAtLimit;
  }
}

// A bearing bears moments by forces at its radius: where hinges repeat each other, that is how a
// moment counts beside forces. A bearing that is next to nothing is made as large as rounding asks.
void HeldMotion::SetUnits(const FrictionRows& bearing) {
  constexpr double kLeast = 1e-3;  // of the lever at which its rows are as hard to move
  double force_row = 0;            // the largest of A
  for (const bool is_moment : {false, true}) {
    for (const RowWrench& wrench : finder_.wrenches()) {
      if (wrench.force.isZero(0) != is_moment) continue;
      if (!IsOwnWrench(finder_.constraints(), bearing, wrench)) continue;
      for (int j = 0; j < problem_.rows(); ++j) {
        if (rows_[j].row != wrench.row || problem_.laws[j] != AccelerationLaw::kBilateral) continue;
        const double own = problem_.A(j, j);
        if (!is_moment) force_row = std::max(force_row, own);
        if (!is_moment || !(own > 0)) continue;
        problem_.unit[j] = std::max(bearing.law.radius, kLeast * std::sqrt(force_row / own));
      }
    }
  }
}

// n₀ and C of friction whose normal force is a reaction.
void HeldMotion::AddReactions() {
  const int count = static_cast<int>(rows_.size());
  bool any_in_tree = false;
  for (size_t k = 0; k < problem_.friction.size(); ++k) {
    FrictionBlock& block = problem_.friction[k];
    const bool is_of_row =
        block.normal_row >= 0 && (block_guide_[k] == nullptr || block_guide_[k]->is_of_row);
    block.C.setZero(is_of_row ? 0 : 3, is_of_row ? 0 : count);
    if (is_of_row) continue;
    if (block_guide_[k] == nullptr) continue;  // of a contact that yields: known
    const FrictionRows& source = block_guide_[k]->rows;
    any_in_tree |= source.body >= 0;
    if (source.loop >= 0 && source.law.radius > 0) SetUnits(source);
    for (int j = 0; j < count; ++j) {
      if (problem_.laws[j] == AccelerationLaw::kFriction) continue;
      block.C.col(j) =
          CalcOwnNormal(finder_.constraints(), source, rows_[j].row, finder_.wrenches());
    }
    for (int i = 0; i < block.row_count; ++i) {
      const int j = block.first_row + i;
      block.C.col(j) = source.own.col(i);
      // Friction is part of what a loop joint transmits: with a screw it has a share across.
      if (source.loop < 0) continue;
      block.C.col(j) +=
          CalcOwnNormal(finder_.constraints(), source, rows_[j].row, finder_.wrenches());
    }
  }
  const std::vector<Guide>& known = finder_.known_guides();
  known_n0_.assign(known.size(), Vec3::Zero());
  known_C_.assign(known.size(), MatX::Zero(3, count));
  if (!any_in_tree && known.empty()) return;
  const auto calc = [&](const FrictionRows& source) -> Vec3 {
    return source.P * reactions_.CalcTreeForce(source.body) +
           source.P_m * reactions_.CalcTreeMoment(source.body);
  };
  const auto take = [&](int j) {
    for (size_t k = 0; k < problem_.friction.size(); ++k) {
      FrictionBlock& block = problem_.friction[k];
      if (block_guide_[k] == nullptr || block_guide_[k]->rows.body < 0) continue;
      const Vec3 force = calc(block_guide_[k]->rows);
      if (j < 0) {
        block.n0 = force;
      } else {
        block.C.col(j) += force;  // beside what friction is of its own normal force
      }
    }
    for (size_t k = 0; k < known.size(); ++k) {
      if (known[k].rows.body < 0) continue;
      if (j < 0) {
        known_n0_[k] = calc(known[k].rows);
      } else {
        known_C_[k].col(j) = calc(known[k].rows);
      }
    }
  };
  reactions_.Start(model_, finder_.kin(), problem_.v_dot_free, external_);
  take(-1);
  for (int j = 0; j < count; ++j) {
    reactions_.AddRow(model_, finder_.kin(), problem_.response.col(j), rows_[j].row,
                      finder_.wrenches());
    take(j);
  }
}

}  // namespace voigt
