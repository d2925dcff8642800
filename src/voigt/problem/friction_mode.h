#pragma once

#include <string_view>

namespace voigt {

// Which law ties the tangential impulse of a contact to its normal one.
enum class FrictionMode {
  kCoulomb,     // the implicit Coulomb law: ‖γ_t‖ ≤ μ γ_n, against the slip
  kLagged,      // the same with the normal impulse of the last step: one convex program
  kCone,        // the convex program with the cone itself: opens gaps of h μ ‖u_t‖ where it slides
  kPolyhedral,  // the Coulomb law with regular polygons in place of discs (PolyhedralCone)
  kMaxDissipation,  // whatever dissipates most, within the cone and a sum of normal impulses
  kMinimumNorm,     // the least forces, and the least deviations of friction from a damper
};

// How viscous friction of a contact joins its Coulomb friction.
enum class ViscousFriction {
  kDamper,      // beside it, without limit: rows of their own, taken at the end of the step
  kLinear,      // it widens the disc: ‖γ_t‖ ≤ μ γ_n + h μ_v ‖u_t‖ with the slip of the free motion
  kQuadrature,  // the same in quadrature, as printed: ‖γ_t‖² ≤ (μ γ_n)² + (h μ_v ‖u_t‖)²
};

std::string_view ToString(FrictionMode mode);

// ‖γ_t‖ ≤ mu γ_n + offset.
struct WidenedCone {
  double mu = 0, offset = 0;  // –, N s

  double CalcRadius(double normal) const { return mu * normal + offset; }
};

// A disc of the radius μ γ_n, widened by `rho`, N s, as `viscous` says. In quadrature the radius is
// a convex function of γ_n, and the set is not convex: its tangent at `normal` bounds a cone that
// is inside of it and touches it there.
WidenedCone WidenCone(ViscousFriction viscous, double mu, double rho, double normal);

// What takes the place of a disc of radius r: the polygon whose corners are at r (cos a, sin a) for
// a = angle + 2πk/directions. Friction is then largest along the corners, and less by up to
// cos(π/directions) between them. Discs of a single row are what they are.
struct PolyhedralCone {
  int directions = 4;  // even, so that every direction has its opposite; at least 4
  double angle = 0;    // rad, from the first tangent

  // The point of the polygon of radius r next to (*x, *y), in its place.
  void Project(double r, double* x, double* y) const;
  // The largest d · (x, y) over the corners d of the polygon of radius 1.
  double CalcLargest(double x, double y) const;
};

}  // namespace voigt
