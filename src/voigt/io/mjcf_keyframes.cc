#include <fmt/format.h>

#include "voigt/io/mjcf_context.h"

namespace voigt {
namespace {

// Numbers of all joints one after another, as many as each has.
using JointValues = std::map<std::string, std::vector<double>>;

void SpreadOverJoints(const XmlReader& reader, std::string_view attribute,
                      int (*count)(JointType type), const MjcfContext& context,
                      JointValues* values) {
  if (!reader.Has(attribute)) return;
  size_t total = 0;
  for (const MjcfJoint& joint : context.joints) {
    total += count(context.out.spec.joints[joint.spec].type);
  }
  const std::vector<double> numbers = reader.Numbers(attribute, total, total);
  if (numbers.empty()) return;
  size_t next = 0;
  for (const MjcfJoint& joint : context.joints) {
    const JointSpec& spec = context.out.spec.joints[joint.spec];
    const int own = count(spec.type);
    (*values)[spec.name] = {numbers.begin() + next, numbers.begin() + next + own};
    next += own;
  }
}

void NormalizeOrientations(const XmlReader& reader, const MjcfContext& context,
                           JointValues* values) {
  for (const MjcfJoint& joint : context.joints) {
    const JointSpec& spec = context.out.spec.joints[joint.spec];
    const auto entry = values->find(spec.name);
    if (entry == values->end() || !HasQuaternion(spec.type)) continue;
    Eigen::Map<Vec4> quaternion(entry->second.data() + QuaternionStart(spec.type));
    if (quaternion.stableNorm() > 1e-12) {
      quaternion.stableNormalize();
    } else {
      reader.Fail(
          fmt::format("qpos: the orientation of joint '{}' is zero, expected a unit "
                      "quaternion",
                      spec.name));
    }
  }
}

void SpreadOverActuators(const XmlReader& reader, std::string_view attribute,
                         const std::vector<std::string>& actuators,
                         std::map<std::string, double>* values) {
  if (!reader.Has(attribute)) return;
  const std::vector<double> numbers = reader.Numbers(attribute, actuators.size(), actuators.size());
  for (size_t i = 0; i < numbers.size(); ++i) (*values)[actuators[i]] = numbers[i];
}

}  // namespace

void ReadMjcfKeyframes(const XmlElement& section, MjcfContext* context) {
  section.was_read = true;
  for (const XmlElement* element : section.Children("key")) {
    const XmlReader reader(*element, &context->problems);
    ImportedKeyframe key;
    key.where = element->where;
    key.name = reader.Text("name");
    if (key.name.empty()) key.name = fmt::format("key{}", context->out.keyframes.size());
    key.time = reader.Number("time", 0);
    SpreadOverJoints(reader, "qpos", &CoordinateCount, *context, &key.q);
    NormalizeOrientations(reader, *context, &key.q);
    SpreadOverJoints(reader, "qvel", &DofCount, *context, &key.v);
    SpreadOverActuators(reader, "ctrl", context->actuators, &key.inputs);
    SpreadOverActuators(reader, "act", context->activated, &key.activations);
    context->out.keyframes.push_back(std::move(key));
  }
}

}  // namespace voigt
