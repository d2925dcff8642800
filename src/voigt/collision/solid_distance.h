#pragma once

#include <optional>
#include <vector>

#include "voigt/collision/collision_shape.h"
#include "voigt/collision/nearest_point.h"

// How far points are from solids of any kind.
namespace voigt {

// The signed distance of q from a solid, in the solid's frame, with the outward normal of the
// surface at the nearest point. May be nothing for points outside that are farther than `reach`; is
// nothing for sheets and for shapes that are no solids. Hulls need their skin. `near` is memory.
std::optional<NearestPoint> FindSignedDistance(const CollisionShape& solid, const Vec3& q,
                                               double reach, std::vector<int>* near);

// Whether all points within `radius` of a centre are certain to be outside, farther than `reach`.
bool IsBallFar(const CollisionShape& solid, const Vec3& center, double radius, double reach,
               std::vector<int>* near);

}  // namespace voigt
