#include <fmt/format.h>

#include <array>
#include <cmath>

#include "voigt/io/mjcf_context.h"

namespace voigt {
namespace {

// The kinds of actuators that a file may name, each a short way to write <general>.
const std::initializer_list<std::string_view> kActuatorTags = {
    "general", "motor",    "position", "velocity", "intvelocity",
    "damper",  "cylinder", "muscle",   "adhesion"};

enum class MjcfDynamics { kNone, kIntegrator, kFilter, kOther };
enum class MjcfGain { kFixed, kAffine, kOther };
enum class MjcfBias { kNone, kAffine, kOther };

// An actuator as MuJoCo keeps it. Elements of default classes and the actuator's own are applied to
// it one after another; what the short ways imply is set by each of them.
struct MjcfActuator {
  MjcfDynamics dynamics = MjcfDynamics::kNone;
  MjcfGain gain = MjcfGain::kFixed;
  MjcfBias bias = MjcfBias::kNone;
  std::array<double, 10> dynamics_numbers = {1}, gain_numbers = {1}, bias_numbers = {};
  std::array<double, 6> gear = {1, 0, 0, 0, 0, 0};
  std::string unsupported;  // why it cannot be taken over
  bool input_must_be_limited = false, activation_must_be_limited = false;
};

void ApplyGeneral(const XmlReader& reader, MjcfActuator* out) {
  out->dynamics = reader
                      .Choice<MjcfDynamics>("dyntype", {{"none", MjcfDynamics::kNone},
                                                        {"integrator", MjcfDynamics::kIntegrator},
                                                        {"filter", MjcfDynamics::kFilter},
                                                        {"filterexact", MjcfDynamics::kFilter},
                                                        {"muscle", MjcfDynamics::kOther},
                                                        {"user", MjcfDynamics::kOther}})
                      .value_or(out->dynamics);
  out->gain = reader
                  .Choice<MjcfGain>("gaintype", {{"fixed", MjcfGain::kFixed},
                                                 {"affine", MjcfGain::kAffine},
                                                 {"muscle", MjcfGain::kOther},
                                                 {"user", MjcfGain::kOther}})
                  .value_or(out->gain);
  out->bias = reader
                  .Choice<MjcfBias>("biastype", {{"none", MjcfBias::kNone},
                                                 {"affine", MjcfBias::kAffine},
                                                 {"muscle", MjcfBias::kOther},
                                                 {"user", MjcfBias::kOther}})
                  .value_or(out->bias);
  reader.Overwrite("dynprm", 1, out->dynamics_numbers);
  reader.Overwrite("gainprm", 1, out->gain_numbers);
  reader.Overwrite("biasprm", 1, out->bias_numbers);
}

void ApplyMotor(const XmlReader&, MjcfActuator* out) {
  out->dynamics = MjcfDynamics::kNone;
  out->gain = MjcfGain::kFixed;
  out->bias = MjcfBias::kNone;
  out->gain_numbers = {1};
  out->bias_numbers = {};
}

void ApplyPosition(const XmlReader& reader, MjcfActuator* out) {
  out->dynamics = MjcfDynamics::kNone;
  out->gain = MjcfGain::kFixed;
  out->bias = MjcfBias::kAffine;
  out->gain_numbers[0] = reader.Number("kp", out->gain_numbers[0]);
  out->bias_numbers = {0, -out->gain_numbers[0]};
  out->bias_numbers[2] = -reader.Number("kv", 0);  // of later versions of the format
}

void ApplyVelocity(const XmlReader& reader, MjcfActuator* out) {
  out->dynamics = MjcfDynamics::kNone;
  out->gain = MjcfGain::kFixed;
  out->bias = MjcfBias::kAffine;
  out->gain_numbers[0] = reader.Number("kv", out->gain_numbers[0]);
  out->bias_numbers = {0, 0, -out->gain_numbers[0]};
}

void ApplyIntegratedVelocity(const XmlReader& reader, MjcfActuator* out) {
  ApplyPosition(reader, out);
  out->dynamics = MjcfDynamics::kIntegrator;
  out->activation_must_be_limited = true;
}

void ApplyDamper(const XmlReader& reader, MjcfActuator* out) {
  const double kv = reader.Number("kv", 0);
  if (kv < 0) reader.Fail(fmt::format("kv = {}, expected a number ≥ 0", kv));
  out->dynamics = MjcfDynamics::kNone;
  out->gain = MjcfGain::kAffine;
  out->bias = MjcfBias::kNone;
  out->gain_numbers = {0, 0, -kv};
  out->input_must_be_limited = true;
}

void ApplyCylinder(const XmlReader& reader, MjcfActuator* out) {
  out->dynamics = MjcfDynamics::kFilter;
  out->gain = MjcfGain::kFixed;
  out->bias = MjcfBias::kAffine;
  out->dynamics_numbers[0] = reader.Number("timeconst", out->dynamics_numbers[0]);
  reader.Overwrite("bias", 3, std::span(out->bias_numbers).first<3>());
  out->gain_numbers[0] = reader.Number("area", out->gain_numbers[0]);
  if (reader.Has("diameter")) {
    const double diameter = reader.Number("diameter", 0);
    out->gain_numbers[0] = kPi / 4 * diameter * diameter;
  }
}

// One element: of a default class, or the actuator itself.
void ApplyElement(const XmlElement& element, ProblemList* problems, MjcfActuator* out) {
  using Apply = void (*)(const XmlReader&, MjcfActuator*);
  static const std::map<std::string_view, Apply> kApply = {
      {"general", ApplyGeneral},
      {"motor", ApplyMotor},
      {"position", ApplyPosition},
      {"velocity", ApplyVelocity},
      {"damper", ApplyDamper},
      {"cylinder", ApplyCylinder},
      {"intvelocity", ApplyIntegratedVelocity}};
  const XmlReader reader(element, problems);
  reader.Overwrite("gear", 1, out->gear);
  if (const auto apply = kApply.find(element.name); apply != kApply.end()) {
    apply->second(reader, out);
  } else {
    out->unsupported = element.name + " actuators are left out";
  }
}

// A default class is read once per actuator that it serves; what is wrong with it is told once.
void ApplyDefaults(const XmlElement& element, MjcfContext* context, MjcfActuator* out) {
  std::vector<const XmlElement*> layers =
      context->defaults.Layers(kActuatorTags, std::string(element.Peek("class")));
  ProblemList found;
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
    ApplyElement(**layer, &found, out);
  }
  for (const Problem& problem : found.problems()) {
    const auto& known = context->problems.problems();
    const bool is_known = std::any_of(known.begin(), known.end(), [&](const Problem& other) {
      return other.ToString() == problem.ToString();
    });
    if (!is_known) context->problems.Add(problem.where, problem.element, problem.message);
  }
}

// What it pulls at: false if it cannot, which has been told then.
bool ReadMjcfTransmission(const XmlReader& reader, const MjcfActuator& read, MjcfContext* context,
                          ActuatorSpec* out) {
  const auto leave_out = [&](const std::string& why) {
    context->Note(ImportNote::Kind::kUnsupported, reader.where(), reader.element().Describe(), why);
    return false;
  };
  const std::string tendon = reader.Text("tendon");
  std::string joint = reader.Text("joint");
  const bool is_in_parent = reader.Has("jointinparent");
  if (is_in_parent) joint = reader.Text("jointinparent");
  for (const char* other : {"site", "cranksite", "slidersite", "refsite", "body"}) {
    if (reader.Has(other)) return leave_out("actuators on sites and bodies are left out");
  }
  if (!read.unsupported.empty()) return leave_out(read.unsupported);
  if (read.dynamics == MjcfDynamics::kOther || read.gain == MjcfGain::kOther ||
      read.bias == MjcfBias::kOther) {
    return leave_out("muscles and user-defined actuators are left out");
  }
  if (!tendon.empty()) {
    out->tendon = tendon;
    out->gear = {read.gear[0]};
    if (context->left_out_tendons.contains(tendon)) {
      return leave_out(fmt::format("tendon '{}' is left out, and so is this", tendon));
    }
    return true;
  }
  const JointSpec* const spec = context->FindJoint(joint);
  if (spec == nullptr) {
    reader.Fail(joint.empty() ? "names no joint or tendon"
                              : fmt::format("joint '{}' does not exist", joint));
    return false;
  }
  if (is_in_parent && HasQuaternion(spec->type)) {
    return leave_out("torques in the parent's axes are left out");
  }
  out->joint = joint;
  out->gear.assign(read.gear.begin(), read.gear.begin() + DofCount(spec->type));
  return true;
}

AffineLaw ToAffine(const std::array<double, 10>& numbers, bool is_affine) {
  if (!is_affine) return {numbers[0], 0, 0};
  return {numbers[0], numbers[1], numbers[2]};
}

void ReadMjcfRanges(const XmlReader& reader, const MjcfActuator& read, MjcfContext* context,
                    ActuatorSpec* out) {
  const auto set = [&](std::string_view limited, std::string_view range, bool is_needed,
                       ValueRange* target) {
    const auto found = ReadMjcfRange(reader, limited, range, context);
    if (found) *target = *found;
    if (!found && is_needed && !reader.Has(range)) {
      reader.Fail(fmt::format("'{}' is missing, expected two numbers", range));
    }
  };
  set("ctrllimited", "ctrlrange", read.input_must_be_limited, &out->input_range);
  set("forcelimited", "forcerange", false, &out->force_range);
  set("actlimited", "actrange", read.activation_must_be_limited, &out->activation_range);
}

void ReadMjcfActuator(const XmlElement& element, std::set<std::string>* taken,
                      MjcfContext* context) {
  const XmlReader reader = context->ReaderOf(element, kActuatorTags, "");
  reader.Ignore({"class", "group", "user", "lengthrange", "cranklength"});
  const size_t before = context->problems.problems().size();
  MjcfActuator read;
  if (context->problems.problems().size() == before) ApplyDefaults(element, context, &read);
  ApplyElement(element, &context->problems, &read);

  ActuatorSpec actuator;
  actuator.where = element.where;
  const std::string name = reader.Text("name");
  if (!name.empty() && taken->contains(name)) {
    reader.Fail(fmt::format("name '{}' is taken by another actuator", name));
  }
  actuator.name =
      TakeName(name.empty() ? fmt::format("actuator{}", context->actuators.size()) : name, taken);
  context->actuators.push_back(actuator.name);
  if (read.dynamics != MjcfDynamics::kNone) context->activated.push_back(actuator.name);
  if (!ReadMjcfTransmission(reader, read, context, &actuator)) {
    element.MarkAllAsRead();
    return;
  }
  ReadMjcfRanges(reader, read, context, &actuator);
  if (read.dynamics == MjcfDynamics::kIntegrator) {
    actuator.activation = ActivationLaw::kIntegrator;
  } else if (read.dynamics == MjcfDynamics::kFilter) {
    actuator.activation = ActivationLaw::kFilter;
    actuator.time_constant = read.dynamics_numbers[0];
  }
  // What is switched off still has a control.
  actuator.gain = {};
  if (context->flags.actuation) {
    actuator.gain = ToAffine(read.gain_numbers, read.gain == MjcfGain::kAffine);
    if (read.bias == MjcfBias::kAffine) actuator.bias = ToAffine(read.bias_numbers, true);
  }
  // A free joint has no length in MuJoCo.
  if (!actuator.joint.empty() && context->FindJoint(actuator.joint)->type == JointType::kFree) {
    actuator.gain.length = actuator.bias.length = 0;
  }
  if (actuator.activation_range.Clamp(0) != 0) actuator.start = actuator.activation_range.Clamp(0);
  context->out.spec.actuators.push_back(std::move(actuator));
}

}  // namespace

void ReadMjcfActuators(const XmlElement& section, MjcfContext* context) {
  section.was_read = true;
  std::set<std::string> taken(context->actuators.begin(), context->actuators.end());
  for (const XmlElement& element : section.children) {
    element.was_read = true;
    ReadMjcfActuator(element, &taken, context);
  }
}

}  // namespace voigt
