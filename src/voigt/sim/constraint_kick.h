#pragma once

#include <span>
#include <vector>

#include "voigt/dynamics/configuration.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

// What joints that close loops give back of the energy that steps would lose.
//
// While bodies move from q₀ to q₁ no constraint bends their paths. The next step's impulses do it
// at once, G(q₁)ᵀ γ: they take away what the rates have across the constraints, h κ, and with it
// the energy of that velocity, which is a loss of O(h) per second. Half of the impulses belongs to
// where the step began, as in RATTLE [Andersen 1983]: the kick ½ h λ along G(q₀)ᵀ, λ the forces
// with which constraints answer to inertia alone. The next step then has half to take away, as much
// energy as the kick brought in, but for O(h³).
//
// Of bilateral rows only: contacts would part. Both ends of a constraint get the same, so that
// momentum stays; and where a kick is large beside the motion of the trees that are tied together,
// it is shortened: too short a kick loses energy, at any step.
class ConstraintKick {
 public:
  // lambda: per row, what constraints answer to the forces −c(q₀, v₁) (Formulation::SolveHeld).
  // `start` is up to date with q₀ and v₁; `sets` are those of trees that are tied together
  // (TiedTrees). False if there is no kick.
  bool Update(const Model& model, const VelocityProblem& problem, const Configuration& start,
              const VecX& v1, const VecX& lambda, std::span<const int> sets);

  // v₁ with the kick, and its impulses per row, after an Update that says true.
  const VecX& v() const { return v_; }
  const VecX& gamma() const { return gamma_; }

 private:
  void CalcChange(const VelocityProblem& problem);
  bool Shorten(const Model& model, const VelocityProblem& problem, const Kinematics& kin,
               std::span<const int> sets);

  VecX gamma_, impulse_, v_;
  // Of a set of trees, at its first root: twice the kinetic energy and that of the kick.
  std::vector<double> energy_, kick_energy_;
};

}  // namespace voigt
