// Whether contacts that creep could stick, and the impulse that stops them [Sherman, "Compliant
// contact with stiction constraints"].

#include <cmath>

#include "voigt/events/held_motion.h"

namespace voigt {
namespace {

// Accelerations this small beside those without friction are none.
constexpr double kHeldStill = 1e-6;
// What may be left of a slip that an impulse stops.
constexpr double kStopped = 1e-6;

}  // namespace

void HeldMotion::CalcStickExcess(std::vector<Hold>* holds) {
  bool creeps = false;
  for (Hold& hold : *holds) {
    if (!hold.creeps()) continue;
    hold.excess = kInfinity;
    creeps = true;
  }
  if (!creeps) return;
  std::vector<FrictionBlock> kept = problem_.friction;
  for (size_t b = 0; b < problem_.friction.size(); ++b) {
    FrictionBlock& block = problem_.friction[b];
    const Hold& hold = (*holds)[block_hold_[b]];
    if (hold.sticks() || hold.creeps()) block.task = FrictionTask::kHolds;
    if (!hold.creeps()) continue;
    block.mu = finder_.Find(hold.id)->mu_static;
  }
  const bool is_solved = sticking_.Solve(problem_, &stick_lambda_).status == WorkingStatus::kSolved;
  if (is_solved) target_ = problem_.a0 + problem_.A * stick_lambda_;
  const double scale = problem_.a0.lpNorm<Eigen::Infinity>();
  for (size_t b = 0; is_solved && b < problem_.friction.size(); ++b) {
    const FrictionBlock& block = problem_.friction[b];
    Hold& hold = (*holds)[block_hold_[b]];
    if (!hold.creeps()) continue;
    // The note's refinement: where the rows cannot be held at all, no force is small enough.
    const double moves = target_.segment(block.first_row, block.row_count).norm();
    if (moves > kHeldStill * scale) continue;
    const double size = stick_lambda_.segment(block.first_row, block.row_count).norm();
    hold.excess = size - (1 - 2 * kAtLimit) * block.mu * hold.force;
  }
  problem_.friction.swap(kept);
}

bool HeldMotion::StopSlip(double t, const VecX& q, const std::vector<Hold>& holds, VecX* v) {
  ids_.clear();
  for (const Hold& hold : holds) {
    if (hold.force > 0) ids_.push_back(hold.id);
  }
  std::sort(ids_.begin(), ids_.end());
  finder_.Update(t, q, *v, TouchFinder::kLook, &ids_);
  if (!configuration_.Update(model_, q)) return false;
  UpdateMass();
  ListRows(holds, Tangents::kSticking);
  DropIdle(holds);
  if (rows_.empty()) return true;
  right_.resize(static_cast<int>(rows_.size()));
  for (int j = 0; j < right_.size(); ++j) right_[j] = -finder_.rates()[rows_[j].row];
  const double before = right_.lpNorm<Eigen::Infinity>();
  SolveRows(&right_);
  q_ = *v + force_;
  target_.noalias() = problem_.G * q_;
  for (int j = 0; j < target_.size(); ++j) target_[j] += finder_.phi_t(rows_[j].row);
  const double left = target_.lpNorm<Eigen::Infinity>();
  if (!q_.allFinite() || left > kStopped * before + kNoSlip) return false;
  *v = q_;
  return true;
}

}  // namespace voigt
