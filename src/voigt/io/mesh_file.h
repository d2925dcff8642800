#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "voigt/base/errors.h"
#include "voigt/math/types.h"
#include "voigt/model/triangle_mesh.h"

namespace voigt {

enum class MeshFormat { kStl, kObj };

// A mesh as read, with everything that was left out, repaired or doubtful.
struct MeshFile {
  TriangleMesh mesh;
  std::vector<Problem> notices;
};

// Reads a triangle mesh in double precision: STL (binary or ASCII, whatever its first word says) or
// OBJ, by the ending of its name. Coordinates are multiplied by `scale`, axis by axis; where that
// mirrors the mesh, its triangles are reversed, so that outside remains outside. Facets and
// triangles count from 0, vertices of OBJ faces from 1 as in the file.
//
// Repaired, with a notice: triangles that use a vertex twice (left out), the same triangle twice
// (kept once), triangles whose corners lie on one line (the edge to the neighbour is turned, which
// leaves the surface where it is and closed; where edges have more than two triangles, left out),
// vertices that no triangle uses (left out). STL repeats vertices for every facet, so bit-equal
// ones are joined; OBJ numbers them, and its author may have kept two pieces apart that touch, so
// there they are joined only where the surface is open without. Polygons of OBJ are cut into
// triangles within their plane.
//
// Throws InputError with all problems, each with file, line or facet and byte, value and what was
// expected. Whether the surface is closed is for DescribeSolidDefect to say.
MeshFile LoadMesh(const std::filesystem::path& path, const Vec3& scale = Vec3::Ones());

// The same from the bytes of a file; `name` stands for the file in messages.
MeshFile ParseMesh(std::string_view data, MeshFormat format, const std::string& name,
                   const Vec3& scale = Vec3::Ones());

}  // namespace voigt
