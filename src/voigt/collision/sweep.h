#pragma once

#include <utility>
#include <vector>

#include "voigt/math/types.h"

namespace voigt {

// A box along the axes of the world.
struct AxisBox {
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();
};

// Whether they do, or touch.
inline bool Overlap(const AxisBox& a, const AxisBox& b) {
  return a.lower[0] <= b.upper[0] && b.lower[0] <= a.upper[0] &&  //
         a.lower[1] <= b.upper[1] && b.lower[1] <= a.upper[1] &&  //
         a.lower[2] <= b.upper[2] && b.lower[2] <= a.upper[2];
}

// The broad phase: finds the boxes that overlap by sorting them along the axis on which they are
// spread widest and sweeping over it.
class Sweep {
 public:
  // All pairs (i, j), i < j, of boxes that overlap or touch and of which at least one moves, in an
  // order that depends on the boxes alone. Numbers must not be NaN; infinite ones are fine.
  // `is_static` holds one flag per box.
  const std::vector<std::pair<int, int>>& FindPairs(const std::vector<AxisBox>& boxes,
                                                    const std::vector<char>& is_static);

 private:
  std::vector<int> order_;
  std::vector<std::pair<int, int>> pairs_;
};

}  // namespace voigt
