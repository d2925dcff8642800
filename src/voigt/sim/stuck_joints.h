#pragma once

#include <vector>

#include "voigt/constraints/constraint_set.h"
#include "voigt/dynamics/configuration.h"
#include "voigt/model/state.h"
#include "voigt/problem/solution.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

// Joints that dry friction holds are at rest where a step ends.
//
// Inertia knows nothing of friction: it carries the rates v from q₀ to q₁ as if a joint that sticks
// were free, and leaves a rate of O(h) in it, which the friction of the next step takes away again.
// A user should not see that rate: the joint does not move. So the step ends with the rates v′ that
// are closest to v in the metric of M(q₁) and zero in the set L of joints that stick,
//
//   v′_L = 0,   v′_f = v_f + M_ff⁻¹ M_fL v_L,
//
// and c = M (v − v′), an impulse in the joints of L alone, is carried into the next step
// (State::carried). That step starts from v′ + M⁻¹ c = v (AddCarried): its friction is that of
// inertia and loads together, and a joint lets go exactly where it would have otherwise.
class StuckJoints {
 public:
  explicit StuckJoints(const Model& model);

  // Which joints stick, by the impulses of a step and the rates with them.
  void Find(const ConstraintSet& constraints, const VelocityProblem& problem,
            const Solution& solution);
  // The rates of what sticks become zero: solvers leave rounding in them.
  void KeepStill(VecX* v) const;
  // `end` is at q₁; *v changes from v to v′.
  void Stop(const Model& model, const Configuration& end, VecX* v);

  // c, per rate.
  const VecX& carried() const { return carried_; }
  // ½ c_k v_k per rate: together ½ (v − v′)ᵀ M (v − v′), the kinetic energy that v had beyond v′.
  const VecX& energy() const { return energy_; }

 private:
  void HoldRows(const TreePattern& pattern, const VecX& M);

  std::vector<char> is_stuck_;  // per rate
  bool any_ = false;
  VecX M_, across_, change_, carried_, energy_;
  TreeFactor factor_;
};

// The rates of a state become those that a step starts from, v ← v + M⁻¹ c; `start` is at its q.
void AddCarried(const Model& model, const Configuration& start, State* state, VecX* scratch);

}  // namespace voigt
