#pragma once

#include <vector>

#include "voigt/io/mesh_report.h"
#include "voigt/model/triangle_mesh.h"

namespace voigt {

// Whether a triangle's corners lie on one line: its height over its longest side is no more than
// the rounding of its coordinates.
bool IsFlatTriangle(const Vec3& a, const Vec3& b, const Vec3& c);

// Removes triangles without area, whose normal nobody can tell. Where such a triangle a, b, c has b
// between a and c, the neighbour beyond ca, with d opposite, is cut at b instead: abd and bcd cover
// what it covered, and the surface stays closed. At the rim of an open surface, and where several
// triangles meet at an edge so that this cannot be done, the triangle is left out. All are notices.
// `places` runs along with the mesh's triangles, of which none uses a vertex twice.
void RemoveFlatTriangles(TriangleMesh* mesh, std::vector<MeshPlace>* places, MeshReport* report);

}  // namespace voigt
