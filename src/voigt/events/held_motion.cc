#include "voigt/events/held_motion.h"

#include <algorithm>
#include <cmath>

#include "voigt/constraints/curvature.h"
#include "voigt/steppers/along_motion.h"
#include "voigt/steppers/integrate.h"

namespace voigt {

HeldMotion::HeldMotion(const Model& model, bool by_working, const WorkingSettings& settings)
    : model_(model),
      by_working_(by_working),
      equations_(model),
      prescribed_(model),
      configuration_(model),
      finder_(model),
      moved_(model),
      reactions_(model),
      sharing_(model),
      working_(settings),
      sticking_(settings),
      newton_euler_(model) {
  problem_.v_dot_free.setZero(model.nv());
  prescribed_force_.setZero(model.nv());
  moved_.SetStill();
  if (!prescribed_.any()) return;
  finder_.SetPrescribed(prescribed_.flags());
  moved_.SetPrescribed(prescribed_.flags());
}

void HeldMotion::Forget() {
  working_.Forget();
  sticking_.Forget();
  lambda_.resize(0);
}

void HeldMotion::AddRow(int row, double factor, VecX* x) const {
  const VelocityProblem& problem = finder_.problem();
  const RowGroup& group = problem.groups[group_of_[row]];
  const double* const entries = problem.entries(group, row - group.first_row);
  const auto cols = problem.cols_of(group);
  for (int k = 0; k < group.col_count; ++k) (*x)[cols[k]] += factor * entries[k];
}

void HeldMotion::ListGroups() {
  const VelocityProblem& problem = finder_.problem();
  group_of_.resize(problem.row_count());
  for (int g = 0; g < static_cast<int>(problem.groups.size()); ++g) {
    const RowGroup& group = problem.groups[g];
    for (int r = 0; r < group.row_count; ++r) group_of_[group.first_row + r] = g;
  }
}

// Bilateral rows, then those of the holds that the finder has found.
void HeldMotion::ListRows(const std::vector<Hold>& holds, Tangents which) {
  ListGroups();
  rows_.clear();
  const auto moves = [&](int row) {
    return finder_.problem().groups[group_of_[row]].col_count > 0;
  };
  const auto add_tangents = [&](int hold, int first, int count) {
    const bool is_wanted = which == Tangents::kAll || holds[hold].sticks();
    if (which == Tangents::kNone || !is_wanted) return;
    for (int i = 0; i < count; ++i) rows_.push_back({first + i, hold, false});
  };
  for (int row : finder_.bilateral_rows()) {
    if (moves(row)) rows_.push_back({row, -1, false});
  }
  for (int k = 0; k < static_cast<int>(holds.size()); ++k) {
    if (holds[k].is_guide) {
      const Guide* const guide = finder_.FindGuide(holds[k].id);
      if (guide == nullptr || !moves(guide->rows.first_row)) continue;
      if (guide->normal_touch != 0 && FindHold(holds, guide->normal_touch) == nullptr) continue;
      add_tangents(k, guide->rows.first_row, guide->rows.row_count);
      continue;
    }
    const Touch* const touch = finder_.Find(holds[k].id);
    if (touch == nullptr || !moves(touch->normal)) continue;
    if (!touch->is_soft()) rows_.push_back({touch->normal, k, true});
    if (touch->has_friction()) add_tangents(k, touch->tangent, 2);
  }
}

// The rates of held rows a step away along v; NaN of contacts that are not found there, as those
// near an edge of a shape may be.
void HeldMotion::TakeRates(double t, const VecX& q, const VecX& v, double step, VecX* out) {
  q_ = q;
  IntegratePositions(model_, v, step, &q_);
  moved_.Update(t, q_, v, 8 * std::fabs(step), &ids_);
  out->resize(static_cast<int>(rows_.size()));
  for (int j = 0; j < out->size(); ++j) {
    int row = rows_[j].row;
    (*out)[j] = kNaN;
    const std::uint64_t id = finder_.problem().groups[group_of_[row]].id;
    if (const Touch* const here = rows_[j].hold >= 0 ? finder_.Find(id) : nullptr) {
      // By name: other contacts may be found beside it.
      const Touch* const there = moved_.Find(id);
      if (there == nullptr || (there->tangent < 0) != (here->tangent < 0)) continue;
      row = there->normal + (row - here->normal);
    }
    (*out)[j] = moved_.rates()[row];
  }
}

void HeldMotion::CalcCurvature(double t, const VecX& q, const VecX& v) {
  curvature_.setZero(finder_.problem().row_count());
  TakeKnownCurvature(finder_.constraints(), {model_, finder_.kin(), q, v, t, 1}, finder_.problem(),
                     &curvature_scratch_, &known_curvature_);
  const auto is_known = [&](const HeldRow& held) {
    return !std::isnan(known_curvature_[held.row]);
  };
  const bool all_known = std::all_of(rows_.begin(), rows_.end(), is_known);
  const auto moments = MomentsAlong(v);
  const int count = moments[0].weight == 0 || all_known ? 0 : static_cast<int>(rows_.size());
  for (size_t k = 0; k < moments.size() && count > 0; ++k) {
    TakeRates(t, q, v, moments[k].step, &rates_along_[k]);
  }
  for (int j = 0; j < count; ++j) {
    std::array<double, 4> rates;
    for (size_t k = 0; k < rates.size(); ++k) rates[k] = rates_along_[k][j];
    const double here = finder_.rates()[rows_[j].row] - finder_.phi_t(rows_[j].row);
    curvature_[rows_[j].row] = DifferentiateAlong(moments, rates, here);
  }
  for (const HeldRow& held : rows_) {
    if (is_known(held)) curvature_[held.row] = known_curvature_[held.row];
    curvature_[held.row] += finder_.phi_tt(held.row);
  }
}

void HeldMotion::AddContactForce(int row, double size) {
  row_force_[row] += size;
  AddRow(row, size, &contact_force_);
  for (const RowWrench& wrench : finder_.wrenches()) {
    if (wrench.row != row) continue;
    Vec6 F;
    F << size * wrench.torque, size * wrench.force;
    const auto at = [&](int b) { return ShiftForce(F, wrench.p - finder_.kin().X_WL[b].p); };
    external_[wrench.body_B] += at(wrench.body_B);
    external_[wrench.body_A] -= at(wrench.body_A);
  }
}

// Those that follow from q and v: viscous friction, and normal forces of contacts that yield.
void HeldMotion::AddContactForces(const std::vector<Hold>& holds, const VecX& v) {
  for (const Hold& hold : holds) {
    const Touch* const touch = hold.is_guide ? nullptr : finder_.Find(hold.id);
    if (touch == nullptr) continue;
    if (touch->is_soft() && touch->presses()) AddContactForce(touch->normal, touch->push);
    if (touch->tangent < 0 || touch->viscous == 0 || hold.sticks()) continue;
    for (int k = 0; k < 2; ++k) {
      const int row = touch->tangent + k;
      AddContactForce(row, -touch->viscous * finder_.rates()[row]);
    }
  }
  if (contact_force_.isZero(0)) return;
  friction_power_ += contact_force_.dot(v);
  force_ = contact_force_;
  mass_.Solve(force_);
  problem_.v_dot_free += force_;
}

// G and b of the rows that are held, and A.
void HeldMotion::SetRows() {
  const int count = static_cast<int>(rows_.size());
  problem_.laws.assign(count, AccelerationLaw::kBilateral);
  problem_.G.setZero(count, model_.nv());
  problem_.b.resize(count);
  problem_.unit.setOnes(count);
  for (int j = 0; j < count; ++j) {
    const HeldRow& held = rows_[j];
    if (held.hold >= 0) {
      problem_.laws[j] = held.is_normal ? AccelerationLaw::kOneSided : AccelerationLaw::kFriction;
    }
    const RowGroup& group = finder_.problem().groups[group_of_[held.row]];
    const double* const entries = finder_.problem().entries(group, held.row - group.first_row);
    const auto cols = finder_.problem().cols_of(group);
    for (int k = 0; k < group.col_count; ++k) problem_.G(j, cols[k]) = entries[k];
    problem_.b[j] = held.row < curvature_.size() ? curvature_[held.row] : 0;
  }
  problem_.Eliminate([this](Eigen::Ref<VecX> x) { mass_.Solve(x); });
}

bool HeldMotion::SolveForces() {
  if (!by_working_) return boxed_.Solve(problem_, model_.gravity().norm(), &lambda_);
  const WorkingResult result = working_.Solve(problem_, &lambda_);
  working_status_ = result.status;
  pivot_ = result.pivot;
  pivot_row_ = result.pivot_row;
  trouble_ = result.row < 0 ? 0 : IdOfRow(result.row);
  if (has_shares_) lambda_ += (share_ * lambda_ + share0_).eval();
  return working_status_ == WorkingStatus::kSolved;
}

bool HeldMotion::CalcAcceleration(double t, const VecX& q, const VecX& v, std::vector<Hold>* holds,
                                  VecX* v_dot, bool decides) {
  ++evaluations_;
  friction_power_ = 0;
  v_dot->resize(model_.nv());
  equations_.CalcAcceleration(t, q, v, prescribed_, v_dot);
  power_ = equations_.power();
  ids_.clear();
  for (const Hold& hold : *holds) ids_.push_back(hold.id);
  std::sort(ids_.begin(), ids_.end());
  finder_.Update(t, q, v, TouchFinder::kLook, &ids_);
  row_force_.setZero(finder_.problem().row_count());
  contact_force_.setZero(model_.nv());
  ListRows(*holds, Tangents::kAll);
  bool has_forces = !rows_.empty();
  for (Hold& hold : *holds) {
    hold.force = hold.part_speed = hold.w = 0;
    hold.friction.setZero();
    hold.limit = kInfinity;
    const Touch* const touch = hold.is_soft ? finder_.Find(hold.id) : nullptr;
    if (touch != nullptr) hold.force = std::max(touch->push, 0.0);
    has_forces |= hold.is_soft;
  }
  if (!has_forces && !prescribed_.any()) return v_dot->allFinite();
  if (!configuration_.Update(model_, q)) {
    v_dot->setConstant(kNaN);
    return false;
  }
  UpdateMass();
  problem_.v_dot_free = *v_dot;
  external_ = equations_.external_forces();
  AddContactForces(*holds, v);
  CalcCurvature(t, q, v);
  SetRows();
  AddBlocks(*holds, decides);
  AddReactions();
  ShareWithTree();
  if (!problem_.v_dot_free.allFinite() || (!rows_.empty() && !SolveForces())) {
    v_dot->setConstant(kNaN);
    return false;
  }
  *v_dot = problem_.v_dot_free;
  if (!rows_.empty()) v_dot->noalias() += problem_.response * lambda_;
  TakeForces(*v_dot, holds, decides);
  TakePrescribedForces(v, *v_dot);
  return v_dot->allFinite();
}

void HeldMotion::TakeForces(const VecX& v_dot, std::vector<Hold>* holds, bool decides) {
  // Rows that move bring in what their forces do against φ_t.
  for (int j = 0; j < static_cast<int>(rows_.size()); ++j) {
    power_ -= lambda_[j] * finder_.phi_t(rows_[j].row);
    row_force_[rows_[j].row] += lambda_[j];
  }
  for (int j = 0; j < static_cast<int>(rows_.size()); ++j) {
    if (!rows_[j].is_normal) continue;
    Hold& hold = (*holds)[rows_[j].hold];
    hold.force = lambda_[j];
    hold.part_speed = problem_.G.row(j).dot(v_dot) + problem_.b[j];
    hold.w = problem_.A(j, j);
  }
  for (int b = 0; b < static_cast<int>(problem_.friction.size()); ++b) {
    TakeFriction(v_dot, b, decides, &(*holds)[block_hold_[b]]);
  }
}

Vec3 HeldMotion::TakeBlock(const FrictionBlock& block) const {
  Vec3 out = Vec3::Zero();
  out.head(block.row_count) = lambda_.segment(block.first_row, block.row_count);
  return out;
}

// What a unit of force across the direction d of slip moves there, 1/kg.
double HeldMotion::CalcAcross(const FrictionBlock& block, const Vec3& d) const {
  double out = 0;
  for (int i = 0; i < block.row_count; ++i) {
    for (int j = 0; j < block.row_count; ++j) {
      const double part = (i == j ? 1.0 : 0.0) - d[i] * d[j];
      out += part * problem_.A(block.first_row + i, block.first_row + j);
    }
  }
  return block.row_count > 1 ? std::max(out, 0.0) : 0;
}

void HeldMotion::TakeFriction(const VecX& v_dot, int b, bool decides, Hold* hold) {
  const FrictionBlock& block = problem_.friction[b];
  const Guide* const guide = block_guide_[b];
  const Touch* const touch = guide == nullptr ? finder_.Find(hold->id) : nullptr;
  const auto to_hold = [&](const Vec3& x) {
    return touch == nullptr ? x : Vec3(x[0] * touch->t1 + x[1] * touch->t2);
  };
  const bool begins = block.task == FrictionTask::kBegins;
  const Vec3 d = begins ? working_.direction(b) : block.direction;
  const Vec3 force = TakeBlock(block);
  hold->gain = hold->turning = 0;
  for (int i = 0; i < block.row_count; ++i) {
    const int j = block.first_row + i;
    if (!block.is_sliding()) break;
    friction_power_ += lambda_[j] * finder_.rates()[rows_[j].row];
    hold->gain += d[i] * (problem_.G.row(j).dot(v_dot) + problem_.b[j]);
    if (block.normal_row >= 0 && touch != nullptr) {
      hold->w -= block.mu * d[i] * problem_.A(block.normal_row, j);
    }
  }
  if (block.is_sliding()) hold->turning = force.norm() * CalcAcross(block, d);
  if (guide != nullptr) hold->force = working_.normal_force(b);
  hold->normal.setZero();
  if (guide != nullptr && block.C.size() > 0) {
    hold->normal.noalias() = block.n0 + block.C * lambda_;
  }
  if (begins) hold->direction = to_hold(d);
  if (block.is_sliding()) return;
  if (hold->sticks()) {
    hold->friction = to_hold(force);
    hold->limit = (guide == nullptr ? touch->mu_static : guide->mu_static) * hold->force;
    if (decides) hold->shares = working_.shares(b);
  }
  const bool is_free = block.normal_row < 0 || lambda_[block.normal_row] > 0;
  if (decides && is_free) TakeDecision(b, to_hold(working_.direction(b)), hold);
}

// What was to be decided: of friction that stuck, and of what slides so slowly that it may stop.
void HeldMotion::TakeDecision(int b, const Vec3& direction, Hold* hold) {
  const bool begins = !working_.sticks(b);
  if (!hold->sticks()) {
    hold->begins = begins && direction.dot(hold->direction) > 0;
    if (hold->begins) hold->direction = direction;
    return;
  }
  if (!begins) return;
  hold->state = hold->is_soft ? Stiction::kCreep : Stiction::kSlip;
  hold->direction = direction;
  hold->begins = !hold->is_soft && problem_.friction[b].row_count > 1;
}

bool HeldMotion::Lock(VecX* v, std::uint64_t* stopped) {
  constexpr double kPivots = 4;  // the impulse of a single contact needs one
  if (!by_working_ || working_status_ == WorkingStatus::kInconsistent) return false;
  right_.noalias() = problem_.G * *v;
  for (size_t j = 0; j < rows_.size(); ++j) {
    right_[static_cast<int>(j)] += finder_.phi_t(rows_[j].row);
  }
  const double excess = kAtLimit + (is_nearly_singular() ? kPivots * pivot_ : 0);
  for (FrictionBlock& block : problem_.friction) block.mu *= 1 + excess;
  if (!working_.SolveLock(problem_, right_, &lambda_)) return false;
  v->noalias() += problem_.response * lambda_;
  double most = 0;
  for (int b = 0; b < static_cast<int>(problem_.friction.size()); ++b) {
    const FrictionBlock& block = problem_.friction[b];
    const double impulse = TakeBlock(block).norm();
    if (!block.is_sliding() || !working_.sticks(b) || impulse <= most) continue;
    most = impulse;
    *stopped = IdOfRow(block.first_row);
  }
  return v->allFinite();
}

}  // namespace voigt
