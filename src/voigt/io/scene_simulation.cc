#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "voigt/base/worker_pool.h"
#include "voigt/io/formulation_keys.h"
#include "voigt/io/scene_sections.h"

namespace voigt {
namespace {

Integrator ReadIntegrator(ObjectReader* reader, Integrator fallback) {
  const std::string name = reader->Text("integrator", std::string(ToString(fallback)));
  if (const auto known = IntegratorFromString(name)) return *known;
  const std::string choices =
      ListChoices({ToString(Integrator::kSemiImplicitEuler), ToString(Integrator::kRungeKutta4),
                   ToString(Integrator::kAdaptive), ToString(Integrator::kEventDriven)});
  reader->Fail(*reader->Find("integrator"), "integrator",
               fmt::format("'{}', expected {}", name, choices));
  return fallback;
}

// A number under a key, and a complaint where it is not what was expected.
double CheckedNumber(ObjectReader* reader, const char* key, double fallback, const char* expected,
                     bool (*is_good)(double)) {
  const double number = reader->Number(key, fallback);
  if (is_good(number)) return number;
  reader->Fail(*reader->Find(key), key, fmt::format("{}, expected {}", number, expected));
  return fallback;
}

bool IsTime(double x) { return std::isfinite(x) && x >= 0; }
bool IsPart(double x) { return x >= 0 && x <= 1; }

// For studies: only these may be tried on islands.
AttemptSet ReadAttempts(ObjectReader* reader) {
  AttemptSet out;
  const auto names = ListAttemptNames();
  for (const std::string& name : reader->Texts("attempts").value_or(std::vector<std::string>())) {
    const std::optional<Attempt> attempt = AttemptFromString(name);
    if (attempt) {
      out.Add(*attempt);
    } else {
      reader->Fail(
          *reader->Find("attempts"), "attempts",
          fmt::format("'{}', expected {}", name, ListChoices({names.begin(), names.end()})));
    }
  }
  return out;
}

void ReadCompliantSettings(ObjectReader* reader, CompliantSettings* out) {
  out->friction = reader
                      ->Choice<FrictionMode>("friction", {{"coulomb", FrictionMode::kCoulomb},
                                                          {"lagged", FrictionMode::kLagged},
                                                          {"cone", FrictionMode::kCone}})
                      .value_or(out->friction);
  out->inner =
      reader
          ->Choice<InnerSolver>("linear_solver", {{"auto", InnerSolver::kAuto},
                                                  {"dense", InnerSolver::kDense},
                                                  {"tree-sparse", InnerSolver::kTreeSparse},
                                                  {"block-sparse", InnerSolver::kBlockSparse}})
          .value_or(out->inner);
  out->time_limit = CheckedNumber(reader, "time_limit", out->time_limit, "a time ≥ 0 in s", IsTime);
  if (reader->Has("attempts")) out->attempts = ReadAttempts(reader);
}

// The polyhedral friction cones under `cone`.
void ReadCone(ObjectReader* simulation, ImpulseSpaceSettings* out) {
  const YamlValue* value = simulation->Find("cone");
  if (value == nullptr) return;
  ObjectReader reader(*value, "simulation.cone", simulation->context());
  if (reader.Has("directions")) {
    out->directions = static_cast<int>(
        CheckedNumber(&reader, "directions", 4, "an even number from 4 to 64",
                      [](double x) { return x >= 4 && x <= 64 && x == 2 * std::floor(x / 2); }));
  }
  if (reader.Has("align")) out->align = reader.Flag("align", true);
  out->angle = CheckedNumber(&reader, "angle", out->angle, "an angle in rad",
                             [](double x) { return std::isfinite(x); });
  if (reader.Has("angle") && out->align.value_or(false)) {
    reader.Fail(*reader.Find("angle"), "angle", "has no meaning beside 'align: true'");
  }
  if (reader.Has("angle")) out->align = false;
  reader.Finish();
}

// The weights of `compliant-qcqp` under `qcqp`.
void ReadQcqp(ObjectReader* simulation, ImpulseSpaceSettings* out) {
  const YamlValue* value = simulation->Find("qcqp");
  if (value == nullptr) return;
  ObjectReader reader(*value, "simulation.qcqp", simulation->context());
  const auto read = [&](const char* key, const char* expected, std::optional<double>* number) {
    if (!reader.Has(key)) return;
    *number = CheckedNumber(&reader, key, 1, expected,
                            [](double x) { return std::isfinite(x) && x > 0; });
  };
  read("zeta", "a positive weight", &out->zeta);
  read("tangential_damping", "a positive damping in N s/m", &out->tangential_damping);
  reader.Finish();
}

// What one kind of formulation knows and another does not.
void RejectKeys(ObjectReader* reader, FormulationKind kind) {
  for (std::string_view key : ListFormulationKeys()) {
    const std::string_view owner = FindOtherOwner(key, kind);
    if (owner.empty() || !reader->Has(key)) continue;
    reader->Fail(*reader->Find(key), key,
                 fmt::format("belongs to {}, not to '{}'", owner, ToString(kind)));
  }
}

// What is accepted, and what solvers aim at where every step gains a digit.
void ReadAccuracy(ObjectReader* reader, FormulationSettings* out) {
  const auto read = [&](const char* key, double fallback) {
    return CheckedNumber(reader, key, fallback, "a number between 0 and 1",
                         [](double x) { return x > 0 && x < 1; });
  };
  if (!reader->Has("tolerance") && !reader->Has("aim")) return;
  const double tolerance = read("tolerance", out->tolerance());
  const double aim = read("aim", std::min(out->compliant.aim, tolerance));
  if (aim > tolerance) {
    reader->Fail(*reader->Find("aim"), "aim",
                 fmt::format("{}, expected at most the tolerance, {}", aim, tolerance));
  }
  out->compliant.tolerance = out->impulse_space.tolerance = tolerance;
  out->compliant.aim = out->impulse_space.aim = aim;
}

FormulationSettings ReadFormulation(ObjectReader* reader, Integrator integrator) {
  FormulationSettings out;
  if (integrator == Integrator::kEventDriven) out.kind = FormulationKind::kMaxDissipation;
  std::vector<std::pair<std::string_view, FormulationKind>> choices;
  for (FormulationKind kind : ListFormulationKinds()) choices.push_back({ToString(kind), kind});
  choices.push_back({ToString(FormulationKind::kWorking), FormulationKind::kWorking});
  out.kind = reader->Choice<FormulationKind>("formulation", choices).value_or(out.kind);
  ReadCompliantSettings(reader, &out.compliant);
  ReadCone(reader, &out.impulse_space);
  ReadQcqp(reader, &out.impulse_space);
  out.impulse_space.viscous =
      reader
          ->Choice<ViscousFriction>("viscous", {{"damper", ViscousFriction::kDamper},
                                                {"linear", ViscousFriction::kLinear},
                                                {"quadrature", ViscousFriction::kQuadrature}})
          .value_or(out.impulse_space.viscous);
  out.working.iteration =
      reader
          ->Choice<NormalForceIteration>("normal_forces",
                                         {{"newton", NormalForceIteration::kNewton},
                                          {"fixed-point", NormalForceIteration::kFixedPoint}})
          .value_or(out.working.iteration);
  ReadAccuracy(reader, &out);
  if (reader->Has("max_iterations")) {
    out.compliant.max_iterations = out.impulse_space.max_iterations =
        static_cast<int>(CheckedNumber(
            reader, "max_iterations", out.compliant.max_iterations, "a whole number from 1 to 1e9",
            [](double x) { return x >= 1 && x <= 1e9 && x == std::floor(x); }));
  }
  RejectKeys(reader, out.kind);
  if (out.kind == FormulationKind::kWorking && integrator != Integrator::kEventDriven) {
    reader->Fail(*reader->Find("formulation"), "formulation",
                 "'working' is about accelerations and needs 'integrator: event-driven'");
    out.kind = FormulationKind::kCompliant;
  }
  return out;
}

Stabilization ReadStabilization(ObjectReader* simulation) {
  Stabilization out;
  const YamlValue* value = simulation->Find("stabilization");
  if (value == nullptr) return out;
  if (value->IsScalar()) {
    out.joints = out.contacts =
        CheckedNumber(simulation, "stabilization", 1, "a number from 0 to 1, or a map", IsPart);
    return out;
  }
  ObjectReader reader(*value, "simulation.stabilization", simulation->context());
  out.joints = CheckedNumber(&reader, "joints", out.joints, "a number from 0 to 1", IsPart);
  out.contacts = CheckedNumber(&reader, "contacts", out.contacts, "a number from 0 to 1", IsPart);
  out.predictive = reader.Choice<bool>("activation", {{"predictive", true}, {"touching", false}})
                       .value_or(out.predictive);
  reader.Finish();
  return out;
}

RestitutionLaw ReadRestitution(ObjectReader* reader, const FormulationSettings& formulation) {
  const RestitutionLaw law =
      reader
          ->Choice<RestitutionLaw>("restitution", {{"newton", RestitutionLaw::kNewton},
                                                   {"poisson", RestitutionLaw::kPoisson},
                                                   {"sequence", RestitutionLaw::kSequence}})
          .value_or(RestitutionLaw::kNewton);
  const std::string_view obstacle = FindObstacleToPoisson(formulation);
  if (law != RestitutionLaw::kPoisson || obstacle.empty()) return law;
  reader->Fail(*reader->Find("restitution"), "restitution", fmt::format("'poisson': {}", obstacle));
  return RestitutionLaw::kNewton;
}

CurvatureTerm ReadCurvature(ObjectReader* reader, CurvatureTerm fallback) {
  const std::string name = reader->Text("curvature", std::string(ToString(fallback)));
  if (const auto known = CurvatureTermFromString(name)) return *known;
  const std::string choices =
      ListChoices({ToString(CurvatureTerm::kNone), ToString(CurvatureTerm::kPredictor),
                   ToString(CurvatureTerm::kPrinted)});
  reader->Fail(*reader->Find("curvature"), "curvature",
               fmt::format("'{}', expected {}", name, choices));
  return fallback;
}

}  // namespace

SimulationSettings ReadSimulation(ObjectReader* scene, std::optional<double> included_step) {
  SimulationSettings settings;
  settings.step = included_step.value_or(settings.step);
  const YamlValue* value = FindSection(scene, "simulation");
  if (value == nullptr) return settings;
  ObjectReader reader(*value, "simulation", scene->context());
  settings.step = CheckedNumber(&reader, "step", settings.step, "a positive time in s",
                                [](double x) { return std::isfinite(x) && x > 0; });
  settings.until = CheckedNumber(&reader, "until", settings.until, "a time ≥ 0 in s", IsTime);
  settings.record_interval = CheckedNumber(&reader, "record_interval", settings.record_interval,
                                           "a time ≥ 0 in s", IsTime);
  settings.integrator = ReadIntegrator(&reader, settings.integrator);
  settings.coordinates =
      reader
          .Choice<Coordinates>("coordinates", {{"minimal", Coordinates::kMinimal},
                                               {"maximal", Coordinates::kMaximal}})
          .value_or(settings.coordinates);
  settings.audit = reader
                       .Choice<AuditKind>("audit", {{"true", AuditKind::kStep},
                                                    {"false", AuditKind::kOff},
                                                    {"anew", AuditKind::kAnew}})
                       .value_or(settings.audit);
  settings.threads = static_cast<int>(
      CheckedNumber(&reader, "threads", settings.threads,
                    fmt::format("a whole number from 1 to {}", kMaxThreads).c_str(),
                    [](double x) { return x >= 1 && x <= kMaxThreads && x == std::floor(x); }));
  settings.check_pointed = reader.Flag("check_pointed", settings.check_pointed);
  settings.formulation = ReadFormulation(&reader, settings.integrator);
  settings.stabilization = ReadStabilization(&reader);
  settings.restitution = ReadRestitution(&reader, settings.formulation);
  settings.half_kicks = reader.Choice<bool>("kick", {{"halves", true}, {"whole", false}})
                            .value_or(settings.half_kicks);
  settings.max_infeasibility =
      CheckedNumber(&reader, "max_infeasibility", settings.max_infeasibility,
                    "a number ≥ 0 in m or rad", [](double x) { return x >= 0; });
  const auto read_share = [&](const char* key, double share) {
    return CheckedNumber(&reader, key, share, "a share from 0 to 1, or inf",
                         [](double x) { return x >= 0 && (x <= 1 || x == kInfinity); });
  };
  settings.max_unexplained = read_share("max_unexplained", settings.max_unexplained);
  settings.max_unsolved = read_share("max_unsolved", settings.max_unsolved);
  settings.curvature = ReadCurvature(&reader, settings.curvature);
  reader.Finish();
  return settings;
}

}  // namespace voigt
