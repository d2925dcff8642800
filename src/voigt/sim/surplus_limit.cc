#include "voigt/sim/surplus_limit.h"

#include <algorithm>
#include <cmath>

#include "voigt/dynamics/gravity.h"
#include "voigt/dynamics/joint_springs.h"
#include "voigt/dynamics/tree_dofs.h"

namespace voigt {
namespace {

// Of the largest kinetic energy.
constexpr double kAllowed = 7.5e-3;
constexpr double kRefused = 0.02;   // of one step
constexpr double kHopeless = 0.25;  // of all steps, once everything rests
// Of the kinetic energy: joints that are kicked by more open too far, and what brings them together
// again is no small correction. On a circle that is a third of a radian in a step.
constexpr double kMostKick = 1.0 / 32;

// Of the energies that are added up: what is less is rounding.
constexpr double kRounding = 1e-13;
// Of the kinetic energy that gravity makes in one step: what moves slower than that has energies
// that forces at the start of the step and potentials at its end do not agree about.
constexpr double kFall = 0.02;

// Asks for a velocity that no gap asks for.
bool IsDriven(const Row& row) { return row.phi_t != 0 || (row.phi == 0 && row.v_hat != 0); }

// Holds something where it is, or brings it there: no drive, no spring.
bool IsPassive(const RowGroup& group, const Row& row) {
  return group.law == Law::kBilateral && row.c == 0 && row.R == 0 && !IsDriven(row);
}

// A spring, a damper or a drive that ties trees together.
bool IsSoftOrDriven(const VelocityProblem& problem, const RowGroup& group) {
  const auto begin = problem.rows.begin() + group.first_row;
  return group.law == Law::kBilateral && group.constraint >= 0 && group.col_count > 0 &&
         !std::all_of(begin, begin + group.row_count,
                      [&](const Row& row) { return IsPassive(group, row); });
}

// A drive among these.
bool HasDrivenRow(const VelocityProblem& problem, const RowGroup& group) {
  const auto begin = problem.rows.begin() + group.first_row;
  return std::any_of(begin, begin + group.row_count, [](const Row& row) { return IsDriven(row); });
}

double CalcTwiceKinetic(const Kinematics& kin, int b) { return kin.V[b].dot(kin.I[b] * kin.V[b]); }

Vec3 CalcLinearMomentum(const Kinematics& kin, int b) { return (kin.I[b] * kin.V[b]).tail<3>(); }

// m times the place of the centre of mass.
Vec3 CalcMassMoment(const Kinematics& kin, int b) {
  return kin.I[b].mass * kin.X_WL[b].p + kin.I[b].h;
}

// s in [0, 1] with T (1 − s²) + β (1 − s) = surplus, or the one that comes closest.
double SolveFactor(double T, double beta, double surplus) {
  const double rest = T + beta - surplus;
  if (!(rest > 0)) return 0;
  // The positive root of T s² + β s = rest, in the form that does not cancel.
  const double root = std::sqrt(beta * beta + 4 * T * rest);
  return std::min(1.0, beta >= 0 ? 2 * rest / (beta + root) : (root - beta) / (2 * T));
}

}  // namespace

SurplusLimit::SurplusLimit(const Model& model)
    : gravity_(VecX::Zero(model.nv())),
      before_(VecX::Zero(2 * model.nb())),
      sets_(model.nb()),
      surplus_(model.nb(), 0.0),
      kinetic_(model.nb(), 0.0),
      kick_energy_(model.nb(), 0.0),
      spared_(model.nb(), 0.0),
      is_pushed_(model.nb(), 0),
      is_free_(model.nb(), 0),
      is_left_alone_(model.nb(), 0),
      is_soft_(model.nb(), 0) {
  const Tree& tree = model.tree();
  for (int b = 1; b < tree.nb; ++b) has_mechanisms_ = has_mechanisms_ || !tree.is_free_body[b];
}

// Which trees are tied together, which are pushed, and the impulses of joints that only hold.
void SurplusLimit::ReadRows(const Model& model, const Motion& motion) {
  const Tree& tree = model.tree();
  const VelocityProblem& problem = motion.problem;
  std::fill(is_pushed_.begin(), is_pushed_.end(), 0);
  std::fill(is_left_alone_.begin(), is_left_alone_.end(), 0);
  std::fill(is_soft_.begin(), is_soft_.end(), 0);
  std::fill(kick_energy_.begin(), kick_energy_.end(), 0.0);
  for (int k = 0; k < tree.nv; ++k) {
    const int root = tree.root[tree.dof_body[k]];
    const bool is_driven = motion.free.loads().tau()[k] != 0 || motion.free.drives().ActsOn(k);
    if (is_driven) is_left_alone_[tied_->SetOf(root)] = true;
    if (tree.damping[k] > 0) is_pushed_[root] = true;
  }
  impulse_.setZero(problem.nv());
  driven_kick_.setZero(problem.nv());
  for (const RowGroup& group : problem.groups) {
    const std::span<const int> cols = problem.cols_of(group);
    const auto root_of = [&](int k) { return tree.root[tree.dof_body[k]]; };
    if (IsSoftOrDriven(problem, group)) {
      const int set = tied_->SetOf(root_of(cols[0]));
      is_soft_[set] = true;
      if (HasDrivenRow(problem, group)) is_left_alone_[set] = true;
    }
    for (int r = 0; r < group.row_count; ++r) {
      const int i = group.first_row + r;
      const double* const G = problem.entries(group, r);
      const bool is_passive = IsPassive(group, problem.rows[i]);
      const double gamma = is_passive ? motion.gamma[i] : motion.kick[i];
      VecX& impulse = is_passive ? impulse_ : driven_kick_;
      for (int c = 0; c < group.col_count; ++c) {
        impulse[cols[c]] += G[c] * gamma;
        kick_energy_[root_of(cols[c])] +=
            0.5 * G[c] * motion.kick[i] * (motion.v_kick[cols[c]] - motion.v1[cols[c]]);
      }
      if (is_passive || motion.gamma[i] == 0) continue;
      for (int k : cols) is_pushed_[root_of(k)] = true;
    }
  }
  // What pushes a tree that is free is the rounding of other impulses.
  std::fill(is_free_.begin(), is_free_.end(), 0);
  for (int k = 0; k < tree.nv; ++k) {
    const int root = tree.root[tree.dof_body[k]];
    if (motion.time[k] < problem.h) is_free_[root] = true;
    if (is_free_[root]) is_pushed_[root] = false;
  }
}

void SurplusLimit::AddInertia(const Model& model, const Motion& motion, const Kinematics& end,
                              const VecX& v) {
  const Tree& tree = model.tree();
  const Kinematics& start = motion.start.kin();
  for (int b = 1; b < tree.nb; ++b) {
    const double twice = CalcTwiceKinetic(end, b);
    kinetic_[tree.root[b]] += 0.5 * twice;
    surplus_[tree.root[b]] += 0.5 * (twice - CalcTwiceKinetic(start, b));
  }
  for (int k = 0; k < tree.nv; ++k) {
    const int root = tree.root[tree.dof_body[k]];
    kinetic_[root] += 0.5 * tree.armature[k] * v[k] * v[k];
    surplus_[root] += motion.stuck[k] +
                      0.5 * tree.armature[k] * (v[k] * v[k] - motion.v1[k] * motion.v1[k]) +
                      0.5 * impulse_[k] * (motion.v0[k] + motion.v1[k]) -
                      0.5 * driven_kick_[k] * (motion.v1[k] + motion.v_kick[k]);
  }
  along_ = motion.v1;
  for (int k = 0; k < tree.nv; ++k) {
    if (is_pushed_[tree.root[tree.dof_body[k]]]) continue;
    along_[k] = 0.5 * (motion.v0[k] + motion.v1[k]) * (motion.time[k] / motion.problem.h);
  }
  AddSpringSurplus(model, motion.q0, motion.q1, motion.v1, along_, motion.problem.h, &surplus_);
}

void SurplusLimit::AddGravity(const Model& model, const Motion& motion, const Kinematics& end) {
  const Tree& tree = model.tree();
  const Kinematics& start = motion.start.kin();
  const double h = motion.problem.h;
  for (int b = 1; b < tree.nb; ++b) {
    Vec3 fall = CalcMassMoment(start, b) - CalcMassMoment(end, b);
    if (is_pushed_[tree.root[b]]) {
      fall += 0.5 * h * (CalcLinearMomentum(start, b) + CalcLinearMomentum(end, b));
    }
    surplus_[tree.root[b]] += model.gravity().dot(fall);
    const double g = model.gravity().norm();
    spared_[tree.root[b]] += kRounding * g * CalcMassMoment(start, b).norm();
    if (is_free_[tree.root[b]]) continue;
    spared_[tree.root[b]] += kFall * 0.5 * end.I[b].mass * (g * h) * (g * h);
  }
  gravity_.setZero();
  AddGravityForces(model, start, motion.start.composite(), &gravity_);
  for (int k = 0; k < tree.nv; ++k) {
    const int root = tree.root[tree.dof_body[k]];
    if (is_pushed_[root]) continue;
    const double way = 0.5 * motion.time[k] * (motion.v0[k] + motion.v1[k]);
    surplus_[root] += gravity_[k] * way;
  }
}

bool SurplusLimit::IsTooLarge(const Tree& tree, const State& state) {
  const bool is_first = state.surplus.size() != 2 * tree.nb;
  std::fill(sets_.begin(), sets_.end(), SetEnergy());
  ForEachTree(tree, [&](int root, int, int) {
    SetEnergy& set = sets_[tied_->SetOf(root)];
    if (is_left_alone_[tied_->SetOf(root)] || is_soft_[tied_->SetOf(root)]) return;
    set.surplus += surplus_[root];
    set.largest += is_first ? 0 : state.surplus[tree.nb + root];
    set.kinetic += kinetic_[root];
    set.kick += kick_energy_[root];
    set.spared += spared_[root];
  });
  return std::any_of(sets_.begin(), sets_.end(), [](const SetEnergy& set) {
    return set.surplus > kRefused * std::max(set.largest, set.kinetic - set.surplus) + set.spared ||
           set.kick > kMostKick * set.kinetic + set.spared;
  });
}

// Per body in State::surplus: the sum so far, and behind all of these the largest kinetic energy.
void SurplusLimit::AddUp(const Tree& tree, State* state) {
  if (state->surplus.size() != 2 * tree.nb) state->surplus.setZero(2 * tree.nb);
  std::fill(sets_.begin(), sets_.end(), SetEnergy());
  ForEachTree(tree, [&](int root, int, int) {
    if (!is_left_alone_[tied_->SetOf(root)]) state->surplus[root] += surplus_[root];
    SetEnergy& set = sets_[tied_->SetOf(root)];
    set.surplus += state->surplus[root];
    set.largest += state->surplus[tree.nb + root];
    set.kinetic += kinetic_[root];
    set.spared += spared_[root];
  });
}

// What is left after steps were shortened: peaks that were taken away were none.
void SurplusLimit::KeepLargest(const Tree& tree, State* state) {
  ForEachTree(tree, [&](int root, int, int) {
    double& largest = state->surplus[tree.nb + root];
    largest = std::max(largest, sets_[tied_->SetOf(root)].factor_squared * kinetic_[root]);
  });
}

bool SurplusLimit::Floats(const Model& model, int set) const {
  return model.tree().type[set] == JointType::kFree && !tied_->IsTied(set);
}

double SurplusLimit::Shorten(const Model& model, const Kinematics& end, int set, double h, VecX* v,
                             VecX* carried, State* state) {
  const Tree& tree = model.tree();
  const auto is_in_set = [&](int root) { return tied_->SetOf(root) == set; };
  double mass = 0, kinetic = sets_[set].kinetic, beta = 0;
  Vec3 p = Vec3::Zero();
  for (int b = 1; b < tree.nb; ++b) {
    if (!is_in_set(tree.root[b])) continue;
    const Vec3 p_b = CalcLinearMomentum(end, b);
    mass += end.I[b].mass;
    p += p_b;
    if (is_pushed_[tree.root[b]]) beta += 0.5 * h * model.gravity().dot(p_b);
  }
  // The velocity of the centre of mass of what floats, as rates of its first joint.
  Vec6 drift = Vec6::Zero();
  const bool floats = Floats(model, set);
  if (floats) {
    kinetic -= 0.5 * p.squaredNorm() / mass;
    beta = 0;
    Eigen::Matrix<double, 6, 6> S;
    for (int k = 0; k < 6; ++k) S.col(k) = end.S[tree.v_start[set] + k];
    drift.tail<3>() = p / mass;
    drift = S.partialPivLu().solve(drift).eval();
  }
  if (!(kinetic > 0)) return sets_[set].surplus;
  const double factor = SolveFactor(kinetic, beta, sets_[set].surplus);
  sets_[set].factor_squared = factor * factor;
  const double taken = (1 - factor) * (kinetic * (1 + factor) + beta);
  state->surplus[set] -= taken;
  ForEachTree(tree, [&](int root, int first, int count) {
    if (!is_in_set(root)) return;
    if (floats) v->segment<6>(first) -= drift;
    v->segment(first, count) *= factor;
    carried->segment(first, count) *= factor;
    if (floats) v->segment<6>(first) += drift;
  });
  return sets_[set].surplus - taken;
}

bool SurplusLimit::Update(const Model& model, const Motion& motion, bool refuses,
                          Configuration* end, VecX* v, VecX* carried, State* state) {
  const Tree& tree = model.tree();
  const auto& groups = motion.problem.groups;
  const bool has_joints = std::any_of(groups.begin(), groups.end(), [](const RowGroup& group) {
    return group.law == Law::kBilateral;
  });
  if (!has_mechanisms_ && !has_joints) return true;
  tied_ = &motion.tied;
  std::fill(surplus_.begin(), surplus_.end(), 0.0);
  std::fill(spared_.begin(), spared_.end(), 0.0);
  std::fill(kinetic_.begin(), kinetic_.end(), 0.0);
  end->SetRates(model, *v);
  ReadRows(model, motion);
  AddInertia(model, motion, end->kin(), *v);
  AddGravity(model, motion, end->kin());
  if (refuses && IsTooLarge(tree, *state)) return false;
  if (state->surplus.size() == before_.size()) {
    before_ = state->surplus;
  } else {
    before_.setZero();
  }
  AddUp(tree, state);
  for (int set = 1; set < tree.nb; ++set) {
    const SetEnergy& energy = sets_[set];
    if (is_left_alone_[set]) continue;
    const double allowed = kAllowed * std::max(energy.largest, energy.kinetic - energy.surplus);
    if (!(energy.surplus > allowed + energy.spared)) continue;
    const double left = Shorten(model, end->kin(), set, motion.problem.h, v, carried, state);
    if (left > kHopeless / kAllowed * allowed + energy.spared) {
      state->surplus = before_;
      return false;
    }
  }
  KeepLargest(tree, state);
  return true;
}

}  // namespace voigt
