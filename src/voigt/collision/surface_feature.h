#pragma once

#include <array>

#include "voigt/collision/convex_shape.h"
#include "voigt/collision/relative_curvature.h"

namespace voigt {

// A piece of a convex shape's surface, as smooth functions see it: a core point, line, plane or
// circle, pushed outwards by `offset` along the contact normal (an inflated polytope; the side of a
// cylinder is its axis pushed outwards), or an ellipsoid.
struct SurfaceFeature {
  enum class Kind { kPoint, kLine, kPlane, kCircle, kEllipsoid };

  Kind kind = Kind::kPoint;
  Vec3 p = Vec3::Zero();  // the point; one of the line or plane; the centre
  Vec3 u = Vec3::Zero();  // unit vector along the line; two in the plane of plane and circle
  Vec3 v = Vec3::Zero();
  double radius = 0;           // of the circle
  Mat3 square = Mat3::Zero();  // of an ellipsoid: R diag(radii²) Rᵀ
  double offset = 0;           // m
  double length = kInfinity;   // of a line that starts at p; endless where others bound it
  int key = 0;                 // names it among the features of its shape

  // How many numbers tell a point of the feature: the normal tells that of an ellipsoid.
  int dof() const {
    constexpr std::array<int, 5> kDof = {0, 1, 2, 1, 0};
    return kDof[static_cast<int>(kind)];
  }
};

// Which features may touch something in a direction, the likeliest first.
struct FeatureList {
  std::array<SurfaceFeature, 10> items;
  int count = 0;
};

// What an iteration knows about where a shape is touched: the direction n in which it is left, a
// point x of its core, and the vertices that span the feature there (of polytopes; repetitions
// allowed). n and x are in the frame in which the shape's pose X is given.
struct FeatureGuess {
  Vec3 n = Vec3::UnitZ(), x = Vec3::Zero();
  std::array<int, 4> vertices{};
  int vertex_count = 0;
};

// Only those that the guess tells, or, if `thorough`, all near it.
void ListFeatures(const ConvexShape& shape, const Pose& X, const FeatureGuess& guess, bool thorough,
                  FeatureList* out);

// Features of polytopes.
SurfaceFeature MakeVertexFeature(const ConvexShape& shape, const Pose& X, int vertex);
SurfaceFeature MakeEdgeFeature(const ConvexShape& shape, const Pose& X, int v, int w);
SurfaceFeature MakeFaceFeature(const ConvexShape& shape, const Pose& X, int face);

// Of two surfaces that touch along n. Without a radius where one of them is sharp, or both are flat
// or ruled along the same line.
RelativeCurvature CalcRelativeCurvature(const SurfaceFeature& a, const SurfaceFeature& b,
                                        const Vec3& n);

}  // namespace voigt
