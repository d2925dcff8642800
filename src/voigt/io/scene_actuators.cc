#include <fmt/format.h>

#include <utility>

#include "voigt/io/scene_sections.h"

namespace voigt {
namespace {

// [lower, upper]; ends may be infinite.
ValueRange ReadRange(ObjectReader* reader, std::string_view key) {
  const YamlValue* value = reader->Find(key);
  if (value == nullptr) return {};
  const size_t before = reader->CountProblems();
  const std::vector<double> ends = reader->ToNumbers(*value, key);
  if (reader->CountProblems() > before) return {};
  if (ends.size() == 2) return {ends[0], ends[1]};
  reader->Fail(*value, key, fmt::format("{} values, expected [lower, upper]", ends.size()));
  return {};
}

TimeFunction ReadInput(ObjectReader* reader) {
  const std::vector<TimeFunction> list = reader->Functions("input");
  if (list.size() > 1) {
    reader->Fail(*reader->Find("input"), "input",
                 fmt::format("{} values, expected one function of t", list.size()));
  }
  return list.empty() ? TimeFunction(0) : list[0];
}

AffineLaw ReadAffine(ObjectReader* actuator, std::string_view key, const AffineLaw& none) {
  const YamlValue* value = actuator->Find(key);
  if (value == nullptr) return none;
  ObjectReader reader(*value, fmt::format("{}.{}", actuator->path(), key), actuator->context());
  const AffineLaw law = {reader.Number("constant", 0), reader.Number("length", 0),
                         reader.Number("velocity", 0)};
  reader.Finish();
  return law;
}

void ReadActivation(ObjectReader* actuator, ActuatorSpec* out) {
  const YamlValue* value = actuator->Find("activation");
  if (value == nullptr) return;
  ObjectReader reader(*value, actuator->path() + ".activation", actuator->context());
  if (!reader.RequiredText("type").empty()) {
    out->activation =
        reader
            .Choice<ActivationLaw>("type", {{"integrator", ActivationLaw::kIntegrator},
                                            {"filter", ActivationLaw::kFilter}})
            .value_or(ActivationLaw::kIntegrator);
  }
  if (out->activation == ActivationLaw::kFilter) {
    out->time_constant = reader.RequiredNumber("time_constant", 1);
  } else if (reader.Has("time_constant")) {
    reader.Fail(*reader.Find("time_constant"), "time_constant", "belongs to a filter");
  }
  out->start = reader.Number("start", 0);
  out->activation_range = ReadRange(&reader, "range");
  reader.Finish();
}

void ReadMotorLaw(ObjectReader*, ActuatorSpec*) {}  // the force is the input

void ReadPositionLaw(ObjectReader* reader, ActuatorSpec* out) {
  const double stiffness = reader->RequiredNumber("stiffness", 1);
  MakePositionActuator(stiffness, reader->Number("damping", 0), out);
}

void ReadVelocityLaw(ObjectReader* reader, ActuatorSpec* out) {
  MakeVelocityActuator(reader->RequiredNumber("damping", 1), out);
}

void ReadGeneralLaw(ObjectReader* reader, ActuatorSpec* out) {
  out->gain = ReadAffine(reader, "gain", {1, 0, 0});
  out->bias = ReadAffine(reader, "bias", {});
}

}  // namespace

void ReadTendon(ObjectReader* reader, ModelSpec* spec) {
  const size_t before = reader->CountProblems();
  TendonSpec tendon;
  tendon.where = reader->where();
  tendon.name = reader->RequiredName();
  tendon.terms = ReadTerms(reader);
  tendon.range = ReadRange(reader, "limits");
  tendon.limit_stiffness = reader->Number("limit_stiffness", tendon.limit_stiffness);
  tendon.limit_damping = reader->Number("limit_damping", tendon.limit_damping);
  if (const YamlValue* value = reader->Find("spring")) {
    ObjectReader spring(*value, reader->path() + ".spring", reader->context());
    tendon.stiffness = spring.RequiredNumber("stiffness", 0);
    tendon.rest = spring.Number("rest", 0);
    tendon.slack = spring.Number("slack", 0);
    spring.Finish();
  }
  tendon.damping = reader->Number("damping", 0);
  tendon.dry_friction = reader->Number("dry_friction", 0);
  if (reader->CountProblems() == before) spec->tendons.push_back(std::move(tendon));
}

void ReadActuator(ObjectReader* reader, ModelSpec* spec) {
  using Read = void (*)(ObjectReader*, ActuatorSpec*);
  const size_t before = reader->CountProblems();
  ActuatorSpec actuator;
  actuator.where = reader->where();
  actuator.name = reader->RequiredName();
  actuator.joint = reader->Text("joint", "");
  actuator.tendon = reader->Text("tendon", "");
  if (reader->Has("gear")) actuator.gear = reader->Numbers("gear");
  actuator.input = ReadInput(reader);
  actuator.input_range = ReadRange(reader, "input_range");
  actuator.force_range = ReadRange(reader, "force_range");
  ReadActivation(reader, &actuator);
  const bool has_type = !reader->RequiredText("type").empty();
  const auto read = has_type ? reader->Choice<Read>("type", {{"motor", ReadMotorLaw},
                                                             {"position", ReadPositionLaw},
                                                             {"velocity", ReadVelocityLaw},
                                                             {"general", ReadGeneralLaw}})
                             : std::nullopt;
  if (read) {
    (*read)(reader, &actuator);
  } else {
    // Which of these are meant is unknown now; calling them unknown would only confuse.
    for (const char* key : {"stiffness", "damping", "gain", "bias"}) reader->Find(key);
  }
  if (reader->CountProblems() == before) spec->actuators.push_back(std::move(actuator));
}

}  // namespace voigt
