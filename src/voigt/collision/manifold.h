#pragma once

#include <vector>

#include "voigt/collision/contact.h"

namespace voigt {

// One of the points where two shapes touch, or will within the margin that was asked for.
struct ManifoldPoint : ContactPoint {
  int feature = 0;            // the same as long as the same features of the shapes meet here
  double radius = kInfinity;  // effective radius of curvature at the point, m
};

// Points of one pair of shapes, A to B. Files for pairs append to it, and whoever calls them keeps
// its memory.
using Manifold = std::vector<ManifoldPoint>;

}  // namespace voigt
