#include "voigt/constraints/build_problem.h"

#include "voigt/constraints/contact_rows.h"

namespace voigt {
namespace {

// Constraints come first and contacts last.
int CountConstraintRows(const VelocityProblem& problem) {
  for (const RowGroup& group : problem.groups) {
    if (group.constraint == kContactGroup) return group.first_row;
  }
  return problem.row_count();
}

}  // namespace

void BuildProblem(const Model& model, const ConstraintSet& constraints,
                  const std::vector<Contact>& contacts, const Configuration& start,
                  const FreeVelocity& free, const State& state, double h,
                  VelocityProblem* problem) {
  problem->h = h;
  problem->pattern = &model.tree().pattern;
  problem->M = &free.M(start);
  problem->factor = &free.factor(start);
  problem->v_star = free.v_star();
  problem->ClearRows();
  const ConstraintContext at{model, start.kin(), state.q, state.v, state.t, h};
  constraints.AddRows(at, problem);
  if (state.warm_start.size() == problem->row_count()) {
    for (int i = 0; i < problem->row_count(); ++i) {
      problem->rows[i].guess = h * state.warm_start[i];
    }
  }
  AddContactRows(at, contacts, state.contacts, problem);
}

void RememberImpulses(const VelocityProblem& problem, const VecX& gamma, const VecX& v1,
                      const std::vector<Contact>& contacts, State* state) {
  state->warm_start = gamma.head(CountConstraintRows(problem)) / problem.h;
  UpdateContactMemory(problem, gamma, v1, contacts, state);
}

}  // namespace voigt
