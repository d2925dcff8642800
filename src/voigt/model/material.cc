#include "voigt/model/material.h"

#include "voigt/model/number_check.h"

namespace voigt {
namespace {

// A number that another law than the material's own uses.
void Refuse(bool given, std::string_view what, NormalLaw law, const NumberCheck& check) {
  if (!given) return;
  check.defects->push_back(fmt::format("{} has no meaning for the law {}", what, ToString(law)));
}

void CheckLaw(const Material& m, const NumberCheck& check) {
  const bool is_hertz = m.law == NormalLaw::kHertz || m.law == NormalLaw::kHuntCrossley;
  if (m.law == NormalLaw::kLinear && !m.stiffness) {
    check.defects->emplace_back("the law linear needs a stiffness");
  }
  if (is_hertz && m.youngs_modulus.has_value() == m.hertz_stiffness.has_value()) {
    check.defects->push_back(
        fmt::format("the law {} needs one of youngs_modulus and hertz_stiffness", ToString(m.law)));
  }
  Refuse(m.law == NormalLaw::kRigid && m.stiffness, "stiffness", m.law, check);
  Refuse(m.law == NormalLaw::kRigid && m.damping != 0, "damping", m.law, check);
  if (is_hertz && !m.stiffness && m.damping != 0) {
    check.defects->push_back(fmt::format(
        "damping has no meaning for the law {} without the stiffness of its flat contacts",
        ToString(m.law)));
  }
  Refuse(!is_hertz && m.youngs_modulus, "youngs_modulus", m.law, check);
  Refuse(!is_hertz && m.hertz_stiffness, "hertz_stiffness", m.law, check);
  Refuse(m.law != NormalLaw::kHuntCrossley && m.dissipation != 0, "dissipation", m.law, check);
  // The bounce of a surface that yields comes from its own law.
  Refuse(m.law != NormalLaw::kRigid && m.restitution != 0, "restitution", m.law, check);
}

}  // namespace

std::string_view ToString(NormalLaw law) {
  switch (law) {
    case NormalLaw::kRigid:
      return "rigid";
    case NormalLaw::kLinear:
      return "linear";
    case NormalLaw::kHertz:
      return "hertz";
    case NormalLaw::kHuntCrossley:
      return "hunt_crossley";
  }
  return "";
}

std::vector<std::string> DescribeMaterialDefects(const Material& m) {
  std::vector<std::string> defects;
  const NumberCheck check{&defects};
  check.NonNegative("friction", m.friction);
  if (m.static_friction) {
    check.Require(std::isfinite(*m.static_friction) && !(*m.static_friction < m.friction),
                  "static_friction", *m.static_friction,
                  fmt::format("at least the friction of what slides, {}", m.friction));
  }
  check.NonNegative("drop_speed", m.drop_speed);
  check.NonNegative("torsional_friction", m.torsional_friction);
  check.NonNegative("rolling_friction", m.rolling_friction);
  check.NonNegative("viscous_friction", m.viscous_friction);
  check.UpToOne("restitution", m.restitution);
  check.Positive("stiffness", m.stiffness);
  check.NonNegative("damping", m.damping);
  check.Positive("youngs_modulus", m.youngs_modulus);
  check.Require(m.poisson_ratio > -1 && m.poisson_ratio <= 0.5, "poisson_ratio", m.poisson_ratio,
                "a number above -1, at most 0.5");
  check.Positive("hertz_stiffness", m.hertz_stiffness);
  check.NonNegative("dissipation", m.dissipation);
  check.Tangents(m.tangential_stiffness, m.tangential_damping);
  CheckLaw(m, check);
  return defects;
}

}  // namespace voigt
