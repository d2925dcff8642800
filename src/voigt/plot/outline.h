#pragma once

#include <vector>

#include "voigt/math/pose.h"
#include "voigt/model/geometry.h"

namespace voigt {

// Points on the surface of a shape, in its own frame, close enough together to draw it; none for a
// half-space.
std::vector<Vec3> SampleSurface(const Shape& shape);

// The corners of the convex hull of points in the plane, counter-clockwise.
std::vector<Vec2> ConvexOutline(std::vector<Vec2> points);

}  // namespace voigt
