#pragma once

#include <vector>

#include "voigt/model/triangle_mesh.h"

namespace voigt {

// The faces of a closed convex mesh: triangles whose corners lie within `tolerance` (m) of the
// plane of a larger one are one polygon, counter-clockwise seen from outside, without the corners
// in the middle of straight edges. *regions tells the polygon of each triangle. False where the
// polygons do not come out simple.
bool MergeCoplanarTriangles(const TriangleMesh& mesh, double tolerance,
                            std::vector<std::vector<int>>* polygons, std::vector<int>* regions);

}  // namespace voigt
