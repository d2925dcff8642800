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

struct SimulationSettings {
  double step = 1e-3;          // s; for adaptive and event-driven, the interval between outputs
  double until = 1;            // s
  double record_interval = 0;  // s between recorded samples; 0 records every step
  Integrator integrator = Integrator::kSemiImplicitEuler;
  Coordinates coordinates = Coordinates::kMinimal;  // of scenes: a model is what it is
  FormulationSettings formulation;                  // of semi-implicit Euler steps, and of impacts
  Stabilization stabilization;                      // of the same
  RestitutionLaw restitution = RestitutionLaw::kNewton;  // of the same
  double max_infeasibility = kInfinity;                  // of the same: where a run ends, m or rad
  CurvatureTerm curvature = CurvatureTerm::kNone;  // of the same; the others are for studies only
  int threads = 1;  // 1 … kMaxThreads; the bits of a run do not depend on it (base/worker_pool.h)
  bool check_pointed = false;  // tell where friction cones are not pointed (pointed_cone.h)
  bool audit = true;           // judge the impulses of every step (audit/audit.h)
};

// Why these settings cannot have Poisson's restitution; empty if they can.
std::string_view FindObstacleToPoisson(const FormulationSettings& settings);

}  // namespace voigt
