#pragma once

#include <utility>
#include <vector>

#include "voigt/constraints/constraint_set.h"

namespace voigt {

// Bilateral rows whose gap is also a function of time, φ = f(q) − s(t), as those of points and loop
// joints whose motion is prescribed: ∂φ/∂t and ∂²φ/∂t². G does not depend on time. Of bilateral
// rows on velocities, G v = v̂(t), these are −v̂ and its rate.
//
// Derivatives are differences of order eight over ± 0.04 s, as those of
// dynamics/prescribed_rates.h.
class MovingRows {
 public:
  explicit MovingRows(const Model& model);

  bool any() const { return !moving_.empty(); }
  // Whether a constraint moves by itself, as its rows at a configuration tell.
  static bool MovesByItself(const Constraint& constraint, const ConstraintContext& at);

  // Sets φ_t of these rows among those of `problem` at `at`, and fills their φ_tt, zero elsewhere.
  void Update(const ConstraintSet& constraints, const ConstraintContext& at,
              VelocityProblem* problem, VecX* phi_tt);

 private:
  std::vector<int> moving_;  // constraints
  VelocityProblem now_, there_;
  std::vector<std::pair<double, double>> sums_;  // of φ_t and φ_tt, per row of a constraint
};

}  // namespace voigt
