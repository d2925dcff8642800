#include "voigt/collision/mesh_surface.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

constexpr double kCoplanar = 1e-10;  // of the size
constexpr double kStraight = 1e-9;   // sine of the angle between edges that are one
constexpr double kThinnest = 1e-12;  // height of a triangle over its longest side

// Vertices about the middle of the mesh.
void SetVertices(const TriangleMesh& mesh, MeshSurface* out) {
  Vec3 low = Vec3::Constant(kInfinity), high = -low;
  for (const auto& triangle : mesh.triangles) {
    for (int v : triangle) {
      low = low.cwiseMin(mesh.vertices[v]);
      high = high.cwiseMax(mesh.vertices[v]);
    }
  }
  out->center = 0.5 * (low + high);
  out->size = (high - low).norm();
  out->bounds = {low - out->center, high - out->center};
  out->vertices.resize(mesh.vertices.size());
  for (size_t v = 0; v < mesh.vertices.size(); ++v) {
    out->vertices[v].p = mesh.vertices[v] - out->center;
  }
}

std::optional<std::string> SetTriangles(const TriangleMesh& mesh, MeshSurface* out) {
  out->triangles.resize(mesh.triangles.size());
  for (size_t t = 0; t < mesh.triangles.size(); ++t) {
    MeshSurface::Triangle& triangle = out->triangles[t];
    triangle.vertices = mesh.triangles[t];
    Vec3 p[3];
    for (int k = 0; k < 3; ++k) {
      MeshSurface::Vertex& vertex = out->vertices[triangle.vertices[k]];
      p[k] = vertex.p;
      if (vertex.triangle < 0) vertex.triangle = static_cast<int>(t);
    }
    // From the longest side, whose direction has the most digits.
    int k = 0;
    for (int i = 1; i < 3; ++i) {
      if ((p[(i + 1) % 3] - p[i]).norm() > (p[(k + 1) % 3] - p[k]).norm()) k = i;
    }
    const double length = (p[(k + 1) % 3] - p[k]).norm();
    const Vec3 along = (p[(k + 1) % 3] - p[k]) / length;
    const Vec3 to_tip = p[(k + 2) % 3] - p[k];
    const Vec3 across = along.cross(to_tip);
    if (!(across.norm() > kThinnest * length)) {
      return fmt::format("triangle {} has no area: its corners lie on one line", t);
    }
    triangle.normal = across.normalized().normalized();
    for (int i = 0; i < 3; ++i) {
      triangle.inward[i] = triangle.normal.cross(p[(i + 1) % 3] - p[i]).normalized();
      const Vec3 to_next = (p[(i + 1) % 3] - p[i]).normalized();
      const Vec3 to_last = (p[(i + 2) % 3] - p[i]).normalized();
      const double angle = std::atan2(to_next.cross(to_last).norm(), to_next.dot(to_last));
      out->vertices[triangle.vertices[i]].normal += angle * triangle.normal;
    }
  }
  return std::nullopt;
}

// Sides of triangles by their ends, which then are edges.
void SetEdges(MeshSurface* out) {
  struct Side {
    std::array<int, 2> key;
    int triangle, k;
  };
  std::vector<Side> sides;
  for (size_t t = 0; t < out->triangles.size(); ++t) {
    const auto& v = out->triangles[t].vertices;
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(v[k], v[(k + 1) % 3]);
      sides.push_back({{low, high}, static_cast<int>(t), k});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return a.key != b.key ? a.key < b.key : a.triangle < b.triangle;
  });
  for (size_t i = 0; i < sides.size(); ++i) {
    if (i == 0 || sides[i].key != sides[i - 1].key) {
      MeshSurface::Edge& edge = out->edges.emplace_back();
      edge.vertices = sides[i].key;
      edge.first = static_cast<int>(i);
    }
    MeshSurface::Edge& edge = out->edges.back();
    ++edge.count;
    out->edge_triangles.push_back(sides[i].triangle);
    MeshSurface::Triangle& triangle = out->triangles[sides[i].triangle];
    triangle.edges[sides[i].k] = static_cast<int>(out->edges.size()) - 1;
    edge.normal += triangle.normal;
  }
  // The edges at each vertex.
  for (const auto& edge : out->edges) {
    for (int v : edge.vertices) ++out->vertices[v].count;
  }
  int first = 0;
  for (auto& vertex : out->vertices) {
    vertex.first = first;
    first += vertex.count;
    vertex.count = 0;
  }
  out->vertex_edges.resize(first);
  for (size_t e = 0; e < out->edges.size(); ++e) {
    for (int v : out->edges[e].vertices) {
      auto& vertex = out->vertices[v];
      out->vertex_edges[vertex.first + vertex.count++] = static_cast<int>(e);
    }
  }
}

// Across the edge into one of its triangles.
const Vec3& InwardOf(const MeshSurface& surface, int edge, int triangle) {
  const MeshSurface::Triangle& t = surface.triangles[triangle];
  const int k = t.edges[0] == edge ? 0 : t.edges[1] == edge ? 1 : 2;
  return t.inward[k];
}

// The two triangles of an edge if they are wound alike.
bool IsRegular(const MeshSurface& surface, int e) {
  const MeshSurface::Edge& edge = surface.edges[e];
  if (edge.count != 2) return false;
  bool forward[2];
  for (int i = 0; i < 2; ++i) {
    const auto& t = surface.triangles[surface.edge_triangles[edge.first + i]];
    const int k = t.edges[0] == e ? 0 : t.edges[1] == e ? 1 : 2;
    forward[i] = t.vertices[k] == edge.vertices[0];
  }
  return forward[0] != forward[1];
}

// Grows regions from their first triangles, across edges whose other triangle is in the plane.
void SetRegions(MeshSurface* out) {
  for (auto& triangle : out->triangles) triangle.region = -1;
  const double tolerance = kCoplanar * out->size;
  std::vector<int> stack;
  for (size_t seed = 0; seed < out->triangles.size(); ++seed) {
    if (out->triangles[seed].region >= 0) continue;
    const int r = static_cast<int>(out->regions.size());
    MeshSurface::Region& region = out->regions.emplace_back();
    region.normal = out->triangles[seed].normal;
    region.offset = region.normal.dot(out->vertices[out->triangles[seed].vertices[0]].p);
    const auto in_plane = [&](int v) {
      return std::abs(region.normal.dot(out->vertices[v].p) - region.offset) <= tolerance;
    };
    out->triangles[seed].region = r;
    stack.assign(1, static_cast<int>(seed));
    while (!stack.empty()) {
      const int t = stack.back();
      stack.pop_back();
      for (int e : out->triangles[t].edges) {
        if (!IsRegular(*out, e)) continue;
        const MeshSurface::Edge& edge = out->edges[e];
        const int other = out->edge_triangles[edge.first] == t ? out->edge_triangles[edge.first + 1]
                                                               : out->edge_triangles[edge.first];
        MeshSurface::Triangle& next = out->triangles[other];
        if (next.region >= 0 || next.normal.dot(region.normal) <= 0) continue;
        if (!std::all_of(next.vertices.begin(), next.vertices.end(), in_plane)) continue;
        next.region = r;
        stack.push_back(other);
      }
    }
  }
}

void SetBends(MeshSurface* out) {
  for (size_t e = 0; e < out->edges.size(); ++e) {
    MeshSurface::Edge& edge = out->edges[e];
    if (!IsRegular(*out, static_cast<int>(e))) continue;
    const int a = out->edge_triangles[edge.first], b = out->edge_triangles[edge.first + 1];
    const MeshSurface::Triangle &t = out->triangles[a], &u = out->triangles[b];
    if (t.region == u.region && t.normal.dot(u.normal) > 0) {
      edge.bend = MeshSurface::Bend::kFlat;
      continue;
    }
    const double rise = t.normal.dot(InwardOf(*out, static_cast<int>(e), b));
    edge.bend = rise > 0 ? MeshSurface::Bend::kConcave : MeshSurface::Bend::kConvex;
  }
}

// Triangles of a region share its normal, so that nothing can tell them apart.
void UnifyNormals(MeshSurface* out) {
  for (auto& triangle : out->triangles) triangle.normal = out->regions[triangle.region].normal;
}

void SetCorners(MeshSurface* out) {
  for (size_t v = 0; v < out->vertices.size(); ++v) {
    MeshSurface::Vertex& vertex = out->vertices[v];
    int sharp_count = 0;
    Vec3 along[2];
    for (int k = vertex.first; k < vertex.first + vertex.count; ++k) {
      const MeshSurface::Edge& edge = out->edges[out->vertex_edges[k]];
      vertex.is_border |= edge.bend == MeshSurface::Bend::kOpen;
      if (edge.bend == MeshSurface::Bend::kFlat) continue;
      const int other = edge.vertices[edge.vertices[0] == static_cast<int>(v)];
      if (sharp_count < 2) along[sharp_count] = (out->vertices[other].p - vertex.p).normalized();
      ++sharp_count;
    }
    const bool is_straight = sharp_count == 2 && along[0].dot(along[1]) < 0 &&
                             along[0].cross(along[1]).norm() < kStraight;
    vertex.is_corner = sharp_count > 0 && !is_straight;
  }
}

std::optional<MeshSurface> Make(const TriangleMesh& mesh, std::string* defect) {
  MeshSurface out;
  SetVertices(mesh, &out);
  if (auto found = SetTriangles(mesh, &out)) {
    *defect = *found;
    return std::nullopt;
  }
  SetEdges(&out);
  SetRegions(&out);
  SetBends(&out);
  UnifyNormals(&out);
  SetCorners(&out);
  const size_t count = out.regions.size() + out.edges.size() + out.vertices.size();
  if (count > static_cast<size_t>(kMaxContactPoints)) {
    *defect = fmt::format(
        "{} plane regions, edges and vertices in all ({} triangles), contact has room for {}",
        count, out.triangles.size(), kMaxContactPoints);
    return std::nullopt;
  }
  return out;
}

}  // namespace

double MeshSurface::CalcEdgeExcess(int edge, const Vec3& n) const {
  const Edge& e = edges[edge];
  double excess = -kInfinity;
  for (int k = e.first; k < e.first + e.count; ++k) {
    excess = std::max(excess, n.dot(InwardOf(*this, edge, edge_triangles[k])));
  }
  // The ground goes straight down at its border.
  if (kind == Kind::kGround && e.bend == Bend::kOpen) excess = std::max(excess, -n[2]);
  return excess;
}

double MeshSurface::CalcVertexExcess(int vertex, const Vec3& n) const {
  const Vertex& v = vertices[vertex];
  double excess = -kInfinity;
  for (int k = v.first; k < v.first + v.count; ++k) {
    const Edge& edge = edges[vertex_edges[k]];
    const int other = edge.vertices[edge.vertices[0] == vertex];
    excess = std::max(excess, n.dot((vertices[other].p - v.p).normalized()));
  }
  if (kind == Kind::kGround && v.is_border) excess = std::max(excess, -n[2]);
  return excess;
}

void MeshSurface::FindNear(const AxisBox& box, std::vector<int>* out) const {
  if (kind != Kind::kGround) return tree.FindNear(box, out);
  if (!(box.lower[2] <= bounds.upper[2] && box.upper[2] >= bounds.lower[2])) return;
  // Cells under the box; one more on each side, where rounding could tell.
  const auto range = [&](int axis, int count) {
    const auto cell = [&](double x) {
      const double k = std::floor((x - grid.origin[axis]) / grid.spacing[axis]);
      return static_cast<int>(std::clamp(k, -2.0, count + 1.0));
    };
    return std::array<int, 2>{std::max(0, cell(box.lower[axis]) - 1),
                              std::min(count - 2, cell(box.upper[axis]) + 1)};
  };
  if (!box.lower.allFinite() || !box.upper.allFinite()) return;
  const auto [i_low, i_high] = range(0, grid.nx);
  const auto [j_low, j_high] = range(1, grid.ny);
  for (int j = j_low; j <= j_high; ++j) {
    for (int i = i_low; i <= i_high; ++i) {
      const int first = 2 * (i + (grid.nx - 1) * j);
      for (int t : {first, first + 1}) {
        double low = kInfinity, high = -kInfinity;
        for (int v : triangles[t].vertices) {
          low = std::min(low, vertices[v].p[2]);
          high = std::max(high, vertices[v].p[2]);
        }
        if (low <= box.upper[2] && high >= box.lower[2]) out->push_back(t);
      }
    }
  }
}

std::optional<MeshSurface> MakeMeshSurface(const Shape& shape, std::string* defect) {
  if (auto found = DescribeShapeDefect(shape)) {
    *defect = *found;
    return std::nullopt;
  }
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) {
    auto out = Make(*mesh, defect);
    if (!out) return std::nullopt;
    if (!DescribeSolidDefect(*mesh)) out->kind = MeshSurface::Kind::kSolid;
    std::vector<Vec3> points;
    for (const auto& vertex : out->vertices) points.push_back(vertex.p);
    out->tree = BoxTree(points, mesh->triangles);
    return out;
  }
  if (const auto* field = std::get_if<HeightField>(&shape)) {
    auto out = Make(MakeMesh(*field), defect);
    if (!out) return std::nullopt;
    out->kind = MeshSurface::Kind::kGround;
    out->grid = {field->nx, field->ny, out->bounds.lower.head<2>(), field->spacing};
    return out;
  }
  *defect = "expected a mesh or a height field";
  return std::nullopt;
}

}  // namespace voigt
