#pragma once

#include "tests/collision/mesh_shapes.h"

namespace voigt::testing {

inline constexpr double kForeseen = 0.3;    // m: gaps up to it are contacts
inline constexpr int kPosesPerShapes = 10;  // shapes take longer to make than to compare

// Larger than what is near it: at its border the ground ends without a wall.
inline HeightField MakeHills(int nx, int ny, double spacing, Random* random) {
  HeightField field{nx, ny, {spacing, 1.1 * spacing}, {}};
  for (int k = 0; k < nx * ny; ++k) field.heights.push_back(Uniform(random, -0.4, 0.4));
  return field;
}

inline TriangleMesh MakeRandomSolid(Random* random) {
  const auto length = [&](double low, double high) { return Uniform(random, low, high); };
  switch (static_cast<int>(Uniform(random, 0, 4))) {
    case 0: {
      const double x = length(0.2, 2), y = length(0.2, 2), z = length(0.2, 2);
      return MakeGridBox({x, y, z}, 2);
    }
    case 1: {
      const double ring = length(0.6, 1.2);
      return MakeTorus(ring, length(0.1, 0.5), 12, 8);
    }
    case 2:
      return MakeL();
    default:
      return MakeTetrahedron();
  }
}

}  // namespace voigt::testing
