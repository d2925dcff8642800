#pragma once

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace voigt {

// Collects complaints about the numbers of one element; those that are not given are fine.
struct NumberCheck {
  std::vector<std::string>* defects;

  void Require(bool ok, std::string_view what, double value, std::string_view expected) const {
    if (!ok) defects->push_back(fmt::format("{} = {}, expected {}", what, value, expected));
  }
  void NonNegative(std::string_view what, const std::optional<double>& value) const {
    if (!value) return;
    Require(std::isfinite(*value) && *value >= 0, what, *value, "a finite number ≥ 0");
  }
  void Positive(std::string_view what, const std::optional<double>& value) const {
    if (!value) return;
    Require(std::isfinite(*value) && *value > 0, what, *value, "a finite positive number");
  }
  void UpToOne(std::string_view what, const std::optional<double>& value) const {
    if (!value) return;
    Require(*value >= 0 && *value <= 1, what, *value, "a number between 0 and 1");
  }
  // Along a surface: a spring with or without a damper, or a damper alone.
  void Tangents(const std::optional<double>& stiffness,
                const std::optional<double>& damping) const {
    Positive("tangential_stiffness", stiffness);
    if (stiffness) return NonNegative("tangential_damping", damping);
    if (!damping) return;
    Require(*damping > 0, "tangential_damping", *damping, "a positive number; inf is rigid");
  }
};

}  // namespace voigt
