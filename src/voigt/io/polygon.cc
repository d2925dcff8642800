#include "voigt/io/polygon.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

// Areas in the plane, relative to the extent squared, below which three points are on one line.
constexpr double kNoArea = 1e-12;

}  // namespace

bool PolygonCutter::Project(const std::vector<Vec3>& corners) {
  Vec3 low = corners[0], high = corners[0];
  for (const Vec3& p : corners) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const Vec3 middle = low / 2 + high / 2;
  const double extent = (high - low).maxCoeff();
  if (!(extent > 0)) return false;
  Vec3 area = Vec3::Zero();
  for (size_t i = 0; i < corners.size(); ++i) {
    const Vec3 a = (corners[i] - middle) / extent;
    const Vec3 b = (corners[(i + 1) % corners.size()] - middle) / extent;
    area += a.cross(b) / 2;
  }
  if (!(area.norm() > kNoArea)) return false;
  const Vec3 normal = area.normalized();
  const Vec3 x = normal.unitOrthogonal(), y = normal.cross(x);
  points_.clear();
  double lowest = kInfinity, highest = -kInfinity;
  for (const Vec3& p : corners) {
    const Vec3 r = (p - middle) / extent;
    points_.emplace_back(x.dot(r), y.dot(r));
    lowest = std::min(lowest, normal.dot(r));
    highest = std::max(highest, normal.dot(r));
  }
  unevenness_ = highest - lowest;
  return true;
}

double PolygonCutter::Turn(int a, int b, int c) const {
  const Vec2 u = points_[b] - points_[a], v = points_[c] - points_[a];
  return u[0] * v[1] - u[1] * v[0];
}

bool PolygonCutter::IsEar(size_t at) const {
  const size_t count = ring_.size();
  const int a = ring_[(at + count - 1) % count], b = ring_[at], c = ring_[(at + 1) % count];
  if (!(Turn(a, b, c) > kNoArea)) return false;
  // No other corner inside or on the border; corners at the same point as these are fine, as a
  // polygon with a hole passes its bridge twice.
  return std::none_of(ring_.begin(), ring_.end(), [&](int p) {
    if (p == a || p == b || p == c) return false;
    for (int own : {a, b, c}) {
      if (points_[p] == points_[own]) return false;
    }
    return Turn(a, b, p) >= -kNoArea && Turn(b, c, p) >= -kNoArea && Turn(c, a, p) >= -kNoArea;
  });
}

std::string PolygonCutter::Cut(const std::vector<Vec3>& corners,
                               std::vector<std::array<int, 3>>* triangles) {
  triangles->clear();
  unevenness_ = 0;
  const int count = static_cast<int>(corners.size());
  if (count < 3 || count > kMostCorners) {
    return fmt::format("{} corners, expected 3 to {}", count, kMostCorners);
  }
  if (count == 3) {
    triangles->push_back({0, 1, 2});
    return "";
  }
  if (!Project(corners)) return "the polygon has no area";
  ring_.resize(count);
  for (int i = 0; i < count; ++i) ring_[i] = i;
  while (ring_.size() > 3) {
    size_t ear = 1;
    while (ear <= ring_.size() && !IsEar(ear % ring_.size())) ++ear;
    if (ear > ring_.size()) {
      triangles->clear();
      return "the border of the polygon crosses itself";
    }
    const size_t n = ring_.size();
    triangles->push_back({ring_[(ear + n - 1) % n], ring_[ear % n], ring_[(ear + 1) % n]});
    ring_.erase(ring_.begin() + static_cast<std::ptrdiff_t>(ear % n));
  }
  triangles->push_back({ring_[0], ring_[1], ring_[2]});
  if (Turn(ring_[0], ring_[1], ring_[2]) >= -kNoArea) return "";
  triangles->clear();
  return "the border of the polygon crosses itself";
}

}  // namespace voigt
