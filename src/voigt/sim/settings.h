#pragma once

#include <optional>
#include <string_view>

#include "voigt/constraints/curvature.h"
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

struct SimulationSettings {
  double step = 1e-3;          // s; for adaptive and event-driven, the interval between outputs
  double until = 1;            // s
  double record_interval = 0;  // s between recorded samples; 0 records every step
  Integrator integrator = Integrator::kSemiImplicitEuler;
  FormulationSettings formulation;                 // of semi-implicit Euler steps, and of impacts
  Stabilization stabilization;                     // of the same
  double max_infeasibility = kInfinity;            // of the same: where a run ends, m or rad
  CurvatureTerm curvature = CurvatureTerm::kNone;  // of the same; the others are for studies only
  bool audit = true;  // judge the impulses of every step (audit/audit.h)
};

}  // namespace voigt
