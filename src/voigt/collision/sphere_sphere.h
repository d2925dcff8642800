#pragma once

#include "voigt/collision/contact.h"

namespace voigt {

// From sphere A to sphere B. Where the centres coincide any normal is as good as another: z.
ContactPoint CalcSphereSphere(const Vec3& center_A, double radius_A, const Vec3& center_B,
                              double radius_B);

}  // namespace voigt
