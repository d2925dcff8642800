#include "voigt/collision/mesh_half_space.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace voigt {

void CollideHalfSpaceMesh(const Plane& A, const MeshSurface& B, const Pose& X_WB, double margin,
                          std::vector<int>* near, Manifold* out) {
  const Pose X = B.Place(X_WB);
  const Vec3 n_B = X.R.transpose() * A.n_W;
  const double height = A.n_W.dot(X.p - A.p_W);
  near->clear();
  if (B.kind == MeshSurface::Kind::kGround) {
    near->resize(B.triangles.size());
    std::iota(near->begin(), near->end(), 0);
  } else {
    // Rounding of heights must lose nothing at the margin.
    B.tree.FindBelow(n_B, margin - height + 1e-13 * (B.size + std::abs(height)), near);
    std::sort(near->begin(), near->end());
  }
  for (int t : *near) {
    for (int v : B.triangles[t].vertices) {
      const MeshSurface::Vertex& vertex = B.vertices[v];
      if (vertex.triangle != t || !vertex.is_corner) continue;
      const double phi = height + n_B.dot(vertex.p);
      if (!(phi <= margin)) continue;
      ManifoldPoint& point = out->emplace_back();
      point.p_W = X * vertex.p - 0.5 * phi * A.n_W;
      point.n_W = A.n_W;
      point.phi = phi;
      point.feature = B.VertexFeature(v);
    }
  }
}

}  // namespace voigt
