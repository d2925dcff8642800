#pragma once

#include <array>
#include <string>
#include <vector>

#include "voigt/math/types.h"

namespace voigt {

// Cuts a polygon into triangles by removing ears [Meisters 1975], within the plane that is normal
// to the polygon's area vector. A convex polygon becomes the fan around its first corner.
class PolygonCutter {
 public:
  // Where ears are hidden, the search takes the cube of this.
  static constexpr int kMostCorners = 1000;

  // Corner numbers of the triangles, in the polygon's winding. Returns what is wrong with the
  // polygon, or nothing: fewer than three or too many corners, no area, a border that crosses
  // itself.
  std::string Cut(const std::vector<Vec3>& corners, std::vector<std::array<int, 3>>* triangles);

  // How far the corners of the last polygon are from their plane, relative to its extent.
  double unevenness() const { return unevenness_; }

 private:
  bool Project(const std::vector<Vec3>& corners);
  bool IsEar(size_t at) const;
  // Twice the area of the triangle, positive if it turns as the polygon does.
  double Turn(int a, int b, int c) const;

  std::vector<Vec2> points_;  // in the plane, in extents
  std::vector<int> ring_;     // what remains
  double unevenness_ = 0;
};

}  // namespace voigt
