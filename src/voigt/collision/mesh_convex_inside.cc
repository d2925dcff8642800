#include <algorithm>
#include <cmath>

#include "voigt/collision/mesh_convex.h"
#include "voigt/collision/pair_frame.h"

// A surface that lies wholly inside of a convex shape.
namespace voigt {

bool MeshConvexCollider::IsInside() const {
  const Pose X_BA = X_AB_.Inverse();
  const auto is_in = [&](const MeshSurface::Vertex& vertex) {
    return vertex.triangle < 0 || CalcOutside(*B_, X_BA * vertex.p) < 0;
  };
  return A_->kind != MeshSurface::Kind::kGround &&
         std::all_of(A_->vertices.begin(), A_->vertices.end(), is_in);
}

double MeshConvexCollider::CalcDepthInside(const Vec3& m) const {
  double lowest = kInfinity;
  for (const MeshSurface::Vertex& vertex : A_->vertices) {
    if (vertex.triangle >= 0) lowest = std::min(lowest, m.dot(vertex.p));
  }
  return -CalcGap(-m, 0) - lowest;
}

void MeshConvexCollider::PushOutOfB() {
  double depth = kInfinity;
  Vec3 m = Vec3::UnitZ();
  const auto try_direction = [&](const Vec3& m_B) {
    const Vec3 m_A = X_AB_.R * m_B;
    const double d = CalcDepthInside(m_A);
    if (d < depth) depth = d, m = m_A;
  };
  const Vec3 middle = X_AB_.Inverse() * Vec3::Zero();
  switch (B_->kind) {
    case ConvexShape::Kind::kPolytope:
      for (const Polytope::Face& face : B_->polytope.faces) try_direction(face.normal);
      if (B_->polytope.faces.empty()) {
        // Of a capsule or sphere: away from its core.
        const std::vector<Vec3>& ends = B_->polytope.vertices;
        const Vec3 core = ends.back() - ends.front();
        const double length2 = core.squaredNorm();
        const double u = length2 > 0 ? core.dot(middle - ends.front()) / length2 : 0;
        const Vec3 away = middle - ends.front() - std::clamp(u, 0.0, 1.0) * core;
        try_direction(away.norm() > kInside * size_ ? away.normalized() : Vec3(Vec3::UnitX()));
      }
      break;
    case ConvexShape::Kind::kCylinder: {
      try_direction(Vec3::UnitZ());
      try_direction(-Vec3::UnitZ());
      const Vec3 away(middle.x(), middle.y(), 0);
      try_direction(away.norm() > kInside * size_ ? away.normalized() : Vec3(Vec3::UnitX()));
      break;
    }
    case ConvexShape::Kind::kEllipsoid: {
      const Vec3 normal = middle.cwiseQuotient(B_->radii.cwiseAbs2());
      for (int axis = 0; axis < 3; ++axis) try_direction(Vec3::Unit(axis));
      if (normal.norm() > 0) try_direction(normal.normalized());
      break;
    }
  }
  const double top = -CalcGap(-m, 0);
  for (size_t k = 0; k < A_->vertices.size(); ++k) {
    const MeshSurface::Vertex& vertex = A_->vertices[k];
    const double gap = m.dot(vertex.p) - top;
    if (vertex.triangle < 0 || gap > -depth + kFacetSlope * A_->size) continue;
    const int feature = A_->VertexFeature(static_cast<int>(k));
    Add(vertex.p - 0.5 * gap * m, -m, gap, HashFeature(kInsideB, feature, -1), {});
  }
}

}  // namespace voigt
