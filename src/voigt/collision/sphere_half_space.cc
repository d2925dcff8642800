#include "voigt/collision/sphere_half_space.h"

namespace voigt {

ContactPoint CalcHalfSpaceSphere(const Plane& plane, const Vec3& center_W, double radius) {
  ContactPoint out;
  out.n_W = plane.n_W;
  out.phi = plane.n_W.dot(center_W - plane.p_W) - radius;
  out.p_W = center_W - (radius + 0.5 * out.phi) * plane.n_W;
  return out;
}

}  // namespace voigt
