#include "voigt/plot/outline.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace voigt {
namespace {

// Directions spread over the unit sphere along a spiral, plus the six axes.
std::vector<Vec3> Directions() {
  std::vector<Vec3> out;
  constexpr int kCount = 120;
  for (int i = 0; i < kCount; ++i) {
    const double z = 1 - (2 * i + 1.0) / kCount;
    const double angle = i * kPi * (3 - std::sqrt(5.0));
    const double r = std::sqrt(1 - z * z);
    out.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
  }
  for (int axis = 0; axis < 3; ++axis) {
    out.push_back(Vec3::Unit(axis));
    out.push_back(-Vec3::Unit(axis));
  }
  return out;
}

struct Sampler {
  std::vector<Vec3> operator()(const Sphere& s) const {
    return (*this)(Ellipsoid{Vec3::Constant(s.radius)});
  }
  std::vector<Vec3> operator()(const Ellipsoid& s) const {
    std::vector<Vec3> out = Directions();
    for (Vec3& point : out) point = point.cwiseProduct(s.radii);
    return out;
  }
  std::vector<Vec3> operator()(const Box& s) const {
    std::vector<Vec3> out;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
      out.push_back(0.5 * s.size.cwiseProduct(sign));
    }
    return out;
  }
  std::vector<Vec3> operator()(const Capsule& s) const {
    std::vector<Vec3> out;
    for (const Vec3& direction : Directions()) {
      const double shift = direction[2] >= 0 ? s.length / 2 : -s.length / 2;
      out.push_back(s.radius * direction + Vec3(0, 0, shift));
    }
    return out;
  }
  std::vector<Vec3> operator()(const Cylinder& s) const {
    std::vector<Vec3> out;
    for (int i = 0; i < 48; ++i) {
      const double angle = 2 * kPi * i / 48;
      for (double z : {-s.length / 2, s.length / 2}) {
        out.emplace_back(s.radius * std::cos(angle), s.radius * std::sin(angle), z);
      }
    }
    return out;
  }
  std::vector<Vec3> operator()(const HalfSpace&) const { return {}; }
  std::vector<Vec3> operator()(const ContactPoints& s) const { return s.positions; }
  std::vector<Vec3> operator()(const Foundation& s) const {
    const double x = s.size[0] / 2, y = s.size[1] / 2;
    return {{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}};
  }
  std::vector<Vec3> operator()(const ConvexHull& s) const { return s.points; }
  std::vector<Vec3> operator()(const TriangleMesh& s) const { return s.vertices; }
  std::vector<Vec3> operator()(const HeightField& s) const { return MakeMesh(s).vertices; }
};

double Turn(const Vec2& a, const Vec2& b, const Vec2& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

}  // namespace

std::vector<Vec3> SampleSurface(const Shape& shape) { return std::visit(Sampler{}, shape); }

std::vector<Vec2> ConvexOutline(std::vector<Vec2> points) {
  // Andrew's monotone chain: the lower side from left to right, the upper side back.
  std::sort(points.begin(), points.end(),
            [](const Vec2& a, const Vec2& b) { return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1]; });
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  std::vector<Vec2> hull;
  const auto add_side = [&](auto begin, auto end) {
    const size_t base = hull.size();
    for (auto point = begin; point != end; ++point) {
      while (hull.size() >= base + 2 && Turn(hull[hull.size() - 2], hull.back(), *point) <= 0) {
        hull.pop_back();
      }
      hull.push_back(*point);
    }
    hull.pop_back();  // the other side starts with this point
  };
  add_side(points.begin(), points.end());
  add_side(points.rbegin(), points.rend());
  return hull;
}

}  // namespace voigt
