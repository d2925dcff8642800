#include "voigt/problem/friction_mode.h"

namespace voigt {

std::string_view ToString(FrictionMode mode) {
  switch (mode) {
    case FrictionMode::kCoulomb:
      return "coulomb";
    case FrictionMode::kLagged:
      return "lagged";
    case FrictionMode::kCone:
      return "cone";
  }
  return "";
}

}  // namespace voigt
