#include "tests/support/fresh_audit.h"

#include "voigt/base/check.h"
#include "voigt/collision/contact_finder.h"
#include "voigt/constraints/build_problem.h"
#include "voigt/constraints/contact_rows.h"
#include "voigt/dynamics/actuation.h"
#include "voigt/problem/row_inertia.h"

namespace voigt::testing {

Audit JudgeAnew(const Model& model, const SimulationSettings& settings, const voigt::State& before,
                double h, const Solution& solution) {
  Configuration start(model);
  VOIGT_CHECK(start.Update(model, before.q));
  start.SetRates(model, before.v);
  Actuation actuation(model);
  actuation.Update(model, before.inputs, before.activation, before.t, h);
  FreeVelocity free(model);
  VOIGT_CHECK(free.Update(model, start, before, actuation.drive(), h));
  ContactFinder contacts(model);
  contacts.Find(model, start.kin(), h);
  if (!settings.stabilization.predictive) contacts.KeepTouching();

  const ConstraintSet constraints(model);
  VOIGT_CHECK(!constraints.has_reaction_friction());
  const bool viscous_in_cone =
      settings.formulation.kind == FormulationKind::kMaxDissipation &&
      settings.formulation.impulse_space.viscous != ViscousFriction::kDamper;
  VelocityProblem problem;
  BuildProblem(model, constraints, contacts.contacts(), start, free, before, actuation.drive(), h,
               settings.stabilization, settings.restitution, viscous_in_cone, &problem, nullptr);
  RowInertiaScratch scratch;
  SetRowInertia(&scratch, &problem);
  LimitRecovery(model, contacts.contacts(), &problem);
  VOIGT_CHECK(problem.row_count() == solution.gamma.size());

  Auditor auditor;
  Audit out;
  VecX v1;
  problem.CalcVelocity(solution.gamma, &v1);
  auditor.Calc(problem, solution.gamma, v1, &before.v, RuleOf(solution), &out);
  // The solver's own velocity is judged, too, by the momentum that its impulses have here.
  Audit returned;
  auditor.Calc(problem, solution.gamma, solution.v1, &before.v, RuleOf(solution), &returned);
  out.momentum = returned.momentum;
  return out;
}

}  // namespace voigt::testing
