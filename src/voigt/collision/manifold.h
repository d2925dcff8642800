#pragma once

#include <algorithm>
#include <vector>

#include "voigt/collision/contact.h"
#include "voigt/collision/relative_curvature.h"

namespace voigt {

// One of the points where two shapes touch, or will within the margin that was asked for.
struct ManifoldPoint : ContactPoint {
  int feature = 0;            // the same as long as the same features of the shapes meet here
  double radius = kInfinity;  // of relative curvature at the point, m (RelativeCurvature)
  double area = kNaN;         // of the element of a foundation, m²
  double ratio = 1;           // of the principal relative curvatures there (RelativeCurvature)

  void SetCurvature(const RelativeCurvature& curvature) {
    radius = curvature.radius;
    ratio = curvature.ratio;
  }
};

// Points of one pair of shapes, A to B. Files for pairs append to it, and whoever calls them keeps
// its memory.
using Manifold = std::vector<ManifoldPoint>;

// Features that are hashes may coincide: the later one moves on to the next that no point of the
// manifold has, from point `first` on.
inline int FindFreeFeature(int feature, size_t first, const Manifold& manifold) {
  const auto taken = [&](const ManifoldPoint& point) { return point.feature == feature; };
  while (std::any_of(manifold.begin() + first, manifold.end(), taken)) {
    feature = (feature + 1) % kMaxContactPoints;
  }
  return feature;
}

// Points of faces that meet lie in one plane where they touch; midway between surfaces whose gaps
// differ they are off it by half of what the gaps differ by, and friction at them would have lever
// arms of its own that hinder each other. Moves points with the normal of the deepest one along it
// into the plane of that one, where no more than the gaps is between them.
void LevelManifold(Manifold* manifold);

// Appends a point with a hashed feature, unless one of those from `first` on is within `near` of it
// and has about its normal: those are one, by the name of the first, and the deeper one, by more
// than `slack`, says how deep.
void MergePoint(const ManifoldPoint& point, double near, double slack, size_t first, Manifold* out);

}  // namespace voigt
