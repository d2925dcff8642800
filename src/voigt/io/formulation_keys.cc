#include "voigt/io/formulation_keys.h"

#include <array>

namespace voigt {
namespace {

constexpr std::string_view kConeKey = "cone", kViscousKey = "viscous", kQcqpKey = "qcqp";
constexpr std::string_view kNormalForcesKey = "normal_forces";
constexpr std::array<std::string_view, 9> kFormulationKeys = {
    "friction", "linear_solver", "time_limit", "attempts",      "curvature",
    kConeKey,   kViscousKey,     kQcqpKey,     kNormalForcesKey};

bool HasPolyhedralCones(FormulationKind kind) {
  switch (kind) {
    case FormulationKind::kStabilizedLcp:
    case FormulationKind::kMlcpLemke:
    case FormulationKind::kMlcpFbRlm:
    case FormulationKind::kMlcpFbPlm:
      return true;
    case FormulationKind::kCompliant:
    case FormulationKind::kMncpRlm:
    case FormulationKind::kMncpPlm:
    case FormulationKind::kMaxDissipation:
    case FormulationKind::kCompliantQcqp:
    case FormulationKind::kWorking:
      break;
  }
  return false;
}

}  // namespace

std::span<const std::string_view> ListFormulationKeys() { return kFormulationKeys; }

std::string_view FindOtherOwner(std::string_view key, FormulationKind kind) {
  if (key == kConeKey) {
    return HasPolyhedralCones(kind) ? ""
                                    : "formulations with polyhedral cones (stabilized-lcp, mlcp-…)";
  }
  if (key == kViscousKey) {
    return kind == FormulationKind::kMaxDissipation ? "" : "the formulation 'max-dissipation'";
  }
  if (key == kQcqpKey) {
    return kind == FormulationKind::kCompliantQcqp ? "" : "the formulation 'compliant-qcqp'";
  }
  if (key == kNormalForcesKey) {
    return kind == FormulationKind::kWorking ? "" : "the formulation 'working'";
  }
  return kind == FormulationKind::kCompliant ? "" : "the formulation 'compliant'";
}

}  // namespace voigt
