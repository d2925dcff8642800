#pragma once

#include "voigt/collision/convex_shape.h"
#include "voigt/collision/expanding_polytope.h"
#include "voigt/collision/facet_manifold.h"
#include "voigt/collision/feature_newton.h"
#include "voigt/collision/gjk.h"
#include "voigt/collision/manifold.h"
#include "voigt/collision/polytope_axes.h"

namespace voigt {

// Contacts of any two convex shapes: boxes, hulls, cylinders, ellipsoids, capsules, spheres. The
// gap is the largest of the gaps along all directions n,
//
//   φ = max over ‖n‖ = 1 of (min n·B - max n·A):
//
// their distance where they are apart, and minus the least translation that parts them where they
// overlap. How it is found:
//
//   apart      GJK, until it knows the features that are nearest
//   overlap    polytopes: all axes (PolytopeAxes); others: ExpandingPolytope, until it knows the
//              features
//   then       Newton's method on the features, which gives all digits; a solution counts only if
//              the whole shapes, not just the features, have this gap along its n, and its points
//              lie on the shapes. Where it fails the first stage goes on and the next feature is
//              tried.
//   else       directions that the shapes' axes offer; bounds of φ from both sides that meet are
//              as good as a solution
//   manifold   where flat facets face each other, all corners of their overlap
//
// Holds the memory that the stages work in; nothing is allocated once it is warm.
class ConvexCollider {
 public:
  enum class Status {
    kApart,  // farther than the margin
    kSolved,
    kInexact,  // no digit is sure beyond those of the first stage
  };

  // Appends the points whose gap is at most `margin`, with normals from A to B.
  Status Collide(const ConvexShape& A, const Pose& X_WA, const ConvexShape& B, const Pose& X_WB,
                 double margin, Manifold* out);

  // The meeting alone, in A's frame; for kApart it is not touched.
  Status Solve(const ConvexPair& pair, double margin, Meeting* out);

 private:
  // *upper_bound of the gap: how far apart some points of both are.
  Status SolveSeparated(const ConvexPair& pair, double margin, Meeting* out, bool* touching,
                        double* upper_bound);
  Status SolveOverlap(const ConvexPair& pair, Meeting* out);
  // The least depth near faces of expanding_ that are not yet ruled out. False where the nearest of
  // them leads nowhere, or none if `thorough`.
  bool RefineOverlap(const ConvexPair& pair, bool thorough, Meeting* out);
  // What both stages leave unsure, from the directions that the frames of both shapes offer.
  Status SolveAlongAxes(const ConvexPair& pair, double upper_bound, Meeting* out);
  // Newton's method on features near the guesses, with the solution that holds for whole shapes.
  bool Refine(const ConvexPair& pair, const FeatureGuess& guess_A, const FeatureGuess& guess_B,
              double least_phi, Meeting* out);

  Gjk gjk_;
  ExpandingPolytope expanding_;
  PolytopeAxes axes_;
  std::vector<Vec3> tried_;  // directions
  FeatureList features_A_, features_B_;
  FacetManifold manifold_;
};

}  // namespace voigt
