#pragma once

#include <optional>
#include <utility>

#include "voigt/model/triangle_mesh.h"

namespace voigt {

// Two triangles of the mesh that pass through each other: an edge of one pierces the inside of the
// other. Triangles that share a vertex or merely touch do not count. The pair is the first in the
// order of triangles along the mesh's longest side; nothing if there is none. Indices are valid.
std::optional<std::pair<int, int>> FindCrossingTriangles(const TriangleMesh& mesh);

}  // namespace voigt
