#pragma once

#include <vector>

#include "voigt/constraints/impacts.h"

namespace voigt {

// Energy that impacts bring in, against physics. Without friction, or without rebound, neither law
// of restitution does; with both, either may [Kane & Levinson 1985].
struct ImpactTotals {
  long steps = 0;      // in which a rigid contact closed with an impulse
  long gains = 0;      // of those, where the contacts brought energy in
  double gained = 0;   // J, the sum of it
  double largest = 0;  // J, in one step

  void Add(double work);
};

// What the impulses γ of contacts do when they take the rates from v₀ to v₁, ½ γ · (φ̇₀ + φ̇₁) summed
// over their rows, J: positive where they bring energy in. Not counted is what forces or the
// recovery of gaps explain: φ̇₀ is that before or after the forces of the step, v* − v₀, whichever
// makes less of it; and if the impulses restore gaps, too, what a row asks for beyond its rebound
// is recovery. Impacts are those of the problem, in the order of their rows.
class ImpactEnergy {
 public:
  // NaN if no impact has an impulse.
  double CalcWork(const VelocityProblem& problem, const std::vector<ImpactRow>& impacts,
                  const VecX& gamma, const VecX& v0, const VecX& v_star, const VecX& v1,
                  bool restores_gaps);

 private:
  VecX rates0_, rates_star_, rates1_;
};

}  // namespace voigt
