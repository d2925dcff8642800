#include <algorithm>

#include "voigt/model/constraint_checks.h"
#include "voigt/model/element_check.h"

namespace voigt {
namespace {

void CheckRange(const ElementCheck& check, const ValueRange& range, std::string_view what) {
  if (range.lower < range.upper) return;
  check.Fail(
      fmt::format("{} = [{}, {}], expected the lower end first", what, range.lower, range.upper));
}

void CheckAffine(const ElementCheck& check, const AffineLaw& law, std::string_view what) {
  for (double number : {law.constant, law.length, law.velocity}) check.Finite(number, what);
}

void CheckNotNegative(const ElementCheck& check, double value, std::string_view what) {
  if (std::isfinite(value) && value >= 0) return;
  check.Fail(fmt::format("{} = {}, expected a finite number ≥ 0", what, value));
}

// What the actuator pulls at, and how many gears that takes.
void CheckTransmission(const ElementCheck& check, const ElementNames& names, const ModelSpec& spec,
                       const ActuatorSpec& actuator) {
  if (actuator.joint.empty() == actuator.tendon.empty()) {
    return check.Fail("names neither or both of a joint and a tendon, expected one");
  }
  int count = 1;
  if (!actuator.joint.empty()) {
    const JointType* const type = names.Joint(check, actuator.joint);
    if (type == nullptr) return;
    count = DofCount(*type);
    if (count == 0) return check.Fail("drives a fixed joint, which does not move");
  } else if (std::none_of(spec.tendons.begin(), spec.tendons.end(),
                          [&](const TendonSpec& t) { return t.name == actuator.tendon; })) {
    return check.Fail(fmt::format("tendon '{}' does not exist", actuator.tendon));
  }
  check.Size(actuator.gear, count, "gear", false, false);
  for (double gear : actuator.gear) check.Finite(gear, "gear");
  if (std::all_of(actuator.gear.begin(), actuator.gear.end(), [](double g) { return g == 0; })) {
    check.Fail("gear is zero: it would do nothing");
  }
}

void CheckActivation(const ElementCheck& check, const ActuatorSpec& actuator) {
  if (actuator.activation == ActivationLaw::kFilter) {
    check.Positive(actuator.time_constant, "time constant");
  }
  CheckRange(check, actuator.activation_range, "activation range");
  check.Finite(actuator.start, "start");
  const ValueRange& range = actuator.activation_range;
  if (range.Clamp(actuator.start) == actuator.start) return;
  check.Fail(fmt::format("start = {}, expected a number within [{}, {}]", actuator.start,
                         range.lower, range.upper));
}

}  // namespace

void CheckTendons(const ModelSpec& spec, ProblemList* problems) {
  const ElementNames names(spec);
  for (const TendonSpec& tendon : spec.tendons) {
    const ElementCheck check(tendon.where, fmt::format("tendon '{}'", tendon.name), problems);
    CheckTerms(check, names, tendon.terms, true);
    CheckRange(check, tendon.range, "range");
    check.Compliance(tendon.limit_stiffness, tendon.limit_damping, "limit ");
    check.Finite(tendon.rest, "rest");
    CheckNotNegative(check, tendon.slack, "slack");
    CheckNotNegative(check, tendon.stiffness, "stiffness");
    CheckNotNegative(check, tendon.damping, "damping");
    CheckNotNegative(check, tendon.dry_friction, "dry friction");
  }
}

void CheckActuators(const ModelSpec& spec, ProblemList* problems) {
  const ElementNames names(spec);
  for (const ActuatorSpec& actuator : spec.actuators) {
    const ElementCheck check(actuator.where, fmt::format("actuator '{}'", actuator.name), problems);
    CheckTransmission(check, names, spec, actuator);
    CheckActivation(check, actuator);
    check.Constant(actuator.input, "input");
    CheckRange(check, actuator.input_range, "input range");
    CheckRange(check, actuator.force_range, "force range");
    CheckAffine(check, actuator.gain, "gain");
    CheckAffine(check, actuator.bias, "bias");
  }
}

}  // namespace voigt
