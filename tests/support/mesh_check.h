#pragma once

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "voigt/io/flat_triangles.h"
#include "voigt/io/mesh_file.h"

namespace voigt::testing {

// What a mesh that was read may never have; empty if all is well.
inline std::string DescribeReadDefect(const TriangleMesh& mesh, size_t file_size) {
  if (const auto defect = DescribeSurfaceDefect(mesh)) return *defect;
  std::set<std::array<int, 3>> seen;
  std::vector<bool> is_used(mesh.vertices.size(), false);
  for (auto t : mesh.triangles) {
    if (IsFlatTriangle(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]])) {
      return "a triangle is flat";
    }
    for (int corner : t) is_used[corner] = true;
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    if (!seen.insert(t).second) return "a triangle is there twice";
  }
  if (std::count(is_used.begin(), is_used.end(), false) > 0) return "a vertex is not used";
  // A vertex takes at least the 7 characters of "v 0 0 0", a corner two.
  if (mesh.vertices.size() > file_size / 7 || mesh.triangles.size() > file_size / 2) {
    return "the mesh is larger than its file";
  }
  return "";
}

// Reads any bytes: they are a sound mesh or a problem that says something.
inline std::string DescribeReadingDefect(std::string_view data, MeshFormat format) {
  try {
    const MeshFile file = ParseMesh(data, format, "fuzz");
    return DescribeReadDefect(file.mesh, data.size());
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) {
      if (problem.message.empty()) return "a problem says nothing";
    }
    return error.problems().empty() ? "no problem is named" : "";
  }
}

}  // namespace voigt::testing
