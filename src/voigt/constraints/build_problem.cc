#include "voigt/constraints/build_problem.h"

#include <algorithm>

#include "voigt/constraints/contact_rows.h"
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
  if (stabilization.joints < 1) StabilizeJoints(stabilization.joints, problem);
  ReleaseRowsThatNothingMoves(problem);
  AddContactRows(at, contacts, state.contacts, problem, wrenches);
}

void RememberImpulses(const VelocityProblem& problem, const VecX& gamma, const VecX& v1,
                      const std::vector<Contact>& contacts, State* state) {
  state->warm_start = gamma.head(CountConstraintRows(problem)) / problem.h;
  UpdateContactMemory(problem, gamma, v1, contacts, state);
}

}  // namespace voigt
