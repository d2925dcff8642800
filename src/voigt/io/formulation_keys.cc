#include "voigt/io/formulation_keys.h"

#include <array>

namespace voigt {
namespace {

constexpr std::string_view kConeKey = "cone";
constexpr std::array<std::string_view, 5> kFormulationKeys = {"friction", "linear_solver",
                                                              "time_limit", "curvature", kConeKey};

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
  return kind == FormulationKind::kCompliant ? "" : "the formulation 'compliant'";
}

}  // namespace voigt
