#include "voigt/sim/fresh_audit.h"

#include <fmt/format.h>

#include "voigt/base/check.h"
#include "voigt/collision/contact_finder.h"
#include "voigt/constraints/build_problem.h"
#include "voigt/constraints/contact_rows.h"
#include "voigt/dynamics/actuation.h"
#include "voigt/problem/row_inertia.h"
#include "voigt/sim/contact_stiction.h"
#include "voigt/sim/stuck_joints.h"

namespace voigt {

Audit JudgeAnew(const Model& model, const SimulationSettings& settings, State before, double h,
                const Solution& solution) {
  Configuration start(model);
  VOIGT_CHECK(start.Update(model, before.q));
  VecX carried;
  AddCarried(model, start, &before, &carried);
  Actuation actuation(model);
  actuation.Update(model, before.inputs, before.activation, before.t, h);
  FreeVelocity free(model);
  VOIGT_CHECK(free.Update(model, start, before, actuation.drive(), h));
  before.v -= free.taken_back();
  start.SetRates(model, before.v);
  ContactFinder contacts(model);
  contacts.Find(model, start.kin(), h);
  if (!settings.stabilization.predictive) contacts.KeepTouching();

  const ConstraintSet constraints(model);
  VelocityProblem problem;
  BuildProblem(model, constraints, contacts.contacts(), start, free, before, actuation.drive(), h,
               settings.stabilization, settings.restitution, HasViscousInCone(settings.formulation),
               &problem, nullptr);
  RowInertiaScratch scratch;
  SetRowInertia(&scratch, &problem);
  LimitRecovery(model, contacts.contacts(), &problem);
  Audit out;
  if (problem.row_count() != solution.gamma.size()) {
    out.law = kInfinity;
    return out;
  }

  Auditor auditor;
  VecX v1;
  problem.CalcVelocity(solution.gamma, &v1);
  auditor.Calc(problem, solution.gamma, v1, &before.v, RuleOf(solution), &out);
  // The solver's own velocity is judged, too, by the momentum that its impulses have here.
  Audit returned;
  auditor.Calc(problem, solution.gamma, solution.v1, &before.v, RuleOf(solution), &returned);
  out.momentum = returned.momentum;
  return out;
}

std::string FindObstacleToFreshAudit(const Model& model, const SimulationSettings& settings) {
  if (settings.integrator != Integrator::kSemiImplicitEuler) {
    return fmt::format("the integrator {} is not judged so, only semi-implicit-euler",
                       ToString(settings.integrator));
  }
  if (settings.restitution != RestitutionLaw::kNewton) {
    return fmt::format("steps with 'restitution: {}' have phases, and cannot be judged so",
                       ToString(settings.restitution));
  }
  if (settings.curvature != CurvatureTerm::kNone) {
    return fmt::format("steps with 'curvature: {}' cannot be judged so",
                       ToString(settings.curvature));
  }
  if (ConstraintSet(model).has_reaction_friction()) {
    return "joint friction that comes from reactions takes passes, and cannot be judged so";
  }
  if (ContactStiction(model).any()) {
    return "contacts with more friction at rest than in motion cannot be judged so";
  }
  return "";
}

}  // namespace voigt
