#include "voigt/model/model.h"

#include "voigt/model/joint_motion.h"

namespace voigt {
namespace {

std::optional<int> Find(const std::unordered_map<std::string, int>& index, std::string_view name) {
  const auto entry = index.find(std::string(name));
  if (entry == index.end()) return std::nullopt;
  return entry->second;
}

}  // namespace

std::optional<int> Model::FindBody(std::string_view name) const { return Find(body_index_, name); }

std::optional<int> Model::FindJoint(std::string_view name) const {
  return Find(joint_index_, name);
}

std::optional<int> Model::FindLoop(std::string_view name) const { return Find(loop_index_, name); }

std::optional<int> Model::FindActuator(std::string_view name) const {
  return Find(actuator_index_, name);
}

PairRules Model::pair_rules(int g, int other) const {
  PairRules rules{spec_.contact.friction_rule, nullptr};
  if (pair_of_materials_.empty()) return rules;
  const int pair = pair_of_materials_[material_of_[g] * materials_.size() + material_of_[other]];
  if (pair >= 0) rules.pair = &spec_.contact.pairs[pair];
  return rules;
}

double Model::TotalMass() const {
  double mass = 0;
  for (const Body& body : bodies_) mass += body.mass.mass;
  return mass;
}

VecX Model::NeutralCoordinates() const {
  VecX q(nq());
  for (int b = 1; b < nb(); ++b) SetNeutral(tree_.type[b], q.data() + tree_.q_start[b]);
  return q;
}

VecX Model::StartingActivation() const {
  VecX out(activation_count_);
  for (int i = 0; i < actuator_count(); ++i) {
    if (activation_index_[i] >= 0) out[activation_index_[i]] = actuators()[i].start;
  }
  return out;
}

}  // namespace voigt
