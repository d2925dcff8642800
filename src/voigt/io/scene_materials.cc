#include <optional>
#include <utility>

#include "voigt/io/scene_sections.h"

namespace voigt {
namespace {

// A number where the key is given; where it is bad, one that nothing else complains about.
std::optional<double> OptionalNumber(ObjectReader* reader, std::string_view key) {
  if (!reader->Has(key)) return std::nullopt;
  return reader->Number(key, 1);
}

// The law that is named, or the one that the given numbers belong to.
NormalLaw ReadLaw(ObjectReader* reader, const Material& material) {
  std::vector<std::pair<std::string_view, NormalLaw>> choices;
  for (NormalLaw law :
       {NormalLaw::kRigid, NormalLaw::kLinear, NormalLaw::kHertz, NormalLaw::kHuntCrossley}) {
    choices.emplace_back(ToString(law), law);
  }
  if (const auto named = reader->Choice("law", choices)) return *named;
  if (material.youngs_modulus || material.hertz_stiffness) return NormalLaw::kHertz;
  return material.stiffness ? NormalLaw::kLinear : NormalLaw::kRigid;
}

// All but its name.
Material ReadMaterial(ObjectReader* reader) {
  Material m;
  m.where = reader->where();
  m.friction = reader->Number("friction", m.friction);
  m.static_friction = OptionalNumber(reader, "static_friction");
  m.drop_speed = reader->Number("drop_speed", m.drop_speed);
  m.torsional_friction = reader->Number("torsional_friction", m.torsional_friction);
  m.rolling_friction = reader->Number("rolling_friction", m.rolling_friction);
  m.viscous_friction = reader->Number("viscous_friction", m.viscous_friction);
  m.restitution = reader->Number("restitution", m.restitution);
  m.stiffness = OptionalNumber(reader, "stiffness");
  m.damping = reader->Number("damping", m.damping);
  m.youngs_modulus = OptionalNumber(reader, "youngs_modulus");
  m.poisson_ratio = reader->Number("poisson_ratio", m.poisson_ratio);
  m.hertz_stiffness = OptionalNumber(reader, "hertz_stiffness");
  m.dissipation = reader->Number("dissipation", m.dissipation);
  m.tangential_stiffness = OptionalNumber(reader, "tangential_stiffness");
  m.tangential_damping = OptionalNumber(reader, "tangential_damping");
  const size_t before = reader->CountProblems();
  m.law = ReadLaw(reader, m);
  // A misspelt law is one mistake, not two.
  if (reader->CountProblems() > before) m.dissipation = 0;
  return m;
}

// exclude: [[a, b], [c, d]].
std::vector<ExcludedPair> ReadExcluded(ObjectReader* reader) {
  std::vector<ExcludedPair> out;
  const YamlValue* list = reader->Find("exclude");
  if (list == nullptr) return out;
  if (!list->IsList()) {
    reader->Fail(*list, "exclude", list->Describe() + ", expected a list of pairs of bodies");
    return out;
  }
  for (const YamlValue& item : list->items) {
    const size_t before = reader->CountProblems();
    const std::vector<std::string> names = reader->ToTexts(item, "exclude");
    if (reader->CountProblems() > before) continue;
    if (item.IsList() && names.size() == 2) {
      out.push_back({names[0], names[1], item.where});
    } else {
      reader->Fail(item, "exclude", item.Describe() + ", expected two bodies: [a, b]");
    }
  }
  return out;
}

MixingRule ReadFrictionRule(ObjectReader* reader) {
  std::vector<std::pair<std::string_view, MixingRule>> choices;
  for (MixingRule rule : {MixingRule::kGeometricMean, MixingRule::kMinimum, MixingRule::kMaximum,
                          MixingRule::kAverage, MixingRule::kProduct}) {
    choices.emplace_back(ToString(rule), rule);
  }
  return reader->Choice("friction_rule", choices).value_or(MixingRule::kGeometricMean);
}

MaterialPair ReadMaterialPair(ObjectReader* reader) {
  constexpr std::string_view kTwoNames = "a list of the names of two materials";
  MaterialPair pair;
  pair.where = reader->where();
  if (const YamlValue* names = reader->Require("materials", kTwoNames)) {
    const bool are_names = names->IsList() && names->items.size() == 2 &&
                           names->items[0].IsScalar() && names->items[1].IsScalar();
    if (are_names) {
      pair.first = names->items[0].text;
      pair.second = names->items[1].text;
    } else {
      reader->Fail(*names, "materials", names->Describe() + ", expected " + std::string(kTwoNames));
    }
  }
  pair.friction = OptionalNumber(reader, "friction");
  pair.static_friction = OptionalNumber(reader, "static_friction");
  pair.drop_speed = OptionalNumber(reader, "drop_speed");
  pair.torsional_friction = OptionalNumber(reader, "torsional_friction");
  pair.rolling_friction = OptionalNumber(reader, "rolling_friction");
  pair.viscous_friction = OptionalNumber(reader, "viscous_friction");
  pair.restitution = OptionalNumber(reader, "restitution");
  pair.stiffness = OptionalNumber(reader, "stiffness");
  pair.damping = OptionalNumber(reader, "damping");
  pair.hertz_stiffness = OptionalNumber(reader, "hertz_stiffness");
  pair.dissipation = OptionalNumber(reader, "dissipation");
  pair.tangential_stiffness = OptionalNumber(reader, "tangential_stiffness");
  pair.tangential_damping = OptionalNumber(reader, "tangential_damping");
  return pair;
}

}  // namespace

std::vector<Material> ReadMaterials(ObjectReader* scene) {
  std::vector<Material> out;
  const YamlValue* materials = scene->Find("materials");
  if (materials == nullptr || materials->kind == YamlValue::Kind::kNull) return out;
  if (materials->IsList()) {
    ReadList(scene, "materials", [&](ObjectReader& reader) {
      const std::string name = reader.RequiredName();
      out.push_back(ReadMaterial(&reader));
      out.back().name = name;
    });
    return out;
  }
  // As a map, the keys are the names; what is neither map nor list is reported here.
  ObjectReader names(*materials, "materials", scene->context());
  for (const YamlEntry& entry : materials->entries) {
    ObjectReader reader(entry.value, "materials." + entry.key, scene->context());
    out.push_back(ReadMaterial(&reader));
    out.back().name = entry.key;
    out.back().where = entry.where;
    reader.Finish();
  }
  return out;
}

ContactSettings ReadContactSettings(ObjectReader* scene) {
  ContactSettings settings;
  const YamlValue* contact = scene->Find("contact");
  if (contact == nullptr || contact->kind == YamlValue::Kind::kNull) return settings;
  ObjectReader reader(*contact, "contact", scene->context());
  settings.where = contact->where;
  settings.recovery_speed = reader.Number("recovery_speed", settings.recovery_speed);
  settings.restitution_speed = reader.Number("restitution_speed", settings.restitution_speed);
  settings.creep_speed = reader.Number("creep_speed", settings.creep_speed);
  settings.acceleration = reader.Number("acceleration", settings.acceleration);
  settings.layer = reader.Number("layer", settings.layer);
  settings.filter_rule = reader
                             .Choice<FilterRule>("filter_rule", {{"both", FilterRule::kBoth},
                                                                 {"either", FilterRule::kEither}})
                             .value_or(settings.filter_rule);
  settings.excluded = ReadExcluded(&reader);
  settings.friction_rule = ReadFrictionRule(&reader);
  ReadList(&reader, "pairs", [&](ObjectReader& pair) {
    const size_t before = pair.CountProblems();
    MaterialPair out = ReadMaterialPair(&pair);
    // One without its materials is reported once.
    if (pair.CountProblems() == before) settings.pairs.push_back(std::move(out));
  });
  reader.Finish();
  return settings;
}

}  // namespace voigt
