#pragma once

#include <vector>

#include "voigt/collision/collision_shape.h"
#include "voigt/collision/manifold.h"

namespace voigt {

// From a solid A with an elastic layer to any solid B: a point for every element of the layer whose
// signed distance from B is at most the margin. Its gap is that distance, its normal that of B's
// surface at the nearest point, its feature the number of the element, and it has the element's
// area and no radius.
//
// The forces of all elements, K dᵢ along the gradient of the depth dᵢ, then have a potential,
// ½ Σ K dᵢ², whatever the shapes are and however they turn. Weights for how far an element faces B,
// or depths along the element's own normal, do not.
class LayerCollider {
 public:
  void Collide(const ElementTree& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
               double margin, Manifold* out);

 private:
  std::vector<int> near_;  // scratch
};

}  // namespace voigt
