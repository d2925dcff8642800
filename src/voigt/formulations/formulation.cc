#include "voigt/formulations/formulation.h"

#include <algorithm>
#include <array>

#include "voigt/base/check.h"
#include "voigt/formulations/compliant_qcqp/qcqp_method.h"
#include "voigt/formulations/max_dissipation/dissipation_method.h"
#include "voigt/formulations/mlcp/fischer_burmeister_method.h"
#include "voigt/formulations/mlcp/lemke_method.h"
#include "voigt/formulations/mncp/ncp_method.h"

namespace voigt {
namespace {

constexpr std::array<FormulationKind, 9> kKinds = {
    FormulationKind::kCompliant, FormulationKind::kStabilizedLcp,  FormulationKind::kMlcpLemke,
    FormulationKind::kMlcpFbRlm, FormulationKind::kMlcpFbPlm,      FormulationKind::kMncpRlm,
    FormulationKind::kMncpPlm,   FormulationKind::kMaxDissipation, FormulationKind::kCompliantQcqp};

class CompliantFormulation : public Formulation {
 public:
  explicit CompliantFormulation(const CompliantSettings& settings) : compliant_(settings) {}
  void Solve(const VelocityProblem& problem, const VecX& warm_start, Solution* solution) override {
    compliant_.Solve(problem, warm_start, solution);
  }
  void SolveHeld(const VelocityProblem& problem, VecX* x, VecX* gamma) override {
    compliant_.SolveHeld(problem, x, gamma);
  }
  void UseThreads(WorkerPool* pool) override { compliant_.UseThreads(pool); }

 private:
  Compliant compliant_;
};

PolyhedralSettings ChooseCone(const FormulationSettings& settings) {
  const bool is_stabilized = settings.kind == FormulationKind::kStabilizedLcp;
  const ImpulseSpaceSettings& given = settings.impulse_space;
  return {given.directions.value_or(is_stabilized ? 8 : 4), given.align.value_or(!is_stabilized),
          given.angle};
}

std::unique_ptr<IslandMethod> MakeMethod(const FormulationSettings& settings) {
  ImpulseSpaceSettings space = settings.impulse_space;
  space.aim = std::min(space.aim, space.tolerance);
  switch (settings.kind) {
    case FormulationKind::kStabilizedLcp:
    case FormulationKind::kMlcpLemke:
      return std::make_unique<LemkeMethod>(ChooseCone(settings), space);
    case FormulationKind::kMlcpFbRlm:
      return std::make_unique<FischerBurmeisterMethod>(LevenbergMarquardtVariant::kRegular,
                                                       ChooseCone(settings), space);
    case FormulationKind::kMlcpFbPlm:
      return std::make_unique<FischerBurmeisterMethod>(LevenbergMarquardtVariant::kProjected,
                                                       ChooseCone(settings), space);
    case FormulationKind::kMncpRlm:
      return std::make_unique<NcpMethod>(LevenbergMarquardtVariant::kRegular, space);
    case FormulationKind::kMncpPlm:
      return std::make_unique<NcpMethod>(LevenbergMarquardtVariant::kProjected, space);
    case FormulationKind::kMaxDissipation:
      return std::make_unique<DissipationMethod>(space);
    case FormulationKind::kCompliantQcqp:
      return std::make_unique<QcqpMethod>(space);
    case FormulationKind::kCompliant:
    case FormulationKind::kWorking:
      break;  // not in the space of impulses
  }
  return nullptr;
}

}  // namespace

std::string_view ToString(FormulationKind kind) {
  switch (kind) {
    case FormulationKind::kCompliant:
      return "compliant";
    case FormulationKind::kStabilizedLcp:
      return "stabilized-lcp";
    case FormulationKind::kMlcpLemke:
      return "mlcp-lemke";
    case FormulationKind::kMlcpFbRlm:
      return "mlcp-fb-rlm";
    case FormulationKind::kMlcpFbPlm:
      return "mlcp-fb-plm";
    case FormulationKind::kMncpRlm:
      return "mncp-rlm";
    case FormulationKind::kMncpPlm:
      return "mncp-plm";
    case FormulationKind::kMaxDissipation:
      return "max-dissipation";
    case FormulationKind::kCompliantQcqp:
      return "compliant-qcqp";
    case FormulationKind::kWorking:
      return "working";
  }
  return "";
}

std::span<const FormulationKind> ListFormulationKinds() { return kKinds; }

std::optional<FormulationKind> FormulationKindFromString(std::string_view name) {
  for (FormulationKind kind : kKinds) {
    if (ToString(kind) == name) return kind;
  }
  if (name == ToString(FormulationKind::kWorking)) return FormulationKind::kWorking;
  return std::nullopt;
}

std::unique_ptr<Formulation> MakeFormulation(const FormulationSettings& settings) {
  VOIGT_CHECK(settings.kind != FormulationKind::kWorking);
  if (settings.kind == FormulationKind::kCompliant) {
    return std::make_unique<CompliantFormulation>(settings.compliant);
  }
  return std::make_unique<ImpulseFormulation>(settings.impulse_space, MakeMethod(settings));
}

}  // namespace voigt
