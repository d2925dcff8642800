#include "voigt/sim/stuck_joints.h"

#include <algorithm>
#include <cmath>

#include "voigt/math/tree_product.h"

namespace voigt {
namespace {

// Friction that is this close to its bound slides.
constexpr double kInside = 1 - 1e-9;
// What solvers leave of rates that are zero: m/s or rad/s, and in units of their tolerance, or of
// kLeast if that is more, and of the largest rate, with impulses or without.
constexpr double kNoRate = 1e-12, kStill = 10, kLeast = 1e-9;

// Rigid dry friction of one rate of a joint of the tree: G is a single entry, at any q.
bool IsJointFriction(const ConstraintSet& constraints, const RowGroup& group, const Row& row) {
  return group.law == Law::kBounded && group.constraint >= 0 && group.row_count == 1 &&
         group.col_count == 1 && row.R == 0 && row.v_hat == 0 && row.phi_t == 0 &&
         !constraints.list()[group.constraint]->energy_line();
}

}  // namespace

StuckJoints::StuckJoints(const Model& model)
    : is_stuck_(model.nv(), 0),
      M_(VecX::Zero(model.tree().pattern.nonzeros())),
      across_(VecX::Zero(model.nv())),
      change_(VecX::Zero(model.nv())),
      carried_(VecX::Zero(model.nv())),
      energy_(VecX::Zero(model.nv())),
      factor_(model.tree().pattern) {}

void StuckJoints::Find(const ConstraintSet& constraints, const VelocityProblem& problem,
                       const Solution& solution) {
  const VecX& gamma = solution.gamma;
  const VecX& v1 = solution.v1;
  std::fill(is_stuck_.begin(), is_stuck_.end(), 0);
  const double rates =
      std::max(v1.lpNorm<Eigen::Infinity>(), problem.v_star.lpNorm<Eigen::Infinity>());
  const double still = kNoRate + kStill * std::max(solution.tolerance, kLeast) * rates;
  any_ = false;
  for (const RowGroup& group : problem.groups) {
    if (group.constraint < 0) break;  // contacts come last
    const int i = group.first_row;
    const Row& row = problem.rows[i];
    if (!IsJointFriction(constraints, group, row)) continue;
    const int k = problem.cols_of(group)[0];
    if (!(gamma[i] > kInside * row.lower && gamma[i] < kInside * row.upper)) continue;
    if (!(std::abs(v1[k]) <= still)) continue;
    is_stuck_[k] = true;
    any_ = true;
  }
}

void StuckJoints::KeepStill(VecX* v) const {
  if (!any_) return;
  for (int k = 0; k < v->size(); ++k) {
    if (is_stuck_[k]) (*v)[k] = 0;
  }
}

// M with rows and columns of what sticks replaced by those of the identity: M_ff beside 1.
void StuckJoints::HoldRows(const TreePattern& pattern, const VecX& M) {
  M_ = M;
  for (int k = 0; k < pattern.size(); ++k) {
    const int* const path = pattern.path(k);
    double* const entries = M_.data() + pattern.row_start(k);
    const int depth = pattern.depth(k);
    for (int a = 0; a < depth; ++a) {
      if (is_stuck_[k] || is_stuck_[path[a]]) entries[a] = 0;
    }
    if (is_stuck_[k]) entries[depth] = 1;
  }
}

void StuckJoints::Stop(const Model& model, const Configuration& end, VecX* v) {
  const TreePattern& pattern = model.tree().pattern;
  energy_.setZero();
  carried_.setZero();
  if (!any_) return;

  // v_L and M v_L.
  for (int k = 0; k < model.nv(); ++k) across_[k] = is_stuck_[k] ? (*v)[k] : 0;
  MultiplyPacked(pattern, end.M(), across_, &change_);

  // v′ − v: M_ff⁻¹ M_fL v_L, and −v_L.
  for (int k = 0; k < model.nv(); ++k) {
    if (is_stuck_[k]) change_[k] = 0;
  }
  HoldRows(pattern, end.M());
  if (factor_.Factor(pattern, M_) >= 0) return;
  factor_.Solve(pattern, change_);
  change_ -= across_;

  // c = M (v − v′): where joints stick; rounding elsewhere.
  MultiplyPacked(pattern, end.M(), change_, &carried_);
  for (int k = 0; k < model.nv(); ++k) {
    carried_[k] = is_stuck_[k] ? -carried_[k] : 0;
    energy_[k] = 0.5 * carried_[k] * across_[k];
    (*v)[k] = is_stuck_[k] ? 0 : (*v)[k] + change_[k];
  }
}

void AddCarried(const Model& model, const Configuration& start, State* state, VecX* scratch) {
  if (state->carried.size() != state->v.size() || state->carried.isZero(0)) return;
  *scratch = state->carried;
  start.factor().Solve(model.tree().pattern, *scratch);
  state->v += *scratch;
}

}  // namespace voigt
