#include "voigt/model/triangle_mesh.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "voigt/model/mesh_crossing.h"

namespace voigt {
namespace {

using Triangle = std::array<int, 3>;

// Number of triangles on each directed edge.
using EdgeCounts = std::map<std::pair<int, int>, int>;

EdgeCounts CountDirectedEdges(const TriangleMesh& mesh) {
  EdgeCounts counts;
  for (const Triangle& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) ++counts[{t[k], t[(k + 1) % 3]}];
  }
  return counts;
}

std::optional<std::string> DescribeEdgeDefect(const TriangleMesh& mesh) {
  const EdgeCounts counts = CountDirectedEdges(mesh);
  for (const auto& [edge, count] : counts) {
    const auto [a, b] = edge;
    const auto back = counts.find({b, a});
    const int reverse = back == counts.end() ? 0 : back->second;
    if (count + reverse > 2) {
      return fmt::format("edge {}-{} belongs to {} triangles, expected two", a, b, count + reverse);
    }
    if (count == 2) {
      return fmt::format("the two triangles at edge {}-{} disagree on which side is outside", a, b);
    }
    if (reverse == 0) {
      return fmt::format("the surface is open: edge {}-{} belongs to one triangle only", a, b);
    }
  }
  return std::nullopt;
}

// Labels triangles that are connected through shared edges; returns the label per triangle.
std::vector<int> LabelPieces(const TriangleMesh& mesh) {
  std::vector<int> root(mesh.triangles.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  std::map<std::pair<int, int>, int> triangle_at;  // by edge, smaller vertex first
  for (size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    for (int k = 0; k < 3; ++k) {
      const auto edge = std::minmax(t[k], t[(k + 1) % 3]);
      const auto [entry, is_new] = triangle_at.try_emplace(edge, static_cast<int>(i));
      if (!is_new) root[find(static_cast<int>(i))] = find(entry->second);
    }
  }
  std::vector<int> label;
  for (size_t i = 0; i < mesh.triangles.size(); ++i) label.push_back(find(static_cast<int>(i)));
  return label;
}

// The solid angle under which triangle abc is seen from the origin, by its sign of orientation
// [van Oosterom & Strackee 1983].
double SolidAngle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double numerator = a.dot(b.cross(c));
  const double denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  return 2 * std::atan2(numerator, denominator);
}

// A point just behind the middle of a triangle, where the material is. On the surface itself
// nothing could be said about pieces that touch there.
Vec3 BehindTriangle(const TriangleMesh& mesh, const Triangle& t) {
  const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
  const Vec3 normal = (b - a).cross(c - a);  // its length is twice the area
  const double area2 = normal.norm();
  if (!(area2 > 0)) return (a + b + c) / 3;
  return (a + b + c) / 3 - 1e-7 / std::sqrt(area2) * normal;
}

// How often the pieces other than `own` wind around point p.
double WindingOfOthers(const TriangleMesh& mesh, const std::vector<int>& label, int own,
                       const Vec3& p) {
  double angle = 0;
  for (size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (label[i] == own) continue;
    const Triangle& t = mesh.triangles[i];
    angle += SolidAngle(mesh.vertices[t[0]] - p, mesh.vertices[t[1]] - p, mesh.vertices[t[2]] - p);
  }
  return angle / (4 * kPi);
}

std::optional<std::string> DescribeOrientationDefect(const TriangleMesh& mesh) {
  struct Piece {
    double volume = 0, area = 0;
    bool is_known = false;  // one of its triangles was looked at
  };
  const std::vector<int> label = LabelPieces(mesh);
  std::map<int, Piece> pieces;
  double reach = 0;  // the largest distance of a vertex from the origin
  const Vec3& reference = mesh.vertices[mesh.triangles[0][0]];
  for (size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    const Vec3 a = mesh.vertices[t[0]] - reference, b = mesh.vertices[t[1]] - reference,
               c = mesh.vertices[t[2]] - reference;
    Piece& piece = pieces[label[i]];
    piece.volume += a.dot(b.cross(c)) / 6;
    piece.area += (b - a).cross(c - a).norm() / 2;
    for (int corner : t) reach = std::max(reach, mesh.vertices[corner].norm());
  }
  // Every triangle is looked at, or evenly chosen ones where that would take seconds.
  const size_t count = mesh.triangles.size();
  const size_t stride = pieces.size() == 1 ? count : 1 + count * count / 20'000'000;
  for (size_t i = 0; i < count; ++i) {
    Piece& piece = pieces[label[i]];
    if (piece.is_known && i % stride != 0) continue;
    piece.is_known = true;
    // Vertices are rounded to 1e-16 of their distance from the origin: a flat piece that lies
    // askew has a volume of that order and of either sign.
    if (std::abs(piece.volume) <= 1e-14 * reach * piece.area) {
      return fmt::format("the piece with triangle {} encloses no volume", i);
    }
    // Inside another piece, only a cavity makes sense; outside, only a solid.
    const bool enclosed =
        WindingOfOthers(mesh, label, label[i], BehindTriangle(mesh, mesh.triangles[i])) > 0.5;
    if (enclosed == (piece.volume < 0)) continue;
    if (enclosed) {
      return fmt::format(
          "the piece with triangle {} lies inside another piece and would count twice", i);
    }
    return fmt::format(
        "the piece with triangle {} is turned inside out (volume {:.6g} m³): reverse its triangles",
        i, piece.volume);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> DescribeSurfaceDefect(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return "the mesh has no triangles";
  for (size_t i = 0; i < mesh.vertices.size(); ++i) {
    if (!mesh.vertices[i].allFinite()) return fmt::format("vertex {} is not finite", i);
  }
  const int vertex_count = static_cast<int>(mesh.vertices.size());
  for (size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    for (int index : t) {
      if (index < 0 || index >= vertex_count) {
        return fmt::format("triangle {} names vertex {}, expected 0 to {}", i, index,
                           vertex_count - 1);
      }
    }
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
      return fmt::format("triangle {} uses vertex {} twice", i, t[0] == t[1] ? t[0] : t[2]);
    }
  }
  return std::nullopt;
}

std::optional<std::string> DescribeSolidDefect(const TriangleMesh& mesh) {
  if (auto defect = DescribeSurfaceDefect(mesh)) return defect;
  if (auto defect = DescribeEdgeDefect(mesh)) return defect;
  if (const auto pair = FindCrossingTriangles(mesh)) {
    return fmt::format("the surface passes through itself: triangles {} and {} cross", pair->first,
                       pair->second);
  }
  return DescribeOrientationDefect(mesh);
}

}  // namespace voigt
