#include "voigt/collision/coplanar_faces.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <numeric>

namespace voigt {
namespace {

using EdgeOwners = std::map<std::array<int, 2>, int>;  // directed edge → triangle

Vec3 CalcAreaVector(const TriangleMesh& mesh, int t) {
  const auto& [a, b, c] = mesh.triangles[t];
  return (mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]);
}

// Gives triangle `seed` and all that are joined to it in its plane the number `region`.
void Flood(const TriangleMesh& mesh, const EdgeOwners& owners, double tolerance, int seed,
           int region, std::vector<int>* regions) {
  const Vec3 normal = CalcAreaVector(mesh, seed).normalized();
  const Vec3& origin = mesh.vertices[mesh.triangles[seed][0]];
  std::vector<int> open = {seed};
  (*regions)[seed] = region;
  while (!open.empty()) {
    const std::array<int, 3> triangle = mesh.triangles[open.back()];
    open.pop_back();
    for (int k = 0; k < 3; ++k) {
      const auto found = owners.find({triangle[(k + 1) % 3], triangle[k]});
      if (found == owners.end() || (*regions)[found->second] >= 0) continue;
      const auto& corners = mesh.triangles[found->second];
      const bool coplanar = std::all_of(corners.begin(), corners.end(), [&](int v) {
        return std::abs(normal.dot(mesh.vertices[v] - origin)) <= tolerance;
      });
      if (!coplanar) continue;
      (*regions)[found->second] = region;
      open.push_back(found->second);
    }
  }
}

// The border of each region as one loop. False where a border is not a single loop.
bool TraceBorders(const TriangleMesh& mesh, const EdgeOwners& owners,
                  const std::vector<int>& regions, std::vector<std::vector<int>>* polygons) {
  std::vector<std::map<int, int>> next(polygons->size());
  for (const auto& [edge, triangle] : owners) {
    const auto other = owners.find({edge[1], edge[0]});
    if (other == owners.end()) return false;
    const int region = regions[triangle];
    if (regions[other->second] == region) continue;
    if (!next[region].emplace(edge[0], edge[1]).second) return false;
  }
  for (size_t region = 0; region < polygons->size(); ++region) {
    if (next[region].empty()) return false;
    const int first = next[region].begin()->first;
    int v = first;
    do {
      (*polygons)[region].push_back(v);
      const auto step = next[region].find(v);
      if (step == next[region].end() || (*polygons)[region].size() > next[region].size()) {
        return false;
      }
      v = step->second;
    } while (v != first);
    if ((*polygons)[region].size() != next[region].size()) return false;
  }
  return !mesh.triangles.empty();
}

}  // namespace

bool MergeCoplanarTriangles(const TriangleMesh& mesh, double tolerance,
                            std::vector<std::vector<int>>* polygons, std::vector<int>* regions) {
  const int count = static_cast<int>(mesh.triangles.size());
  EdgeOwners owners;
  for (int t = 0; t < count; ++t) {
    const auto& triangle = mesh.triangles[t];
    for (int k = 0; k < 3; ++k) {
      if (!owners.emplace(std::array{triangle[k], triangle[(k + 1) % 3]}, t).second) return false;
    }
  }
  // Large triangles first: their planes are the surest, those of slivers mean nothing.
  std::vector<double> area(count);
  for (int t = 0; t < count; ++t) area[t] = CalcAreaVector(mesh, t).norm();
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int s, int t) { return area[s] > area[t]; });
  regions->assign(count, -1);
  int region_count = 0;
  for (int t : order) {
    if ((*regions)[t] < 0) Flood(mesh, owners, tolerance, t, region_count++, regions);
  }
  polygons->assign(region_count, {});
  if (!TraceBorders(mesh, owners, *regions, polygons)) return false;

  // A corner of only two faces lies on a straight edge between them.
  std::vector<int> face_count(mesh.vertices.size(), 0);
  for (const auto& polygon : *polygons) {
    for (int v : polygon) ++face_count[v];
  }
  for (auto& polygon : *polygons) {
    std::erase_if(polygon, [&](int v) { return face_count[v] < 3; });
    if (polygon.size() < 3) return false;
  }
  return true;
}

}  // namespace voigt
