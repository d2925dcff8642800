#pragma once

#include "voigt/collision/manifold.h"
#include "voigt/model/geometry.h"

namespace voigt {

// From box A to box B: up to eight points with one normal n and, each, its own φ. The least φ is
// the signed distance of the boxes, and n its direction: for boxes that overlap, the shortest way
// out.
//
// The two faces that look at each other along n are projected along it on top of each other, and
// the points are the corners of what they have in common: corners of A above B's face (feature 0 to
// 7), corners of B above A's (8 to 15), and crossings of edges of both (16 + 12 times A's edge +
// B's). φ is measured along n, so that none is less than the signed distance. Where corners of
// both, or a corner and a crossing, come to lie within a thousandth of the boxes' size of each
// other, the point goes by the corner, A's before B's: stacks of equal boxes keep their features
// while they quiver.
void CollideBoxBox(const Box& A, const Pose& X_WA, const Box& B, const Pose& X_WB, double margin,
                   Manifold* out);

}  // namespace voigt
