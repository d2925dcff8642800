#include "voigt/sim/settings.h"

#include <array>
#include <utility>

namespace voigt {
namespace {

constexpr std::array<std::pair<Integrator, std::string_view>, 4> kNames = {{
    {Integrator::kSemiImplicitEuler, "semi-implicit-euler"},
    {Integrator::kRungeKutta4, "rk4"},
    {Integrator::kAdaptive, "adaptive"},
    {Integrator::kEventDriven, "event-driven"},
}};

}  // namespace

std::string_view ToString(Integrator integrator) {
  for (const auto& [value, name] : kNames) {
    if (value == integrator) return name;
  }
  return "";
}

std::optional<Integrator> IntegratorFromString(std::string_view name) {
  for (const auto& [value, text] : kNames) {
    if (text == name) return value;
  }
  return std::nullopt;
}

bool HasViscousInCone(const FormulationSettings& settings) {
  return settings.kind == FormulationKind::kMaxDissipation &&
         settings.impulse_space.viscous != ViscousFriction::kDamper;
}

std::string_view FindObstacleToPoisson(const FormulationSettings& settings) {
  if (settings.kind == FormulationKind::kMaxDissipation) {
    return "the formulation 'max-dissipation' knows no phases of impacts, only 'newton' and "
           "'sequence'";
  }
  if (settings.kind == FormulationKind::kCompliantQcqp) {
    return "the formulation 'compliant-qcqp' knows no phases of impacts, only 'newton' and "
           "'sequence'";
  }
  if (settings.kind == FormulationKind::kCompliant &&
      settings.compliant.friction != FrictionMode::kCoulomb) {
    return "phases of impacts need 'friction: coulomb'; other modes know only 'newton' and "
           "'sequence'";
  }
  return "";
}

}  // namespace voigt
