#pragma once

#include "voigt/collision/half_space.h"

namespace voigt {

// From the half-space to the sphere.
ContactPoint CalcHalfSpaceSphere(const Plane& plane, const Vec3& center_W, double radius);

}  // namespace voigt
