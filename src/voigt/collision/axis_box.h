#pragma once

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

inline bool IsFinite(const AxisBox& box) { return (box.upper - box.lower).allFinite(); }

}  // namespace voigt
