#pragma once

#include <vector>

#include "voigt/model/model.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

// Which trees of joints move as if there were no constraints, per body at their roots.
//
// A semi-implicit Euler step kicks, v ← v + h a(q₀), then drifts, q ← q + h v: its rates are those
// of the middle of a step, and half a step off where it ends. Where no constraint pushes a tree,
// and no damper, the kick has two halves, one at either end (velocity Verlet): the same path, with
// the rates that belong to its points. Where one does, the rates of the middle stay, since only of
// these is known that they meet the constraints.
class FreeTrees {
 public:
  explicit FreeTrees(const Model& model);

  // Free is what no impulse of γ pushes, and no row holds that may push either way.
  void Find(const Model& model, const VelocityProblem& problem, const VecX& gamma);

  const std::vector<char>& list() const { return is_free_; }

 private:
  void Hold(const Model& model, const VelocityProblem& problem, const RowGroup& group, int r);

  std::vector<char> is_smooth_;  // no damper or feedback in the tree
  std::vector<char> is_free_;
};

}  // namespace voigt
