#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "voigt/base/source_location.h"

namespace voigt {

// How the friction of two surfaces follows from that of each. Of lengths and of viscous
// coefficients, whose product is no such quantity, kProduct takes the geometric mean.
enum class MixingRule { kGeometricMean, kMinimum, kMaximum, kAverage, kProduct };

std::string_view ToString(MixingRule rule);

// What two materials are to each other, in place of what the rules of surface.h make of them; what
// is not given follows the rules. A stiffness makes the contact linear, infinite ones rigid; a
// hertz_stiffness makes it one of Hertz, of Hunt & Crossley where there is dissipation.
struct MaterialPair {
  std::string first, second;
  std::optional<double> friction, torsional_friction, rolling_friction, viscous_friction;
  std::optional<double> static_friction;  // beside friction, which it is where it is not given
  std::optional<double> drop_speed;       // m/s
  std::optional<double> restitution;
  std::optional<double> stiffness, damping;                        // N/m, N s/m
  std::optional<double> hertz_stiffness, dissipation;              // N/m^{3/2}, s/m
  std::optional<double> tangential_stiffness, tangential_damping;  // N/m, N s/m
  SourceLocation where = {};
};

// How two sides are put together: by a rule, and by what is known of them as a pair, if anything.
struct PairRules {
  MixingRule friction = MixingRule::kGeometricMean;
  const MaterialPair* pair = nullptr;
};

// Everything that is wrong with the numbers of a pair.
std::vector<std::string> DescribeMaterialPairDefects(const MaterialPair& pair);

}  // namespace voigt
