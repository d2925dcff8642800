#pragma once

#include "voigt/collision/facet_overlap.h"
#include "voigt/collision/feature_newton.h"
#include "voigt/collision/manifold.h"

namespace voigt {

// All points of a contact, from where its shapes are nearest or deepest: the corners of the overlap
// of the facets there, and the nearest points themselves where they are none of those.
//
// Keeps its memory from pair to pair.
class FacetManifold {
 public:
  // Appends the points of a meeting whose gap is at most `margin`.
  void Append(const ConvexPair& pair, const Meeting& meeting, double margin, Manifold* out);

 private:
  Facet facet_A_, facet_B_;
  FacetOverlap overlap_;
};

}  // namespace voigt
