#include <fmt/format.h>

#include <cmath>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "voigt/model/spec_checks.h"

namespace voigt {
namespace {

using MaterialsByName = std::unordered_map<std::string, const Material*>;

void CheckShapeMaterial(const Geometry& geometry, const std::string& owner,
                        const MaterialsByName& materials, ProblemList* problems) {
  const std::string element = Describe(geometry, owner);
  const auto found =
      materials.find(geometry.material.empty() ? kDefaultMaterial : geometry.material);
  if (found == materials.end() && !geometry.material.empty() &&
      geometry.material != kDefaultMaterial) {
    problems->Add(geometry.where, element,
                  fmt::format("material '{}' does not exist", geometry.material));
    return;
  }
  const Foundation* foundation = std::get_if<Foundation>(&geometry.shape);
  const bool has_depth = (foundation != nullptr && foundation->depth) ||
                         (geometry.foundation && geometry.foundation->depth);
  if (!has_depth) return;
  if (found == materials.end() || !found->second->youngs_modulus) {
    problems->Add(geometry.where, element,
                  "an elastic layer of some depth needs a material with youngs_modulus; or give "
                  "stiffness in place of depth");
  }
}

void CheckMaterialPairs(const ContactSettings& contact, const MaterialsByName& materials,
                        ProblemList* problems) {
  std::set<std::pair<std::string, std::string>> seen;
  for (const MaterialPair& pair : contact.pairs) {
    const std::string element = fmt::format("pair of '{}' and '{}'", pair.first, pair.second);
    for (const std::string& name : {pair.first, pair.second}) {
      if (name != kDefaultMaterial && materials.find(name) == materials.end()) {
        problems->Add(pair.where, element, fmt::format("material '{}' does not exist", name));
      }
    }
    const bool is_new = pair.first < pair.second ? seen.emplace(pair.first, pair.second).second
                                                 : seen.emplace(pair.second, pair.first).second;
    if (!is_new) problems->Add(pair.where, element, "is given twice");
    for (std::string& defect : DescribeMaterialPairDefects(pair)) {
      problems->Add(pair.where, element, std::move(defect));
    }
  }
}

}  // namespace

void CheckMaterials(const ModelSpec& spec, ProblemList* problems) {
  MaterialsByName materials;
  for (size_t i = 0; i < spec.materials.size(); ++i) {
    const Material& material = spec.materials[i];
    std::string element = fmt::format("material '{}'", material.name);
    if (material.name.empty()) {
      element = fmt::format("material {}", i);
      problems->Add(material.where, element, "has no name");
    } else if (!materials.emplace(material.name, &material).second) {
      problems->Add(material.where, element, "is given twice");
    }
    for (std::string& defect : DescribeMaterialDefects(material)) {
      problems->Add(material.where, element, std::move(defect));
    }
  }
  for (const Geometry& geometry : spec.world_geometry) {
    CheckShapeMaterial(geometry, "world", materials, problems);
  }
  for (const BodySpec& body : spec.bodies) {
    for (const Geometry& geometry : body.geometry) {
      CheckShapeMaterial(geometry, Describe(body), materials, problems);
    }
  }
  const auto check_positive = [&](const char* what, double value, bool zero_allowed) {
    if (value > 0 || (zero_allowed && value == 0)) return;
    problems->Add(spec.contact.where, "contact",
                  fmt::format("{} = {}, expected a {} number", what, value,
                              zero_allowed ? "non-negative" : "positive"));
  };
  check_positive("recovery_speed", spec.contact.recovery_speed, false);
  check_positive("restitution_speed", spec.contact.restitution_speed, true);
  check_positive("acceleration", spec.contact.acceleration, true);
  const double creep_speed = spec.contact.creep_speed;
  if (!(std::isfinite(creep_speed) && creep_speed >= ContactSettings::kLeastCreepSpeed)) {
    problems->Add(spec.contact.where, "contact",
                  fmt::format("creep_speed = {}, expected a speed of at least {} m/s", creep_speed,
                              ContactSettings::kLeastCreepSpeed));
  }
  if (!(std::isfinite(spec.contact.layer) && spec.contact.layer >= 0)) {
    problems->Add(spec.contact.where, "contact",
                  fmt::format("layer = {}, expected a length ≥ 0 in m", spec.contact.layer));
  }
  CheckMaterialPairs(spec.contact, materials, problems);
}

}  // namespace voigt
