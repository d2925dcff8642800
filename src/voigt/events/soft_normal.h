#pragma once

#include <algorithm>
#include <cmath>

#include "voigt/model/surface.h"

namespace voigt {

// The normal force of a contact that yields, a function of its gap φ and φ̇ [Sherman, "Compliant
// contact with stiction constraints"]: of state, so that no friction of its own acts back on it.
struct SoftNormal {
  NormalLaw law = NormalLaw::kRigid;
  double stiffness = 0;    // N/m; N/m^{3/2} of the laws of Hertz
  double damping = 0;      // N s/m
  double dissipation = 0;  // s/m

  static SoftNormal Make(const SurfacePair& pair) {
    return {pair.law, pair.stiffness, pair.damping, pair.dissipation};
  }
  bool is_soft() const { return law != NormalLaw::kRigid; }

  // As the law has it, which pulls where damping is strong and shapes part fast, N: there the
  // contact is open. Zero without overlap.
  double CalcForce(double phi, double phi_dot) const {
    if (!(phi < 0)) return 0;
    if (law == NormalLaw::kLinear) return -stiffness * phi - damping * phi_dot;
    return stiffness * std::pow(-phi, 1.5) * (1 - 1.5 * dissipation * phi_dot);
  }

  // Continuous along a motion, positive where the contact is open and negative where it presses, m.
  double CalcOpening(double phi, double phi_dot) const {
    if (law == NormalLaw::kLinear) return std::max(phi, phi + damping / stiffness * phi_dot);
    return phi < 0 ? std::max(phi, phi * (1 - 1.5 * dissipation * phi_dot)) : phi;
  }
};

}  // namespace voigt
