#pragma once

#include <optional>
#include <string_view>

#include "voigt/constraints/curvature.h"
#include "voigt/constraints/impacts.h"
#include "voigt/formulations/formulation.h"

namespace voigt {

enum class Integrator {
  kSemiImplicitEuler,  // the time stepping that contact and constraints use; any step is stable
  kRungeKutta4,        // order 4, trees without constraints
  kAdaptive,           // a reference of high accuracy, trees without constraints
  kEventDriven,        // high accuracy between impacts, each at its time; rigid contact
};

std::string_view ToString(Integrator integrator);
std::optional<Integrator> IntegratorFromString(std::string_view name);

// What a scene moves in: joint coordinates of a spanning tree, or poses of all bodies, which joints
// then hold together as constraints (model/maximal.h).
enum class Coordinates { kMinimal, kMaximal };

// What the impulses of every step are judged by (audit/audit.h).
enum class AuditKind {
  kOff,
  kStep,  // the rows that the step wrote before anybody solved them
  kAnew,  // rows that are worked out once more, from model and state alone (sim/fresh_audit.h)
};

struct SimulationSettings {
  double step = 1e-3;          // s; for adaptive and event-driven, the interval between outputs
  double until = 1;            // s
  double record_interval = 0;  // s between recorded samples; 0 records every step
  Integrator integrator = Integrator::kSemiImplicitEuler;
  Coordinates coordinates = Coordinates::kMinimal;  // of scenes: a model is what it is
  FormulationSettings formulation;                  // of semi-implicit Euler steps, and of impacts
  Stabilization stabilization;                      // of the same
  RestitutionLaw restitution = RestitutionLaw::kNewton;  // of the same
  // Of the same: forces on what is free act by halves at both ends of a step (sim/free_trees.h).
  bool half_kicks = true;
  double max_infeasibility = kInfinity;            // of the same: where a run ends, m or rad
  CurvatureTerm curvature = CurvatureTerm::kNone;  // of the same; the others are for studies only
  int threads = 1;  // 1 … kMaxThreads; the bits of a run do not depend on it (base/worker_pool.h)
  bool check_pointed = false;  // tell where friction cones are not pointed (pointed_cone.h)
  // Beyond these a run has not done what was asked (RunSummary::IsAccurate): energy that nothing
  // explains, as a part of the energy in play, and steps that are not solved, as a part of all.
  double max_unexplained = 0.01, max_unsolved = 0.01;
  AuditKind audit = AuditKind::kStep;
  bool has_audit() const { return audit != AuditKind::kOff; }
};

// Whether viscous friction of contacts is within their cones (ConstraintContext).
bool HasViscousInCone(const FormulationSettings& settings);

// Why these settings cannot have Poisson's restitution; empty if they can.
std::string_view FindObstacleToPoisson(const FormulationSettings& settings);

}  // namespace voigt
