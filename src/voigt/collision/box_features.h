#pragma once

#include "voigt/math/types.h"

// Numbers of the corners and edges of a box with half edge lengths h.
namespace voigt {

// Corner k: bits 0, 1, 2 are set for the sides +x, +y, +z.
inline Vec3 BoxCorner(const Vec3& h, int k) {
  return {k & 1 ? h[0] : -h[0], k & 2 ? h[1] : -h[1], k & 4 ? h[2] : -h[2]};
}

// The edge between two corners that differ in one bit: 4 times its axis + the two other bits.
inline int BoxEdge(int corner, int other) {
  const int bit = corner ^ other;
  if (bit == 1) return corner >> 1;
  if (bit == 2) return 4 + (corner & 1) + (corner >> 2) * 2;
  return 8 + (corner & 3);
}

// The four corners of the face on the side `positive` of an axis, around it.
struct BoxFace {
  int corner[4];
};

inline BoxFace MakeBoxFace(int axis, bool positive) {
  const int base = positive ? 1 << axis : 0;
  const int j = 1 << (axis + 1) % 3, k = 1 << (axis + 2) % 3;
  return {{base, base + j, base + j + k, base + k}};
}

}  // namespace voigt
