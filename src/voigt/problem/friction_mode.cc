#include "voigt/problem/friction_mode.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace voigt {
namespace {

struct Corner {
  double x = 0, y = 0;
};

Corner CornerOf(const PolyhedralCone& cone, int k) {
  const double a = cone.angle + 2 * std::numbers::pi * k / cone.directions;
  return {std::cos(a), std::sin(a)};
}

}  // namespace

std::string_view ToString(FrictionMode mode) {
  switch (mode) {
    case FrictionMode::kCoulomb:
      return "coulomb";
    case FrictionMode::kLagged:
      return "lagged";
    case FrictionMode::kCone:
      return "cone";
    case FrictionMode::kPolyhedral:
      return "polyhedral";
    case FrictionMode::kMaxDissipation:
      return "max-dissipation";
    case FrictionMode::kMinimumNorm:
      return "minimum-norm";
  }
  return "";
}

WidenedCone WidenCone(ViscousFriction viscous, double mu, double rho, double normal) {
  if (viscous == ViscousFriction::kDamper || rho == 0) return {mu, 0};
  if (viscous == ViscousFriction::kLinear) return {mu, rho};
  const double radius = std::hypot(mu * normal, rho);
  return {mu * (mu * normal / radius), rho * (rho / radius)};
}

void PolyhedralCone::Project(double r, double* x, double* y) const {
  // The nearest point of every side; inside if none of them has the point in front of it.
  double least = std::numeric_limits<double>::infinity();
  Corner nearest;
  bool is_inside = true;
  for (int k = 0; k < directions; ++k) {
    const Corner a = CornerOf(*this, k), b = CornerOf(*this, k + 1);
    const double side_x = r * (b.x - a.x), side_y = r * (b.y - a.y);
    const double to_x = *x - r * a.x, to_y = *y - r * a.y;
    if (side_x * to_y - side_y * to_x < 0) is_inside = false;
    const double square = side_x * side_x + side_y * side_y;
    const double along =
        square > 0 ? std::clamp((to_x * side_x + to_y * side_y) / square, 0.0, 1.0) : 0;
    const Corner point{r * a.x + along * side_x, r * a.y + along * side_y};
    const double distance = std::hypot(*x - point.x, *y - point.y);
    if (distance < least) {
      least = distance;
      nearest = point;
    }
  }
  if (is_inside && r > 0) return;
  *x = nearest.x;
  *y = nearest.y;
}

double PolyhedralCone::CalcLargest(double x, double y) const {
  double largest = -std::numeric_limits<double>::infinity();
  for (int k = 0; k < directions; ++k) {
    const Corner d = CornerOf(*this, k);
    largest = std::max(largest, d.x * x + d.y * y);
  }
  return largest;
}

}  // namespace voigt
