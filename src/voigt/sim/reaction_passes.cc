#include "voigt/sim/reaction_passes.h"

#include <algorithm>
#include <cmath>

#include "voigt/constraints/reaction_map.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

constexpr int kMostPasses = 60;
constexpr double kRoundingOfForces = 1e-12;
constexpr double kNoReactionSlip = 1e-9;  // m/s: slower is at rest, if nobody remembers
// Friction this close to its bound, relative, has reached it.
constexpr double kReached = 1e-9;

}  // namespace

ReactionPasses::ReactionPasses(const Model& model)
    : sharing_(model),
      forces_(model),
      external_(model.nb(), Vec6::Zero()),
      inertial_(VecX::Zero(model.nv())),
      v_dot_(VecX::Zero(model.nv())),
      tau_(VecX::Zero(model.nv())) {}

Vec3 ReactionPasses::TakeImpulse(const VelocityProblem& problem, const Element& element,
                                 const VecX& gamma) const {
  const RowGroup& group = problem.groups[element.group];
  Vec3 out = Vec3::Zero();
  out.head(group.row_count) = gamma.segment(group.first_row, group.row_count);
  return out;
}

void ReactionPasses::ListElements(const VelocityProblem& problem, const VecX& v0,
                                  const std::vector<int>& modes) {
  const size_t count = rows_.friction.size();
  elements_.assign(count, {});
  has_tree_joints_ = false;
  int g = 0;
  for (size_t k = 0; k < count; ++k) {
    const FrictionRows& rows = rows_.friction[k];
    while (problem.groups[g].first_row != rows.first_row) ++g;
    Element& element = elements_[k];
    element.group = g;
    has_tree_joints_ |= rows.body >= 0;
    const RowGroup& group = problem.groups[g];
    const Vec3 rate = CalcRates(problem, element, v0);
    const double speed = rows.lever * rate.norm();
    const bool stuck = modes.size() == count && modes[k] == static_cast<int>(Stiction::kStick);
    element.rested = element.sticks = stuck || speed <= kNoReactionSlip;
    element.mu = rows.lever * (element.sticks ? rows.law.mu_static : rows.law.CalcSliding(speed));
    const double mu_start = rows.lever * rows.law.CalcSliding(0);
    element.may_change = element.sticks && (group.row_count > 1 || mu_start < element.mu);
    if (!element.sticks) element.direction = rate.normalized();
  }
}

void ReactionPasses::StartReactions(const Model& model, const ConstraintSet& constraints,
                                    const Configuration& start, const VelocityProblem& problem) {
  rigid_.clear();
  for (const RowGroup& group : problem.groups) {
    if (group.law != Law::kBilateral) continue;
    for (int r = group.first_row; r < group.first_row + group.row_count; ++r) {
      if (problem.rows[r].R == 0) rigid_.push_back(r);
    }
  }
  sharing_.Update(constraints, start.kin(), problem, rigid_, {}, rows_.friction, rows_.wrenches);
  if (!has_tree_joints_ && !sharing_.any()) return;
  CalcInertialBias(model, start.kin(), &forces_, &inertial_);
  inertial_ *= -1;
  start.factor().Solve(model.tree().pattern, inertial_);
}

// Formulations find one of many forces on rows that repeat each other, each another one: friction
// comes from the least.
void ReactionPasses::ShareLoads() {
  const int count = static_cast<int>(rigid_.size());
  shared_.resize(count);
  for (int i = 0; i < count; ++i) shared_[i] = plain_[rigid_[i]];
  const VecX& change = sharing_.CalcChange(shared_, forces_.F);
  for (int i = 0; i < count; ++i) plain_[rigid_[i]] += change[i];
  sharing_.AddTreeChange(&forces_.F);
}

void ReactionPasses::CalcNormalForces(const Model& model, const ConstraintSet& constraints,
                                      const Configuration& start, const std::vector<Vec6>& F_ext,
                                      const VelocityProblem& problem, const VecX& gamma,
                                      const VecX& v1, const VecX& v0, VecX* N) {
  // Impulses of rows as constraints wrote them, whose wrenches are known.
  plain_ = gamma;
  for (const Element& element : elements_) {
    const RowGroup& group = problem.groups[element.group];
    const Vec3 turned = element.Q * TakeImpulse(problem, element, gamma);
    plain_.segment(group.first_row, group.row_count) = turned.head(group.row_count);
  }
  const Kinematics& kin = start.kin();
  if (has_tree_joints_ || sharing_.any()) {
    external_ = F_ext;
    for (const RowWrench& wrench : rows_.wrenches) {
      Vec6 F;
      F << wrench.torque, wrench.force;
      F *= plain_[wrench.row] / problem.h;
      external_[wrench.body_B] += ShiftForce(F, wrench.p - kin.X_WL[wrench.body_B].p);
      external_[wrench.body_A] -= ShiftForce(F, wrench.p - kin.X_WL[wrench.body_A].p);
    }
    v_dot_ = (v1 - v0) / problem.h + inertial_;
    CalcInverseDynamics(model, kin, &v_dot_, &external_, &forces_, &tau_);
  }
  plain_ /= problem.h;
  if (sharing_.any()) ShareLoads();
  const int first = rows_.friction.front().first_row;
  const int end = rows_.friction.back().first_row + rows_.friction.back().row_count;
  for (size_t k = 0; k < elements_.size(); ++k) {
    const FrictionRows& rows = rows_.friction[k];
    Vec3 f = Vec3::Zero();
    if (rows.body >= 0) {
      f = rows.P * forces_.F[rows.body].tail<3>() + rows.P_m * forces_.F[rows.body].head<3>();
    }
    int first_own = -1;
    for (const RowWrench& wrench : rows_.wrenches) {
      // Friction is part of what a loop joint transmits, but not of what holds a guided point.
      const bool is_friction = wrench.row >= first && wrench.row < end;
      if ((is_friction && rows.loop < 0) || !IsOwnWrench(constraints, rows, wrench)) continue;
      const double lambda = plain_[wrench.row];
      if (rows.body < 0) f += lambda * CalcNormalOfWrench(rows, wrench);
      if (first_own < 0) {
        first_own = wrench.row;
        f += lambda * rows.of_row;
      }
    }
    for (int i = 0; i < rows.row_count; ++i) {
      f += plain_[rows.first_row + i] * rows.own.col(i);
    }
    (*N)[k] = f.norm();
  }
}

void ReactionPasses::SetBounds(VelocityProblem* problem) const {
  for (size_t k = 0; k < elements_.size(); ++k) {
    const Element& element = elements_[k];
    const RowGroup& group = problem->groups[element.group];
    for (int r = 0; r < group.row_count; ++r) {
      const bool has_bound = r == 0 || element.sticks;
      Row& row = problem->rows[group.first_row + r];
      row.upper = has_bound ? problem->h * element.mu * N_[k] : 0;
      row.lower = -row.upper;
    }
  }
}

// Those that cannot be held begin to slide. True if any does. Rows are bounded one by one: where
// there are several, their bounds let more pass than friction holds.
bool ReactionPasses::LetSlip(const VecX& gamma, const VecX& N, VelocityProblem* problem) {
  bool any = false;
  for (size_t k = 0; k < elements_.size(); ++k) {
    Element& element = elements_[k];
    if (!element.sticks || !element.may_change) continue;
    const Vec3 impulse = TakeImpulse(*problem, element, gamma);
    const double used = problem->h * element.mu * N_[k], found = problem->h * element.mu * N[k];
    const bool is_held = impulse.lpNorm<Eigen::Infinity>() < (1 - kReached) * used &&
                         impulse.norm() < (1 - kReached) * std::max(used, found);
    // Where the bound was too low, the next pass has a better one.
    if (is_held || found > (1 + kReached) * used) continue;
    element.sticks = element.may_change = false;
    const FrictionRows& rows = rows_.friction[k];
    element.mu = rows.lever * rows.law.CalcSliding(0);
    if (impulse.norm() > 0) BeginSlip(-impulse, &element, problem);
    any = true;
  }
  return any;
}

// N matters where friction has reached its bound, or would reach the one that was found.
bool ReactionPasses::HaveSettled(const VelocityProblem& problem, const Solution& solution,
                                 const VecX& N) const {
  const double forces = std::max(N.maxCoeff(), plain_.lpNorm<Eigen::Infinity>());
  const double rates = RatesOf(problem, solution);
  for (size_t k = 0; k < elements_.size(); ++k) {
    const Element& element = elements_[k];
    const double change = std::fabs(N[k] - N_[k]);
    if (change <= kSettled * std::max(N[k], N_[k]) || change <= kRoundingOfForces * forces) {
      continue;
    }
    const double w = problem.w[problem.groups[element.group].first_row];
    if (w * problem.h * element.mu * change <= kRoundingOfRates * rates) continue;
    const Vec3 impulse = TakeImpulse(problem, element, solution.gamma);
    const double least = problem.h * element.mu * std::min(N[k], N_[k]);
    const double largest = element.sticks ? impulse.norm() : std::fabs(impulse[0]);
    if (!(largest < (1 - kReached) * least)) return false;
  }
  return true;
}

void ReactionPasses::ResetUnknowns(const VelocityProblem& problem) {
  ListDirected(problem);
  const auto size = N_.size() + 3 * static_cast<Eigen::Index>(directed_.size());
  x_.resize(size);
  step_.resize(size);
  scale_.resize(size);
  anderson_.Reset(static_cast<int>(size));
}

// N and directions for the next pass.
void ReactionPasses::Advance(VelocityProblem* problem) {
  const auto count = N_.size();
  x_.head(count) = N_;
  step_.head(count) = N_next_ - N_;
  if (anderson_.is_fresh()) {
    scale_.setOnes();
    scale_.head(count).setConstant(1 / std::max(N_next_.maxCoeff(), 1e-300));
  }
  for (size_t i = 0; i < directed_.size(); ++i) {
    const Vec3 direction = elements_[directed_[i]].Q.col(0);
    x_.segment<3>(count + 3 * i) = direction;
    step_.segment<3>(count + 3 * i) = next_directions_[i] - direction;
  }
  anderson_.Advance(step_, scale_, &x_);
  N_ = x_.head(count).cwiseMax(0);
  for (size_t i = 0; i < directed_.size(); ++i) {
    Element& element = elements_[directed_[i]];
    const Vec3 direction = x_.segment<3>(count + 3 * i);
    if (direction.norm() > 0) Turn(element.Q.transpose() * direction, &element, problem);
  }
}

void ReactionPasses::Solve(const Model& model, const ConstraintSet& constraints,
                           const Configuration& start, const std::vector<Vec6>& F_ext,
                           const VecX& v0, const std::vector<int>& modes, const VecX& guess,
                           Formulation* formulation, VelocityProblem* problem, Solution* solution) {
  ListElements(*problem, v0, modes);
  TurnToSlip(problem);
  start_ = guess;
  ForgetTurned(*problem);
  StartReactions(model, constraints, start, *problem);
  const int count = static_cast<int>(elements_.size());
  N_.resize(count);
  N_next_.resize(count);
  ResetUnknowns(*problem);
  const auto calc = [&](const VecX& gamma, const VecX& v1, VecX* N) {
    CalcNormalForces(model, constraints, start, F_ext, *problem, gamma, v1, v0, N);
  };
  problem->CalcVelocity(start_, &v1_);
  calc(start_, v1_, &N_);

  SolveStats stats;
  int passes = 0;
  bool has_settled = false;
  for (int pass = 0; pass < kMostPasses && !has_settled; ++pass) {
    SetBounds(problem);
    if (problem->w.empty()) SetRowInertia(&row_inertia_, problem);
    formulation->Solve(*problem, start_, solution);
    stats += solution->stats;
    ++passes;
    if (solution->status == SolveStatus::kFailed || !solution->v1.allFinite()) break;
    start_ = solution->gamma;
    calc(solution->gamma, solution->v1, &N_next_);
    if (LetSlip(solution->gamma, N_next_, problem)) {
      ForgetTurned(*problem);
      N_ = N_next_;
      ResetUnknowns(*problem);
      continue;
    }
    FindEndDirections(*problem, *solution);
    has_settled = HaveSettled(*problem, *solution, N_next_) && DirectionsStay(*problem, *solution);
    if (!has_settled) Advance(problem);
  }
  // Of a formulation that counts its own: those that this took more.
  stats.friction_passes = std::max(stats.friction_passes, passes);
  solution->stats = stats;
  solution->has_unsettled_loads = !has_settled && IsSolved(solution->status);
  if (!has_settled) solution->status = std::max(solution->status, SolveStatus::kNoFixedPoint);
}

void ReactionPasses::Finish(VelocityProblem* problem, Solution* solution, std::vector<int>* modes) {
  modes->resize(elements_.size());
  for (size_t k = 0; k < elements_.size(); ++k) {
    Element& element = elements_[k];
    const RowGroup& group = problem->groups[element.group];
    const Vec3 impulse = TakeImpulse(*problem, element, solution->gamma);
    const double bound = problem->rows[group.first_row].upper;
    const bool is_inside = std::fabs(impulse[0]) < (1 - kReached) * bound;
    // At its bound, too, what is held by something else besides does not move.
    const double speed =
        rows_.friction[k].lever * CalcRates(*problem, element, solution->v1).norm();
    const bool rests = element.rested && speed <= kNoReactionSlip;
    const bool sticks = is_inside || rests || (element.sticks && element.may_change);
    (*modes)[k] = static_cast<int>(sticks ? Stiction::kStick : Stiction::kSlip);
    if (group.row_count == 1) continue;
    const Vec3 turned = element.Q * impulse;
    solution->gamma.segment(group.first_row, group.row_count) = turned.head(group.row_count);
    TurnRows(element.Q.transpose(), element, problem);
    problem->w.clear();
    element.Q.setIdentity();
  }
}

}  // namespace voigt
