#include "voigt/collision/polytope.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "voigt/base/check.h"
#include "voigt/collision/coplanar_faces.h"
#include "voigt/model/convex_hull.h"

namespace voigt {
namespace {

// Below this, looking at every vertex is quicker than climbing.
constexpr size_t kScanLimit = 40;
// Faces that lie in one plane to this, relative to the size of the hull, are one facet: the points
// of meshes have six digits, or those of single precision.
constexpr double kFacet = 4e-6;

// Lists (vertex, item) pairs by vertex.
Polytope::Adjacency MakeAdjacency(size_t vertex_count, std::vector<std::array<int, 2>> pairs) {
  std::sort(pairs.begin(), pairs.end());
  Polytope::Adjacency out;
  out.start.assign(vertex_count + 1, 0);
  for (const auto& [vertex, item] : pairs) {
    ++out.start[vertex + 1];
    out.items.push_back(item);
  }
  for (size_t v = 0; v < vertex_count; ++v) out.start[v + 1] += out.start[v];
  return out;
}

// Everything that follows from vertices, edges and faces.
void Finish(Polytope* out) {
  std::vector<std::array<int, 2>> neighbors, faces;
  for (const Polytope::Edge& edge : out->edges) {
    const auto& [v, w] = edge.vertices;
    neighbors.push_back({v, w});
    neighbors.push_back({w, v});
  }
  for (size_t f = 0; f < out->faces.size(); ++f) {
    for (int k = 0; k < out->faces[f].count; ++k) {
      faces.push_back({out->loops[out->faces[f].first + k], static_cast<int>(f)});
    }
  }
  const size_t count = out->vertices.size();
  out->neighbors = MakeAdjacency(count, std::move(neighbors));
  out->vertex_faces = MakeAdjacency(count, std::move(faces));
  if (out->facets.empty()) {
    out->facets = out->faces;
    out->facet_loops = out->loops;
    out->vertex_facets = out->vertex_faces;
  }
  Vec3 sum = Vec3::Zero();
  for (const Vec3& v : out->vertices) {
    sum += v;
    out->reach = std::max(out->reach, v.norm());
  }
  out->center = sum / static_cast<double>(count);
}

// Edges from the loops of the faces: each is passed once in each direction. False where it is not.
bool CollectEdges(Polytope* out) {
  struct Side {
    std::array<int, 2> key;
    int face;
    bool forward;
  };
  std::vector<Side> sides;
  for (size_t f = 0; f < out->faces.size(); ++f) {
    const Polytope::Face& face = out->faces[f];
    for (int k = 0; k < face.count; ++k) {
      const int v = out->loops[face.first + k];
      const int w = out->loops[face.first + (k + 1) % face.count];
      sides.push_back({{std::min(v, w), std::max(v, w)}, static_cast<int>(f), v < w});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return a.key != b.key ? a.key < b.key : a.forward > b.forward;
  });
  if (sides.size() % 2 != 0) return false;
  for (size_t k = 0; k < sides.size(); k += 2) {
    const Side &left = sides[k], &right = sides[k + 1];
    if (left.key != right.key || !left.forward || right.forward) return false;
    out->edges.push_back({left.key, {left.face, right.face}});
  }
  return true;
}

// The face with these corners of the mesh, without its place among loops.
Polytope::Face MakePolytopeFace(const TriangleMesh& mesh, const std::vector<int>& polygon) {
  Polytope::Face face;
  face.count = static_cast<int>(polygon.size());
  // Area vector about the first corner: exact for faces of boxes, and sure for slivers' sums.
  const Vec3& origin = mesh.vertices[polygon[0]];
  for (int k = 0; k < face.count; ++k) {
    const Vec3 a = mesh.vertices[polygon[k]] - origin;
    const Vec3 b = mesh.vertices[polygon[(k + 1) % face.count]] - origin;
    face.normal += a.cross(b);
  }
  // Twice, as the square of a small area has few digits.
  face.normal.normalize();
  face.normal.normalize();
  face.offset = -kInfinity;
  for (int v : polygon) face.offset = std::max(face.offset, face.normal.dot(mesh.vertices[v]));
  return face;
}

// Facets by a wider tolerance; `new_index` leads from vertices of the mesh to those of the
// polytope, or to -1. Without them where they do not come out: faces then serve.
void AddFacets(const TriangleMesh& mesh, double tolerance, const std::vector<int>& new_index,
               Polytope* out) {
  std::vector<std::vector<int>> polygons;
  std::vector<int> regions;
  if (!MergeCoplanarTriangles(mesh, tolerance, &polygons, &regions)) return;
  std::vector<Polytope::Face> facets;
  std::vector<int> loops;
  for (const std::vector<int>& polygon : polygons) {
    Polytope::Face facet = MakePolytopeFace(mesh, polygon);
    facet.first = static_cast<int>(loops.size());
    for (int v : polygon) loops.push_back(new_index[v]);
    facets.push_back(facet);
  }
  if (std::find(loops.begin(), loops.end(), -1) != loops.end()) return;
  std::vector<std::array<int, 2>> pairs;
  for (size_t t = 0; t < regions.size(); ++t) {
    for (int v : mesh.triangles[t]) {
      if (new_index[v] >= 0) pairs.push_back({new_index[v], regions[t]});
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  out->facets = std::move(facets);
  out->facet_loops = std::move(loops);
  out->vertex_facets = MakeAdjacency(out->vertices.size(), std::move(pairs));
}

// Polygons of the mesh with coplanar triangles merged. Nothing where what comes out is no convex
// polytope to within the tolerance.
std::optional<Polytope> MergeFaces(const TriangleMesh& mesh, double tolerance,
                                   double facet_tolerance) {
  std::vector<std::vector<int>> polygons;
  std::vector<int> regions;
  if (!MergeCoplanarTriangles(mesh, tolerance, &polygons, &regions)) return std::nullopt;
  Polytope out;
  std::vector<int> new_index(mesh.vertices.size(), -1);
  for (const std::vector<int>& polygon : polygons) {
    Polytope::Face face = MakePolytopeFace(mesh, polygon);
    if (!(face.normal.norm() > 0.5)) return std::nullopt;
    face.first = static_cast<int>(out.loops.size());
    for (int v : polygon) {
      if (new_index[v] < 0) {
        new_index[v] = static_cast<int>(out.vertices.size());
        out.vertices.push_back(mesh.vertices[v]);
      }
      out.loops.push_back(new_index[v]);
    }
    out.faces.push_back(face);
  }
  if (!CollectEdges(&out)) return std::nullopt;
  const size_t euler = out.vertices.size() + out.faces.size();
  if (euler != out.edges.size() + 2) return std::nullopt;
  for (const Vec3& v : mesh.vertices) {
    if (out.CalcFaceDistance(v) > 4 * tolerance) return std::nullopt;
  }
  AddFacets(mesh, facet_tolerance, new_index, &out);
  Finish(&out);
  return out;
}

}  // namespace

int Polytope::FindSupport(const Vec3& direction, int hint) const {
  if (vertices.size() <= kScanLimit) {
    int best = 0;
    double height = direction.dot(vertices[0]);
    for (size_t v = 1; v < vertices.size(); ++v) {
      const double here = direction.dot(vertices[v]);
      if (here > height) height = here, best = static_cast<int>(v);
    }
    return best;
  }
  int best = hint;
  double height = direction.dot(vertices[best]);
  for (bool climbing = true; climbing;) {
    climbing = false;
    for (int k = neighbors.start[best]; k < neighbors.start[best + 1]; ++k) {
      const double here = direction.dot(vertices[neighbors.items[k]]);
      if (here > height) {
        height = here;
        best = neighbors.items[k];
        climbing = true;
        break;
      }
    }
  }
  return best;
}

int Polytope::FindFacetAt(int vertex, const Vec3& direction) const {
  int best = -1;
  double cosine = -kInfinity;
  for (int k = vertex_facets.start[vertex]; k < vertex_facets.start[vertex + 1]; ++k) {
    const double here = facets[vertex_facets.items[k]].normal.dot(direction);
    if (here > cosine) cosine = here, best = vertex_facets.items[k];
  }
  return best;
}

int Polytope::FindFaceAt(int vertex, const Vec3& direction) const {
  int best = -1;
  double cosine = -kInfinity;
  for (int k = vertex_faces.start[vertex]; k < vertex_faces.start[vertex + 1]; ++k) {
    const double here = faces[vertex_faces.items[k]].normal.dot(direction);
    if (here > cosine) cosine = here, best = vertex_faces.items[k];
  }
  return best;
}

double Polytope::CalcFaceDistance(const Vec3& x) const {
  double distance = -kInfinity;
  for (const Face& face : faces) distance = std::max(distance, face.normal.dot(x) - face.offset);
  return distance;
}

std::optional<Polytope> MakePolytope(const ConvexHull& hull, std::string* defect) {
  const std::optional<TriangleMesh> mesh = MakeConvexHullMesh(hull.points, defect);
  if (!mesh) return std::nullopt;
  Vec3 low = mesh->vertices[0], high = low;
  for (const Vec3& v : mesh->vertices) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  // Rounding of the points bends faces by a few units in the last place of their coordinates;
  // qhull's own rounding, and points that were written with few digits, by more.
  const double scale = std::max((high - low).maxCoeff(), 1e-6 * low.cwiseAbs().maxCoeff());
  for (const double tolerance : {1e-13, 1e-12, 1e-11, 1e-10, 1e-9}) {
    if (auto polytope = MergeFaces(*mesh, tolerance * scale, kFacet * scale)) return polytope;
  }
  *defect =
      "the hull is too thin to tell its faces apart: expected a thickness of at least 1e-8 "
      "of its width";
  return std::nullopt;
}

Polytope MakePolytope(const Box& box) {
  const Vec3 half = 0.5 * box.size;
  Polytope out;
  for (int i = 0; i < 8; ++i) {
    out.vertices.emplace_back(i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1],
                              i & 4 ? half[2] : -half[2]);
  }
  out.loops = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
  for (int f = 0; f < 6; ++f) {
    const Vec3 normal = (f % 2 == 0 ? -1.0 : 1.0) * Vec3::Unit(f / 2);
    out.faces.push_back({normal, half[f / 2], 4 * f, 4});
  }
  VOIGT_CHECK(CollectEdges(&out));
  Finish(&out);
  return out;
}

Polytope MakeSegment(double length) {
  Polytope out;
  out.vertices = {Vec3(0, 0, -0.5 * length), Vec3(0, 0, 0.5 * length)};
  out.edges = {{{0, 1}, {-1, -1}}};
  Finish(&out);
  return out;
}

Polytope MakePoint() {
  Polytope out;
  out.vertices = {Vec3::Zero()};
  Finish(&out);
  return out;
}

}  // namespace voigt
