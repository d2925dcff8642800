#include "voigt/model/material.h"

#include <fmt/format.h>

#include <cmath>

namespace voigt {
namespace {

// Collects complaints about the numbers of one material.
struct NumberCheck {
  std::vector<std::string>* defects;

  void Require(bool ok, std::string_view what, double value, std::string_view expected) const {
    if (!ok) defects->push_back(fmt::format("{} = {}, expected {}", what, value, expected));
  }
  void NonNegative(std::string_view what, double value) const {
    Require(std::isfinite(value) && value >= 0, what, value, "a finite number ≥ 0");
  }
  void Positive(std::string_view what, const std::optional<double>& value) const {
    if (!value) return;
    Require(std::isfinite(*value) && *value > 0, what, *value, "a finite positive number");
  }
  // A number that another law than the material's own uses.
  void Refuse(bool given, std::string_view what, NormalLaw law) const {
    if (!given) return;
    defects->push_back(fmt::format("{} has no meaning for the law {}", what, ToString(law)));
  }
};

void CheckLaw(const Material& m, const NumberCheck& check) {
  const bool is_hertz = m.law == NormalLaw::kHertz || m.law == NormalLaw::kHuntCrossley;
  if (m.law == NormalLaw::kLinear && !m.stiffness) {
    check.defects->emplace_back("the law linear needs a stiffness");
  }
  if (is_hertz && m.youngs_modulus.has_value() == m.hertz_stiffness.has_value()) {
    check.defects->push_back(
        fmt::format("the law {} needs one of youngs_modulus and hertz_stiffness", ToString(m.law)));
  }
  check.Refuse(m.law != NormalLaw::kLinear && m.stiffness, "stiffness", m.law);
  check.Refuse(m.law != NormalLaw::kLinear && m.damping != 0, "damping", m.law);
  check.Refuse(!is_hertz && m.youngs_modulus, "youngs_modulus", m.law);
  check.Refuse(!is_hertz && m.hertz_stiffness, "hertz_stiffness", m.law);
  check.Refuse(m.law != NormalLaw::kHuntCrossley && m.dissipation != 0, "dissipation", m.law);
  // The bounce of a surface that yields comes from its own law.
  check.Refuse(m.law != NormalLaw::kRigid && m.restitution != 0, "restitution", m.law);
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
  check.Require(m.restitution >= 0 && m.restitution <= 1, "restitution", m.restitution,
                "a number between 0 and 1");
  check.Positive("stiffness", m.stiffness);
  check.NonNegative("damping", m.damping);
  check.Positive("youngs_modulus", m.youngs_modulus);
  check.Require(m.poisson_ratio > -1 && m.poisson_ratio <= 0.5, "poisson_ratio", m.poisson_ratio,
                "a number above -1, at most 0.5");
  check.Positive("hertz_stiffness", m.hertz_stiffness);
  check.NonNegative("dissipation", m.dissipation);
  check.Positive("tangential_stiffness", m.tangential_stiffness);
  if (m.tangential_damping) {
    const double B = *m.tangential_damping;
    if (m.tangential_stiffness) {
      check.NonNegative("tangential_damping", B);
    } else {
      check.Require(B > 0, "tangential_damping", B, "a positive number; inf is rigid");
    }
  }
  CheckLaw(m, check);
  return defects;
}

}  // namespace voigt
