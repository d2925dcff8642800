#include "voigt/events/held_motion.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "voigt/steppers/integrate.h"

namespace voigt {
namespace {

// Proximal steps of rows that repeat each other: relative to A, and how many. Rounding shares their
// forces unevenly by 1e-16/ε, so that ε must not be small.
constexpr double kHeldProximal = 1e-5;
constexpr int kHeldSteps = 40;
constexpr double kHeldTolerance = 1e-15, kHeldUseful = 1e-9;

// The same of projections, where only the sum of what rows do counts.
constexpr double kRowProximal = 1e-9;

}  // namespace

HeldMotion::HeldMotion(const Model& model)
    : model_(model), equations_(model), configuration_(model), finder_(model), moved_(model) {}

void HeldMotion::AddRow(int row, double factor, VecX* x) const {
  const VelocityProblem& problem = finder_.problem();
  const RowGroup& group = problem.groups[group_of_[row]];
  const double* const entries = problem.entries(group, row - group.first_row);
  const auto cols = problem.cols_of(group);
  for (int k = 0; k < group.col_count; ++k) (*x)[cols[k]] += factor * entries[k];
}

double HeldMotion::DotRow(int row, const VecX& x) const {
  const VelocityProblem& problem = finder_.problem();
  const RowGroup& group = problem.groups[group_of_[row]];
  const double* const entries = problem.entries(group, row - group.first_row);
  const auto cols = problem.cols_of(group);
  double sum = 0;
  for (int k = 0; k < group.col_count; ++k) sum += entries[k] * x[cols[k]];
  return sum;
}

// Bilateral rows, then those of the holds that the finder has found.
void HeldMotion::ListRows(const std::vector<Hold>& holds, bool with_tangents) {
  const VelocityProblem& problem = finder_.problem();
  group_of_.resize(problem.row_count());
  for (int g = 0; g < static_cast<int>(problem.groups.size()); ++g) {
    const RowGroup& group = problem.groups[g];
    for (int r = 0; r < group.row_count; ++r) group_of_[group.first_row + r] = g;
  }
  rows_.clear();
  for (int row : finder_.bilateral_rows()) {
    if (problem.groups[group_of_[row]].col_count > 0) rows_.push_back({row, -1, false});
  }
  for (int k = 0; k < static_cast<int>(holds.size()); ++k) {
    const Touch* const touch = finder_.Find(holds[k].id);
    if (touch == nullptr || problem.groups[group_of_[touch->normal]].col_count == 0) continue;
    rows_.push_back({touch->normal, k, true});
    if (!with_tangents || !holds[k].sticks || touch->tangent < 0) continue;
    rows_.push_back({touch->tangent, k, false});
    rows_.push_back({touch->tangent + 1, k, false});
  }
}

void HeldMotion::AddDifference(double t, const VecX& q, const VecX& v, double step, double weight) {
  q_ = q;
  IntegratePositions(model_, v, step, &q_);
  moved_.Update(t, q_, v, 8 * std::fabs(step), &ids_);
  for (const HeldRow& held : rows_) {
    int row = held.row;
    if (held.hold >= 0) {
      // By name: other contacts may be found beside it. One that is not has no curvature here.
      const int group = group_of_[held.row];
      const std::uint64_t id = finder_.problem().groups[group].id;
      const Touch *here = finder_.Find(id), *there = moved_.Find(id);
      if (there == nullptr || (there->tangent < 0) != (here->tangent < 0)) continue;
      row = there->normal + (held.row - here->normal);
    }
    curvature_[held.row] += weight * moved_.rates()[row];
  }
}

void HeldMotion::CalcCurvature(double t, const VecX& q, const VecX& v) {
  curvature_.setZero(finder_.problem().row_count());
  const double fastest = v.size() == 0 ? 0 : v.cwiseAbs().maxCoeff();
  if (rows_.empty() || !(fastest > 0)) return;
  // As in constraints/curvature.cc.
  const double e = 1e-3 / fastest;
  AddDifference(t, q, v, e, 8 / (12 * e));
  AddDifference(t, q, v, -e, -8 / (12 * e));
  AddDifference(t, q, v, 2 * e, -1 / (12 * e));
  AddDifference(t, q, v, -2 * e, 1 / (12 * e));
}

void HeldMotion::AddViscousFriction(const std::vector<Hold>& holds, const VecX& v) {
  force_.setZero(model_.nv());
  for (const Hold& hold : holds) {
    const Touch* const touch = finder_.Find(hold.id);
    if (touch == nullptr || touch->tangent < 0 || touch->viscous == 0 || hold.sticks) continue;
    for (int k = 0; k < 2; ++k) {
      const int row = touch->tangent + k;
      AddRow(row, -touch->viscous * finder_.rates()[row], &force_);
    }
  }
  if (force_.isZero(0)) return;
  friction_power_ += force_.dot(v);
  configuration_.factor().Solve(model_.tree().pattern, force_);
  free_ += force_;
}

Vec3 HeldMotion::CalcDirection(const Hold& hold, const Touch& touch) const {
  const double least = hold.slip > kSlowSlip ? kNoSlip : kSlowSlip;
  if (touch.slip.dot(hold.direction) > least) return touch.slip.normalized();
  return hold.direction;
}

// A = G M⁻¹ F, with M⁻¹ Fᵀ in response_.
void HeldMotion::CalcMatrix(const std::vector<Hold>& holds) {
  const int count = static_cast<int>(rows_.size());
  response_.resize(model_.nv(), count);
  A_.resize(count, count);
  right_.resize(count);
  lower_.setConstant(count, -kInfinity);
  upper_.setConstant(count, kInfinity);
  for (int j = 0; j < count; ++j) {
    const HeldRow& held = rows_[j];
    force_.setZero(model_.nv());
    AddRow(held.row, 1, &force_);
    if (held.is_normal) {
      lower_[j] = 0;
      const Hold& hold = holds[held.hold];
      const Touch& touch = *finder_.Find(hold.id);
      if (touch.tangent >= 0 && !hold.sticks && touch.mu > 0) {
        const Vec3 d = CalcDirection(hold, touch);
        AddRow(touch.tangent, -touch.mu * d.dot(touch.t1), &force_);
        AddRow(touch.tangent + 1, -touch.mu * d.dot(touch.t2), &force_);
      }
    }
    configuration_.factor().Solve(model_.tree().pattern, force_);
    response_.col(j) = force_;
    for (int i = 0; i < count; ++i) A_(i, j) = DotRow(rows_[i].row, force_);
    right_[j] = DotRow(held.row, free_) + curvature_[held.row];
  }
}

// z ← solution for A + ε and right − ε z.
bool HeldMotion::SolveForces() {
  const int count = static_cast<int>(rows_.size());
  if (lambda_.size() != count || !lambda_.allFinite()) lambda_.setZero(count);
  const double scale = A_.diagonal().cwiseAbs().maxCoeff();
  if (!(scale > 0)) return false;
  shifted_ = A_;
  shifted_.diagonal().array() += kHeldProximal * scale;
  target_.setZero(count);
  rest_.resize(count);
  BoxedPivotingSettings settings;
  settings.use_guess = true;
  const ComplementarityProblem problem{A_, right_, lower_, upper_};
  double least = kInfinity;
  for (int k = 0; k < kHeldSteps; ++k) {
    rest_ = right_ - kHeldProximal * scale * target_;
    BoxedPivotingStats stats;
    const auto result =
        pivoting_.Solve({shifted_, rest_, lower_, upper_}, settings, lambda_, &stats);
    if (result.status == ComplementarityStatus::kFailed || !lambda_.allFinite()) return false;
    target_ = lambda_;
    // Relative to accelerations in play: where all forces cancel, there is nothing else to compare.
    const double size = (right_.cwiseAbs() + A_.cwiseAbs() * lambda_.cwiseAbs()).maxCoeff();
    const double in_play = std::max(size, model_.gravity().norm());
    double residual = CalcComplementarityResidual(problem, lambda_, rest_);
    if (in_play > 0) residual *= size / in_play;
    const bool is_done = residual <= kHeldTolerance || !(residual < 0.5 * least);
    least = std::min(least, residual);
    if (is_done) break;
  }
  return least <= kHeldUseful;
}

bool HeldMotion::CalcAcceleration(double t, const VecX& q, const VecX& v, std::vector<Hold>* holds,
                                  VecX* v_dot) {
  ++evaluations_;
  friction_power_ = 0;
  v_dot->resize(model_.nv());
  equations_.CalcAcceleration(t, q, v, v_dot);
  ids_.clear();
  for (const Hold& hold : *holds) ids_.push_back(hold.id);
  std::sort(ids_.begin(), ids_.end());
  finder_.Update(t, q, v, TouchFinder::kLook, &ids_);
  ListRows(*holds, true);
  for (Hold& hold : *holds) hold.force = hold.part_speed = hold.w = 0, hold.friction.setZero();
  if (rows_.empty()) return v_dot->allFinite();
  if (!configuration_.Update(model_, q)) {
    v_dot->setConstant(kNaN);
    return false;
  }
  free_ = *v_dot;
  AddViscousFriction(*holds, v);
  CalcCurvature(t, q, v);
  CalcMatrix(*holds);
  if (!free_.allFinite() || !SolveForces()) {
    v_dot->setConstant(kNaN);
    return false;
  }
  *v_dot = free_;
  v_dot->noalias() += response_ * lambda_;
  for (int j = 0; j < static_cast<int>(rows_.size()); ++j) {
    const HeldRow& held = rows_[j];
    if (held.hold < 0) continue;
    Hold& hold = (*holds)[held.hold];
    const Touch& touch = *finder_.Find(hold.id);
    if (held.is_normal) {
      hold.force = lambda_[j];
      hold.part_speed = DotRow(held.row, *v_dot) + curvature_[held.row];
      hold.w = A_(j, j);
      if (touch.tangent >= 0 && !hold.sticks && touch.mu > 0) {
        friction_power_ -= touch.mu * lambda_[j] * CalcDirection(hold, touch).dot(touch.slip);
      }
    } else {
      hold.friction += lambda_[j] * (held.row == touch.tangent ? touch.t1 : touch.t2);
    }
  }
  return v_dot->allFinite();
}

// x ← (G M⁻¹ Gᵀ)⁺ x on rows_, and force_ = M⁻¹ Gᵀ x.
void HeldMotion::SolveRows(VecX* x) {
  const int count = static_cast<int>(rows_.size());
  response_.resize(model_.nv(), count);
  A_.resize(count, count);
  for (int j = 0; j < count; ++j) {
    force_.setZero(model_.nv());
    AddRow(rows_[j].row, 1, &force_);
    configuration_.factor().Solve(model_.tree().pattern, force_);
    response_.col(j) = force_;
    for (int i = 0; i < count; ++i) A_(i, j) = DotRow(rows_[i].row, force_);
  }
  const double shift = kRowProximal * std::max(A_.diagonal().maxCoeff(), 1e-300);
  shifted_ = A_;
  shifted_.diagonal().array() += shift;
  const Eigen::LLT<Eigen::Ref<MatX>> factor(shifted_);
  rest_ = *x;
  x->setZero(count);
  for (int k = 0; k < 3; ++k) {
    target_ = rest_ - A_ * *x;
    factor.solveInPlace(target_);
    *x += target_;
  }
  force_.noalias() = response_ * *x;
}

bool HeldMotion::Project(double t, const std::vector<Hold>& holds, VecX* q, VecX* v) {
  constexpr int kNewtonSteps = 4;
  constexpr double kClosed = 1e-15;
  ids_.clear();
  for (const Hold& hold : holds) {
    if (hold.force > 0) ids_.push_back(hold.id);
  }
  std::sort(ids_.begin(), ids_.end());
  const auto drop_idle = [&] {
    std::erase_if(rows_, [&](const HeldRow& held) {
      return held.hold >= 0 && !(holds[held.hold].force > 0);
    });
  };
  for (int k = 0; k <= kNewtonSteps; ++k) {
    finder_.Update(t, *q, *v, TouchFinder::kLook, &ids_);
    ListRows(holds, false);
    drop_idle();
    if (rows_.empty()) return true;
    if (!configuration_.Update(model_, *q)) return false;
    right_.resize(static_cast<int>(rows_.size()));
    for (int j = 0; j < right_.size(); ++j) right_[j] = -finder_.problem().rows[rows_[j].row].phi;
    if (k == kNewtonSteps || right_.lpNorm<Eigen::Infinity>() <= kClosed) break;
    SolveRows(&right_);
    IntegratePositions(model_, force_, 1, q);
  }
  ListRows(holds, true);
  drop_idle();
  right_.resize(static_cast<int>(rows_.size()));
  for (int j = 0; j < right_.size(); ++j) right_[j] = -finder_.rates()[rows_[j].row];
  SolveRows(&right_);
  *v += force_;
  return v->allFinite();
}

}  // namespace voigt
