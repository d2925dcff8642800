#include "voigt/collision/surface_feature.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>

#include "voigt/math/rotation.h"

namespace voigt {
namespace {

using Kind = SurfaceFeature::Kind;

// Directions nearer than this to a cylinder's axis, or to its equator, try cap or side first.
constexpr double kNearlyFlat = 0.02;

void Append(const SurfaceFeature& feature, FeatureList* out) {
  if (out->count < static_cast<int>(out->items.size())) out->items[out->count++] = feature;
}

bool HasVertex(const Polytope& polytope, int face, int vertex) {
  const Polytope::Adjacency& faces = polytope.vertex_faces;
  const auto begin = faces.items.begin() + faces.start[vertex];
  const auto end = faces.items.begin() + faces.start[vertex + 1];
  return std::find(begin, end, face) != end;
}

// The feature with the given corners, the likeliest. While an iteration is coarse three of them may
// have no face in common; then that which faces n most at the first of them serves.
void AppendSpannedFeature(const ConvexShape& shape, const Pose& X, const int* ids, int count,
                          const Vec3& n, FeatureList* out) {
  const Polytope& polytope = shape.polytope;
  if (count == 1) return Append(MakeVertexFeature(shape, X, ids[0]), out);
  if (count == 2) return Append(MakeEdgeFeature(shape, X, ids[0], ids[1]), out);
  int face = polytope.FindFaceAt(ids[0], n);
  for (int k = polytope.vertex_faces.start[ids[0]]; k < polytope.vertex_faces.start[ids[0] + 1];
       ++k) {
    const int f = polytope.vertex_faces.items[k];
    if (HasVertex(polytope, f, ids[1]) && HasVertex(polytope, f, ids[2])) face = f;
  }
  Append(MakeFaceFeature(shape, X, face), out);
}

// The two edges at a vertex that are most at right angles to n.
void AppendEdges(const ConvexShape& shape, const Pose& X, int vertex, const Vec3& n,
                 FeatureList* out) {
  const Polytope& polytope = shape.polytope;
  int best[2] = {-1, -1};
  double sine[2] = {kInfinity, kInfinity};
  for (int k = polytope.neighbors.start[vertex]; k < polytope.neighbors.start[vertex + 1]; ++k) {
    const int w = polytope.neighbors.items[k];
    const Vec3 along = polytope.vertices[w] - polytope.vertices[vertex];
    const double here = std::abs(n.dot(along)) / along.norm();
    if (here < sine[0]) {
      sine[1] = sine[0], best[1] = best[0];
      sine[0] = here, best[0] = w;
    } else if (here < sine[1]) {
      sine[1] = here, best[1] = w;
    }
  }
  for (int w : best) {
    if (w >= 0) Append(MakeEdgeFeature(shape, X, vertex, w), out);
  }
}

void ListPolytopeFeatures(const ConvexShape& shape, const Pose& X, const FeatureGuess& guess,
                          bool thorough, FeatureList* out) {
  std::array<int, 4> ids{};
  int count = 0;
  for (int k = 0; k < guess.vertex_count; ++k) {
    const auto end = ids.begin() + count;
    if (std::find(ids.begin(), end, guess.vertices[k]) == end) ids[count++] = guess.vertices[k];
  }
  const Vec3 n = X.R.transpose() * guess.n;
  AppendSpannedFeature(shape, X, ids.data(), count, n, out);
  if (!thorough) return;
  const int support = shape.polytope.FindSupport(n, ids[0]);
  const int face = shape.polytope.FindFaceAt(support, n);
  Append(MakeVertexFeature(shape, X, support), out);
  if (face >= 0) Append(MakeFaceFeature(shape, X, face), out);
  AppendEdges(shape, X, support, n, out);
  if (count >= 3) {
    Append(MakeEdgeFeature(shape, X, ids[0], ids[1]), out);
    Append(MakeEdgeFeature(shape, X, ids[1], ids[2]), out);
    Append(MakeEdgeFeature(shape, X, ids[0], ids[2]), out);
  }
  for (int k = 0; k < count; ++k) {
    if (ids[k] != support) Append(MakeVertexFeature(shape, X, ids[k]), out);
  }
}

void ListCylinderFeatures(const ConvexShape& shape, const Pose& X, const FeatureGuess& guess,
                          bool thorough, FeatureList* out) {
  const Vec3 n = X.R.transpose() * guess.n;
  const double across = std::hypot(n[0], n[1]), along = std::abs(n[2]);
  const auto cap = [&](Kind kind, double sign) {
    SurfaceFeature feature;
    feature.kind = kind;
    feature.p = X * Vec3(0, 0, sign * shape.half_length);
    feature.u = X.R.col(0);
    feature.v = X.R.col(1);
    feature.radius = shape.radius;
    feature.key = (kind == Kind::kPlane ? 0 : 2) + (sign > 0 ? 1 : 0);
    return feature;
  };
  SurfaceFeature side;
  side.kind = Kind::kLine;
  side.p = X.p;
  side.u = X.R.col(2);
  side.offset = shape.radius;
  side.key = 4;
  const double sign = n[2] < 0 ? -1 : 1;
  const SurfaceFeature plane = cap(Kind::kPlane, sign), rim = cap(Kind::kCircle, sign);
  if (across < kNearlyFlat) {
    Append(plane, out);
    if (thorough) Append(rim, out);
    if (thorough) Append(side, out);
  } else if (along < kNearlyFlat) {
    Append(side, out);
    if (thorough) Append(rim, out);
    if (thorough) Append(cap(Kind::kCircle, -sign), out);
  } else {
    Append(rim, out);
    if (thorough) Append(along > across ? plane : side, out);
    if (thorough) Append(along > across ? side : plane, out);
  }
}

// The curvature matrix in a basis E (3×2) of the tangent plane; nothing where the surface is sharp.
std::optional<Eigen::Matrix2d> CalcCurvature(const SurfaceFeature& feature, const Vec3& n,
                                             const Eigen::Matrix<double, 3, 2>& E) {
  const Eigen::Matrix2d zero = Eigen::Matrix2d::Zero();
  switch (feature.kind) {
    case Kind::kPlane:
      return zero;
    case Kind::kEllipsoid: {
      const Vec3 Mn = feature.square * n;
      const double h = std::sqrt(n.dot(Mn));
      const Mat3 gradient = (feature.square - Mn * Mn.transpose() / (h * h)) / h;
      return Eigen::Matrix2d((E.transpose() * gradient * E).inverse());
    }
    default: {
      if (feature.kind == Kind::kCircle || !(feature.offset > 0)) return std::nullopt;
      Eigen::Matrix2d K = Eigen::Matrix2d::Identity() / feature.offset;
      if (feature.kind == Kind::kLine) {
        const Vec2 along = E.transpose() * feature.u;
        K -= along * along.transpose() / (feature.offset * along.squaredNorm());
      }
      return K;
    }
  }
}

}  // namespace

SurfaceFeature MakeVertexFeature(const ConvexShape& shape, const Pose& X, int vertex) {
  SurfaceFeature out;
  out.p = X * shape.polytope.vertices[vertex];
  out.offset = shape.rounding;
  out.key = 3 * vertex;
  return out;
}

SurfaceFeature MakeEdgeFeature(const ConvexShape& shape, const Pose& X, int v, int w) {
  const Vec3 along = shape.polytope.vertices[w] - shape.polytope.vertices[v];
  SurfaceFeature out;
  out.kind = Kind::kLine;
  out.p = X * shape.polytope.vertices[v];
  out.length = along.norm();
  out.u = X.R * (along / out.length);
  out.offset = shape.rounding;
  // Those of large hulls wrap around.
  const auto count = static_cast<unsigned>(shape.polytope.vertices.size());
  out.key = static_cast<int>((3 * (std::min(v, w) * count + std::max(v, w)) + 1) & 0x7fffffff);
  return out;
}

SurfaceFeature MakeFaceFeature(const ConvexShape& shape, const Pose& X, int face) {
  const Polytope::Face& f = shape.polytope.faces[face];
  const Mat3 axes = RotationWithZ(f.normal);
  SurfaceFeature out;
  out.kind = Kind::kPlane;
  out.p = X * shape.polytope.vertices[shape.polytope.loops[f.first]];
  out.u = X.R * axes.col(0);
  out.v = X.R * axes.col(1);
  out.offset = shape.rounding;
  out.key = 3 * face + 2;
  return out;
}

void ListFeatures(const ConvexShape& shape, const Pose& X, const FeatureGuess& guess, bool thorough,
                  FeatureList* out) {
  out->count = 0;
  switch (shape.kind) {
    case ConvexShape::Kind::kPolytope:
      ListPolytopeFeatures(shape, X, guess, thorough, out);
      break;
    case ConvexShape::Kind::kCylinder:
      ListCylinderFeatures(shape, X, guess, thorough, out);
      break;
    case ConvexShape::Kind::kEllipsoid: {
      SurfaceFeature feature;
      feature.kind = Kind::kEllipsoid;
      feature.p = X.p;
      feature.square = X.R * shape.radii.cwiseAbs2().asDiagonal() * X.R.transpose();
      Append(feature, out);
      break;
    }
  }
}

RelativeCurvature CalcRelativeCurvature(const SurfaceFeature& a, const SurfaceFeature& b,
                                        const Vec3& n) {
  const Eigen::Matrix<double, 3, 2> E = RotationWithZ(n).leftCols<2>();
  const auto Ka = CalcCurvature(a, n, E), Kb = CalcCurvature(b, n, E);
  if (!Ka || !Kb) return {};
  const Eigen::Matrix2d K = *Ka + *Kb;
  const double determinant = K.determinant();
  // Rounding leaves a little of nothing.
  if (!(determinant > 1e-14 * K.squaredNorm())) return {};
  return MakeRelativeCurvature(K.trace(), determinant);
}

}  // namespace voigt
