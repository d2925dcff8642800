#include "voigt/constraints/build_problem.h"

#include <algorithm>
#include <cmath>

#include "voigt/constraints/contact_rows.h"
#include "voigt/constraints/paid_depth.h"
#include "voigt/problem/row_law.h"

namespace voigt {
namespace {

// Constraints come first and contacts last.
int CountConstraintRows(const VelocityProblem& problem) {
  for (const RowGroup& group : problem.groups) {
    if (group.constraint == kContactGroup) return group.first_row;
  }
  return problem.row_count();
}

// The part of their gaps that rigid joints restore in this step. What has opened in a longer one
// is taken back over as long a time: the speed does not depend on h.
double CalcRestoredPart(const Stabilization& stabilization, const State& state, double h) {
  return std::min(stabilization.joints, h / std::max(h, state.recovery_time));
}

// Rows about velocities have no φ.
void StabilizeJoints(double s, VelocityProblem* problem) {
  for (const RowGroup& group : problem->groups) {
    if (group.law != Law::kBilateral || !group.force_law.is_linear()) continue;
    for (int i = group.first_row; i < group.first_row + group.row_count; ++i) {
      Row& row = problem->rows[i];
      if (row.c == 0 && row.R == 0 && row.phi != 0) SetStabilization(s, problem->h, &row);
    }
  }
}

// The fastest of the bodies that a group's rows move, m/s and rad/s.
struct Speeds {
  double linear = 0, angular = 0;
};

Speeds FindFastest(const ConstraintContext& at, std::span<const int> cols) {
  Speeds out;
  for (int k : cols) {
    const Vec6& V = at.kin.V[at.model.tree().dof_body[k]];
    out.angular = std::max(out.angular, V.head<3>().norm());
    out.linear = std::max(out.linear, V.tail<3>().norm());
  }
  return out;
}

// A joint that opens while its bodies turn through an angle α in a step opens by α/2 of what they
// move, and steps of more than half a radian are too long (SurplusLimit); gravity opens it by half
// of what it makes in a step. Gaps that ask for more than that are of other origin, and are closed
// in a tenth of a second, and no faster than limits are. What is driven goes where it is told.
void LimitJointRecovery(const ConstraintContext& at, const ConstraintSet& constraints,
                        VelocityProblem* problem) {
  constexpr double kPart = 0.25, kTime = 0.1;  // s
  const double fall = at.model.gravity().norm() * at.h;
  for (const RowGroup& group : problem->groups) {
    if (group.law != Law::kBilateral || !group.force_law.is_linear()) continue;
    const Constraint& constraint = *constraints.list()[group.constraint];
    if (constraint.IsPrescribed() || constraint.energy_line()) continue;
    Speeds most{kNaN, kNaN};
    for (int i = group.first_row; i < group.first_row + group.row_count; ++i) {
      Row& row = problem->rows[i];
      if (row.c != 0 || row.R != 0 || row.phi == 0) continue;
      if (std::abs(row.v_hat) <= fall) continue;
      if (std::isnan(most.linear)) most = FindFastest(at, problem->cols_of(group));
      const double speed = fall + std::min(at.recovery_speed, std::abs(row.phi) / kTime) +
                           kPart * (row.angular ? most.angular : most.linear);
      if (std::abs(row.v_hat) > speed) {
        SetStabilization(speed * problem->h / std::abs(row.phi), problem->h, &row);
      }
    }
  }
}

// Rows that nothing moves, as those across the plane of a planar loop, ask for nothing: no impulse
// could answer. φ stays, to be seen.
void ReleaseRowsThatNothingMoves(VelocityProblem* problem) {
  for (const RowGroup& group : problem->groups) {
    if (group.law != Law::kBilateral) continue;
    for (int r = 0; r < group.row_count; ++r) {
      const double* const G_r = problem->entries(group, r);
      if (!std::all_of(G_r, G_r + group.col_count, [](double entry) { return entry == 0; })) {
        continue;
      }
      Row& row = problem->rows[group.first_row + r];
      row.v_hat = row.phi_t;
      row.guess = 0;
    }
  }
}

}  // namespace

void BuildProblem(const Model& model, const ConstraintSet& constraints,
                  const std::vector<Contact>& contacts, const Configuration& start,
                  const FreeVelocity& free, const State& state, const VecX& drive, double h,
                  const Stabilization& stabilization, RestitutionLaw restitution,
                  bool viscous_in_cone, VelocityProblem* problem, ReactionFrictionRows* friction) {
  problem->h = h;
  problem->pattern = &model.tree().pattern;
  problem->M = &free.M(start);
  problem->factor = &free.factor(start);
  problem->v_star = free.v_star();
  problem->ClearRows();
  ConstraintContext at{model, start.kin(), state.q, state.v, state.t, h};
  at.drive = &drive;
  at.stabilization = stabilization;
  at.viscous_in_cone = viscous_in_cone;
  at.rebounds = restitution == RestitutionLaw::kNewton;
  const bool has_friction = constraints.has_reaction_friction();
  std::vector<RowWrench>* const wrenches = has_friction ? &friction->wrenches : nullptr;
  if (has_friction) {
    friction->friction.clear();
    friction->wrenches.clear();
  }
  constraints.AddRows(at, problem, wrenches);
  if (has_friction) constraints.AddFriction(at, problem, wrenches, &friction->friction);
  if (state.warm_start.size() == problem->row_count()) {
    for (int i = 0; i < problem->row_count(); ++i) {
      problem->rows[i].guess = h * state.warm_start[i];
    }
  }
  const double restored = CalcRestoredPart(stabilization, state, h);
  if (restored < 1) StabilizeJoints(restored, problem);
  LimitJointRecovery(at, constraints, problem);
  ReleaseRowsThatNothingMoves(problem);
  AddContactRows(at, contacts, state.contacts, problem, wrenches);
  ShortenUnpaidDepths(model, contacts, state, problem);
}

void RememberImpulses(const VelocityProblem& problem, const VecX& gamma, const VecX& v1,
                      const std::vector<Contact>& contacts, State* state) {
  state->warm_start = gamma.head(CountConstraintRows(problem)) / problem.h;
  UpdateContactMemory(problem, gamma, v1, contacts, state);
  state->recovery_time = std::max(problem.h, state->recovery_time - problem.h);
}

}  // namespace voigt
