#pragma once

#include <string_view>

namespace voigt {

// Which law ties the tangential impulse of a contact to its normal one.
enum class FrictionMode {
  kCoulomb,  // the implicit Coulomb law: ‖γ_t‖ ≤ μ γ_n, against the slip
  kLagged,   // the same with the normal impulse of the last step: one convex program
  kCone,     // the convex program with the cone itself: opens gaps of h μ ‖u_t‖ where it slides
};

std::string_view ToString(FrictionMode mode);

}  // namespace voigt
