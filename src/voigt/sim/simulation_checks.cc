#include "voigt/sim/simulation_checks.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "voigt/base/worker_pool.h"
#include "voigt/constraints/constraint_set.h"
#include "voigt/dynamics/inertia_check.h"
#include "voigt/events/event_integrator.h"
#include "voigt/events/touch_finder.h"
#include "voigt/sim/fresh_audit.h"
#include "voigt/sim/friction_element.h"

namespace voigt {
namespace {

void CheckSettings(const SimulationSettings& settings, ProblemList* problems) {
  if (!(std::isfinite(settings.step) && settings.step > 0)) {
    problems->Add({}, "simulation", fmt::format("step = {}, expected > 0 s", settings.step));
  }
  if (!std::isfinite(settings.until)) {
    problems->Add({}, "simulation",
                  fmt::format("until = {}, expected a time in s", settings.until));
  }
  if (!(settings.record_interval >= 0)) {
    problems->Add({}, "simulation",
                  fmt::format("record interval = {}, expected ≥ 0 s", settings.record_interval));
  }
  if (settings.threads < 1 || settings.threads > kMaxThreads) {
    problems->Add({}, "simulation",
                  fmt::format("threads = {}, expected 1 to {}", settings.threads, kMaxThreads));
  }
  if (!(settings.max_infeasibility >= 0)) {
    problems->Add(
        {}, "simulation",
        fmt::format("max infeasibility = {}, expected ≥ 0 m", settings.max_infeasibility));
  }
  if (settings.restitution == RestitutionLaw::kPoisson) {
    const std::string_view obstacle = FindObstacleToPoisson(settings.formulation);
    if (!obstacle.empty()) {
      problems->Add({}, "simulation", fmt::format("restitution = poisson: {}", obstacle));
    }
  }
}

// Lists that are not given will be filled in.
void CheckInputs(const Model& model, const State& state, ProblemList* problems) {
  const auto check = [&](const VecX& list, int count, const char* what) {
    if (list.size() == 0 || list.size() == count) return;
    problems->Add({}, "initial state",
                  fmt::format("has {} {}, the model {}", list.size(), what, count));
  };
  check(state.activation, model.activation_count(), "activations");
  check(state.inputs.actuators, model.actuator_count(), "actuator inputs");
  check(state.inputs.joint_force, model.nv(), "joint forces");
  for (const AppliedWrench& wrench : state.inputs.wrenches) {
    if (wrench.body >= 0 && wrench.body < model.nb()) continue;
    problems->Add(
        {}, "initial state",
        fmt::format("has a wrench on body {}, the model has {}", wrench.body, model.nb()));
  }
}

// What only event-driven integration does, or only the step without curvature terms.
void CheckTimeStepping(const Model& model, const SimulationSettings& settings,
                       ProblemList* problems) {
  if (settings.formulation.kind == FormulationKind::kWorking) {
    problems->Add({}, "simulation",
                  "the formulation 'working' is about accelerations and needs the integrator "
                  "event-driven");
  }
  if (settings.curvature == CurvatureTerm::kNone) return;
  const ConstraintSet constraints(model);
  for (const auto& constraint : constraints.list()) {
    if (!constraint->HasReactionFriction()) continue;
    problems->Add(constraint->where(), constraint->name(),
                  fmt::format("friction by the reaction knows no curvature = {}; none does",
                              ToString(settings.curvature)));
  }
}

// More friction at rest than in motion: all others have one μ in event-driven runs.
void CheckStaticFriction(const Model& model, ProblemList* problems) {
  constexpr const char* kNeeds =
      "static_friction above friction needs the formulation 'working' with the integrator "
      "event-driven; in time steps all formulations have it";
  std::set<const Material*> seen;
  for (int g = 0; g < static_cast<int>(model.geometry().size()); ++g) {
    const Material& material = model.material(g);
    if (!(material.CalcStaticFriction() > material.friction) || !seen.insert(&material).second) {
      continue;
    }
    problems->Add(material.where, fmt::format("material '{}'", material.name), kNeeds);
  }
  for (const MaterialPair& pair : model.spec().contact.pairs) {
    if (!pair.static_friction || !(*pair.static_friction > *pair.friction)) continue;
    problems->Add(pair.where, fmt::format("pair of '{}' and '{}'", pair.first, pair.second),
                  kNeeds);
  }
}

// Rigid contacts and limits that begin beyond where they close: events are where they do, and
// nothing says how what is beyond got there. One of each pair of shapes, the deepest.
void CheckOverlaps(const Model& model, const State& initial, ProblemList* problems) {
  constexpr double kDeep = 1e-6;  // m or rad, more than what numbers in files leave
  TouchFinder finder(model);
  finder.Update(initial.t, initial.q, initial.v, TouchFinder::kLook);
  std::vector<const Touch*> deepest;
  for (const Touch& touch : finder.touches()) {  // by id
    if (touch.is_soft() || touch.phi >= -kDeep) continue;
    const bool is_same =
        !deepest.empty() && IsContactId(touch.id) && IsSamePair(deepest.back()->id, touch.id);
    if (!is_same) deepest.push_back(&touch);
    if (touch.phi < deepest.back()->phi) deepest.back() = &touch;
  }
  const FrictionNames names(model);
  for (const Touch* const touch : deepest) {
    const bool is_contact = IsContactId(touch->id);
    problems->Add(
        is_contact ? model.geometry()[GeometryB(touch->id)].where : SourceLocation(),
        names.Describe(model, touch->id),
        fmt::format("{:.3g} {} at the start; the integrator event-driven takes rigid ones up to "
                    "{:.0e} m or rad",
                    -touch->phi, is_contact ? "m of overlap" : "m or rad beyond it", kDeep));
  }
}

}  // namespace

void CheckState(const Model& model, const State& state, ProblemList* problems) {
  if (state.q.size() != model.nq() || state.v.size() != model.nv()) {
    problems->Add({}, "initial state",
                  fmt::format("has {} coordinates and {} rates, the model {} and {}",
                              state.q.size(), state.v.size(), model.nq(), model.nv()));
    return;
  }
  if (!state.synchronous.empty() && static_cast<int>(state.synchronous.size()) != model.nb()) {
    problems->Add({}, "initial state",
                  fmt::format("tells of {} bodies which of their rates are synchronous, the model "
                              "has {}",
                              state.synchronous.size(), model.nb()));
    return;
  }
  if (!state.IsFinite()) {
    problems->Add({}, "initial state", "is not finite");
    return;
  }
  CheckInputs(model, state, problems);
  for (int b = 1; b < model.nb(); ++b) {
    const Joint& joint = model.joint(b);
    if (!HasQuaternion(joint.type)) continue;
    const int at = model.tree().q_start[b] + QuaternionStart(joint.type);
    if (state.q.segment<4>(at).norm() > 0) continue;
    problems->Add(joint.where, fmt::format("joint '{}'", joint.name),
                  "the quaternion of its initial state is zero");
  }
}

void CheckCanRun(const Model& model, const SimulationSettings& settings, const State& initial) {
  ProblemList problems;
  CheckSettings(settings, &problems);
  CheckState(model, initial, &problems);
  const bool has_state = problems.empty();
  if (settings.integrator == Integrator::kEventDriven) {
    if (has_state) CheckEventDriven(model, initial, settings.formulation.kind, &problems);
    if (problems.empty()) CheckOverlaps(model, initial, &problems);
    if (settings.formulation.kind != FormulationKind::kWorking) {
      CheckStaticFriction(model, &problems);
    }
  } else if (settings.integrator == Integrator::kSemiImplicitEuler) {
    CheckTimeStepping(model, settings, &problems);
  } else {
    const ConstraintSet constraints(model);
    for (const auto& constraint : constraints.list()) {
      problems.Add(constraint->where(), constraint->name(),
                   fmt::format("the integrator {} knows no constraints; semi-implicit-euler does",
                               ToString(settings.integrator)));
    }
    for (const ActuatorSpec& actuator : model.actuators()) {
      if (!actuator.has_state()) continue;
      problems.Add(actuator.where, fmt::format("actuator '{}'", actuator.name),
                   fmt::format("the integrator {} knows no activations; semi-implicit-euler does",
                               ToString(settings.integrator)));
    }
  }
  if (settings.audit == AuditKind::kAnew) {
    const std::string obstacle = FindObstacleToFreshAudit(model, settings);
    if (!obstacle.empty()) problems.Add({}, "simulation", "audit = anew: " + obstacle);
  }
  if (has_state) CheckEveryDofMovesInertia(model, initial.q, &problems);
  problems.ThrowIfAny();
}

}  // namespace voigt
