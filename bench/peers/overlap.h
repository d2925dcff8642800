#pragma once

#include "bench/peers/scene.h"

namespace voigt::peers {

// The gap between two shapes placed in the world, m: negative where they overlap, then minus the
// least translation that parts them. For boxes that do not overlap it is a lower bound; a pair that
// is not known has an infinite one (a box beside a capsule).
double CalcGap(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB);

// Half the diameter of the smallest ball about the shape's origin; infinite for planes.
double BoundingRadius(const Shape& shape);

// What there is to see of all shapes at once.
struct Overlaps {
  double least_gap = std::numeric_limits<double>::infinity();  // m
  int near = 0;                                                // pairs closer than 0.1 mm
};
Overlaps FindOverlaps(const Scene& scene, const ApartTable& apart, const std::vector<Pose>& poses);

}  // namespace voigt::peers
