#include "voigt/model/mesh_crossing.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace voigt {
namespace {

using Corners = std::array<Vec3, 3>;

// Six times the volume of the tetrahedron abcd, by its sign of orientation.
double Volume6(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return (b - a).cross(c - a).dot(d - a);
}

// Does segment pq pierce triangle t away from its edges? Volumes below `noise` have no sign.
bool Pierces(const Vec3& p, const Vec3& q, const Corners& t, double noise) {
  const double above = Volume6(t[0], t[1], t[2], p), below = Volume6(t[0], t[1], t[2], q);
  if (std::min(std::abs(above), std::abs(below)) <= noise || (above > 0) == (below > 0)) {
    return false;
  }
  const double side = above > 0 ? 1 : -1;
  for (int k = 0; k < 3; ++k) {
    if (side * Volume6(q, p, t[k], t[(k + 1) % 3]) <= noise) return false;
  }
  return true;
}

bool Cross(const Corners& s, const Corners& t, double noise) {
  for (int k = 0; k < 3; ++k) {
    if (Pierces(s[k], s[(k + 1) % 3], t, noise) || Pierces(t[k], t[(k + 1) % 3], s, noise)) {
      return true;
    }
  }
  return false;
}

bool ShareVertex(const std::array<int, 3>& s, const std::array<int, 3>& t) {
  return std::any_of(s.begin(), s.end(),
                     [&](int vertex) { return std::find(t.begin(), t.end(), vertex) != t.end(); });
}

}  // namespace

std::optional<std::pair<int, int>> FindCrossingTriangles(const TriangleMesh& mesh) {
  const int count = static_cast<int>(mesh.triangles.size());
  std::vector<Corners> corners(count);
  std::vector<Eigen::AlignedBox3d> box(count);
  Eigen::AlignedBox3d all;
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) {
      corners[i][k] = mesh.vertices[mesh.triangles[i][k]];
      box[i].extend(corners[i][k]);
    }
    all.extend(box[i]);
  }

  // Sweep along the longest side: only triangles whose intervals overlap there can meet.
  int axis = 0;
  all.sizes().maxCoeff(&axis);
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int i, int j) { return box[i].min()[axis] < box[j].min()[axis]; });
  for (int first = 0; first < count; ++first) {
    const int i = order[first];
    for (int next = first + 1; next < count; ++next) {
      const int j = order[next];
      if (box[j].min()[axis] > box[i].max()[axis]) break;
      if (!box[i].intersects(box[j]) || ShareVertex(mesh.triangles[i], mesh.triangles[j])) continue;
      const double size = box[i].merged(box[j]).sizes().maxCoeff();
      const double noise = 1e-12 * size * size * size;
      if (Cross(corners[i], corners[j], noise)) return std::minmax(i, j);
    }
  }
  return std::nullopt;
}

}  // namespace voigt
