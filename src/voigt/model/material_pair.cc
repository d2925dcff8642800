#include "voigt/model/material_pair.h"

#include "voigt/model/number_check.h"

namespace voigt {

std::string_view ToString(MixingRule rule) {
  switch (rule) {
    case MixingRule::kGeometricMean:
      return "geometric_mean";
    case MixingRule::kMinimum:
      return "minimum";
    case MixingRule::kMaximum:
      return "maximum";
    case MixingRule::kAverage:
      return "average";
    case MixingRule::kProduct:
      return "product";
  }
  return "";
}

std::vector<std::string> DescribeMaterialPairDefects(const MaterialPair& pair) {
  std::vector<std::string> defects;
  const NumberCheck check{&defects};
  check.NonNegative("friction", pair.friction);
  if (pair.static_friction && !pair.friction) {
    defects.emplace_back("static_friction needs the friction of what slides beside it");
  } else if (pair.static_friction) {
    check.Require(std::isfinite(*pair.static_friction) && !(*pair.static_friction < *pair.friction),
                  "static_friction", *pair.static_friction,
                  fmt::format("at least the friction of what slides, {}", *pair.friction));
  }
  check.NonNegative("drop_speed", pair.drop_speed);
  if (pair.drop_speed && pair.friction && !pair.static_friction) {
    defects.emplace_back("drop_speed has no meaning without the static_friction that drops");
  }
  check.NonNegative("torsional_friction", pair.torsional_friction);
  check.NonNegative("rolling_friction", pair.rolling_friction);
  check.NonNegative("viscous_friction", pair.viscous_friction);
  check.UpToOne("restitution", pair.restitution);
  if (pair.stiffness) {
    check.Require(*pair.stiffness > 0, "stiffness", *pair.stiffness,
                  "a positive number; inf is rigid");
  }
  check.NonNegative("damping", pair.damping);
  check.Positive("hertz_stiffness", pair.hertz_stiffness);
  check.NonNegative("dissipation", pair.dissipation);
  check.Tangents(pair.tangential_stiffness, pair.tangential_damping);

  if (pair.stiffness && pair.hertz_stiffness) {
    defects.emplace_back("stiffness and hertz_stiffness are two laws, expected one of them");
  }
  const bool is_linear = pair.stiffness && std::isfinite(*pair.stiffness);
  if (pair.damping && !is_linear) {
    defects.emplace_back("damping has no meaning without a finite stiffness");
  }
  if (pair.dissipation && !pair.hertz_stiffness) {
    defects.emplace_back("dissipation has no meaning without hertz_stiffness");
  }
  if (pair.restitution && (is_linear || pair.hertz_stiffness)) {
    defects.emplace_back("restitution has no meaning for a contact that yields");
  }
  return defects;
}

}  // namespace voigt
