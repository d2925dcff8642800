#include "voigt/collision/sphere_sphere.h"

namespace voigt {

ContactPoint CalcSphereSphere(const Vec3& center_A, double radius_A, const Vec3& center_B,
                              double radius_B) {
  const Vec3 d = center_B - center_A;
  const double distance = d.norm();
  ContactPoint out;
  // Normalised again, as the square of a tiny distance has few digits.
  if (distance > 0) out.n_W = (d / distance).normalized();
  out.phi = distance - radius_A - radius_B;
  out.p_W = center_A + (radius_A + 0.5 * out.phi) * out.n_W;
  return out;
}

}  // namespace voigt
