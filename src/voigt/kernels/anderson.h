#pragma once

#include "voigt/math/types.h"

namespace voigt {

// Anderson acceleration of a fixed-point iteration x ← x + f(x): the next point combines the last
// few so that their steps f, taken as linear in x, cancel as well as they can. On linear problems
// it is GMRES: a few directions that converge slowly are found and removed. [Walker & Ni 2011]
class Anderson {
 public:
  // For vectors of this size; forgets everything.
  void Reset(int size);
  void Forget() {
    count_ = next_ = 0;
    has_last_ = false;
  }

  // Nothing was learnt since the last Reset or Forget.
  bool is_fresh() const { return !has_last_; }

  // x ← the next point, given f(x); steps are weighted by `scale` to be compared, the same one
  // until the next Reset or Forget.
  void Advance(const VecX& f, const VecX& scale, VecX* x);

 private:
  static constexpr int kDepth = 4;  // more of it saves beds of spheres no steps

  void Learn(const VecX& f, const VecX& scale, const VecX& x);

  // Columns used in turn: differences of steps, weighted; of the points that steps lead to, not.
  MatX df_, moves_;
  Eigen::Matrix<double, kDepth, kDepth> products_;  // of the columns of df_
  VecX x_last_, f_last_, weighted_;
  int count_ = 0, next_ = 0;
  bool has_last_ = false;
};

}  // namespace voigt
