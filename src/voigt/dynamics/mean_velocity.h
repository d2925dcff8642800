#pragma once

#include <functional>
#include <span>
#include <vector>

#include "voigt/dynamics/configuration.h"
#include "voigt/dynamics/inverse_dynamics.h"

namespace voigt {

// The rates with which the joints move over a step. The rates v₁ are those at q₀; along the way
// inertia changes them at
//   a = −H⁻¹ c(q₀, v₁),   c the Coriolis, centrifugal and gyroscopic terms,
// so that their mean is v̂ = v₁ + ½ h a to first order. Moving with v₁ alone displaces the bodies by
// ½ h² a, which does work against gravity and springs that nobody pays for: a double pendulum gains
// energy steadily, a whipping chain never comes to rest. H is M̂ with all that constraints hold, so
// that a does not leave them.
//
// a is an explicit estimate and must not carry bodies away in long steps: ½ h a is shortened to the
// length of v₁ in the metric of the masses, alike in all trees that are tied together, which would
// part otherwise. A free body that turns by more than half a radian goes on by v₁ alone the more it
// turns: what it touches would turn the large terms of its spin into a motion of its centre.
class MeanVelocity {
 public:
  explicit MeanVelocity(const Model& model);

  // `start` is up to date with q₀ and v₁; solve_held(x) is x ← H⁻¹ x. `sets` are those of trees
  // that are tied together, per body at the root of one (TiedTrees); of none if it is empty.
  void Update(const Model& model, const Configuration& start, const VecX& v1, double h,
              const std::function<void(VecX*)>& solve_held, std::span<const int> sets = {});

  const VecX& v() const { return v_; }

 private:
  NewtonEulerScratch newton_euler_;
  std::vector<int> round_;  // free bodies that inertia cannot bend: c is zero but for rounding
  // Of a set of trees, at its first root: twice the kinetic energy, the same of ½ h a, and how much
  // of that is taken.
  std::vector<double> energy_, change_, scale_;
  VecX c_, a_, v_, p_;
};

}  // namespace voigt
