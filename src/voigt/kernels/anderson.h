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
    count_ = 0;
    has_last_ = false;
  }

  // x ← the next point, given f(x); both are weighted by `scale` to be compared.
  void Advance(const VecX& f, const VecX& scale, VecX* x);

 private:
  static constexpr int kDepth = 6;

  MatX dx_, df_;  // differences of points and of steps, in columns used in turn
  VecX x_last_, f_last_, weighted_;
  int count_ = 0, next_ = 0;
  bool has_last_ = false;
};

}  // namespace voigt
