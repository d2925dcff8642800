#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "voigt/math/types.h"

namespace voigt {

// A surface of triangles; seen from outside, vertices run counter-clockwise.
struct TriangleMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
};

// What makes the mesh useless as a surface: nothing in it, non-finite vertices, indices out of
// range, triangles with a repeated vertex.
std::optional<std::string> DescribeSurfaceDefect(const TriangleMesh& mesh);

// What keeps the mesh from bounding a solid, beyond surface defects: open edges, edges with more
// than two triangles, neighbours that disagree on which side is outside, pieces turned inside out
// or enclosed in others. A piece turned inside out is a cavity, and fine, where another piece
// encloses it.
std::optional<std::string> DescribeSolidDefect(const TriangleMesh& mesh);

}  // namespace voigt
