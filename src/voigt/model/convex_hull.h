#pragma once

#include <optional>
#include <string>
#include <vector>

#include "voigt/model/triangle_mesh.h"

namespace voigt {

// The convex hull of the points as a closed mesh that holds only the hull's vertices (by qhull).
// Returns nothing and says why in *defect if there are fewer than four points, one is not finite,
// or all lie in a plane.
std::optional<TriangleMesh> MakeConvexHullMesh(const std::vector<Vec3>& points,
                                               std::string* defect);

}  // namespace voigt
