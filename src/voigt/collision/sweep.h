#pragma once

#include <utility>
#include <vector>

#include "voigt/math/types.h"

namespace voigt {

// A box along the axes of the world.
struct AxisBox {
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();
};

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
