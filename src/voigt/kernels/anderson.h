#pragma once

#include "voigt/math/types.h"

namespace voigt {

// Anderson acceleration of a fixed-point iteration x ← x + f(x): the next point combines the last
// few so that their steps f, taken as linear in x, cancel as well as they can. On linear problems
// it is GMRES: a few directions that converge slowly are found and removed. [Walker & Ni 2011]
class Anderson {
 public:
  // For points of this size, and steps of which the first `compared` entries, or all, are made to
  // cancel: the others follow from them by a linear map. Forgets everything.
  void Reset(int size, int compared = -1);
  void Forget() {
    count_ = next_ = 0;
    has_last_ = false;
  }

  // Nothing was learnt since the last Reset or Forget.
  bool is_fresh() const { return !has_last_; }

  // x ← the next point, given f(x); steps are weighted by `scale` to be compared, the same one
  // until the next Reset or Forget.
  void Advance(const VecX& f, const VecX& scale, VecX* x);
  // The same where x is what the step from `from` led to.
  void AdvanceFrom(const VecX& from, const VecX& scale, VecX* x);

  // Where the last step led to, before that was combined with others.
  const VecX& last() const { return last_; }

 private:
  static constexpr int kDepth = 4;  // 12 save beds of spheres 8 % of their sweeps

  void Learn(const VecX& x);
  void Combine(VecX* x);

  // Columns used in turn: differences of steps, weighted; of the points that steps lead to, not.
  MatX df_, moves_;
  Eigen::Matrix<double, kDepth, kDepth> products_;  // of the columns of df_
  VecX last_, f_, f_last_;                          // f_: the step, weighted
  int count_ = 0, next_ = 0;
  bool has_last_ = false;
};

}  // namespace voigt
