#pragma once

#include <vector>

#include "voigt/collision/half_space.h"
#include "voigt/collision/manifold.h"
#include "voigt/collision/mesh_surface.h"

namespace voigt {

// From a half-space A to the corners of a surface B that are within `margin`. Vertices inside of a
// plane region or of a straight edge are left out: what they could say, the corners around them
// say. Feature: MeshSurface's number of the vertex. `near` is memory.
void CollideHalfSpaceMesh(const Plane& A, const MeshSurface& B, const Pose& X_WB, double margin,
                          std::vector<int>* near, Manifold* out);

}  // namespace voigt
