#pragma once

#include "voigt/math/pose.h"

namespace voigt {

// Two boxes in the frame of the first, A.
struct BoxPair {
  Vec3 h_A, h_B;  // half edge lengths
  Pose X_AB;
  double rounding = 0;  // what rounding may do to lengths here
};

struct BoxDirection {
  double separation = -kInfinity;  // min n · (y - x) over x in A, y in B
  Vec3 n = Vec3::UnitZ();          // in A, of unit length, from A to B
};

// The direction of greatest separation among the normals of the faces and the cross products of the
// edges [Gottschalk, Lin & Manocha 1996]. Where the boxes overlap it is the shortest way out. Where
// they do not, the separation is a lower bound of the distance, which it is equal to unless a
// corner is nearest to an edge or a corner. Stops with any direction whose separation exceeds
// `enough`.
//
// Edges that are nearly parallel have a cross product with few digits. Any direction bounds the
// distance, so this does no harm as long as both boxes are measured along the very same vector; and
// the best direction nearby is better by rounding only, as the face of the difference A - B that
// belongs to such edges is as narrow as the product is short.
BoxDirection FindSeparation(const BoxPair& pair, double enough);

// The distance of boxes that do not overlap, if a corner is nearest to the other box, or two edges
// that are nearly parallel are nearest to each other; otherwise an upper bound.
BoxDirection FindCornerDistance(const BoxPair& pair);

}  // namespace voigt
