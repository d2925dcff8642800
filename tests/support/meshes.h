#pragma once

#include "voigt/model/triangle_mesh.h"

namespace voigt::testing {

// The box from `low` to `high`, closed and turned outwards.
inline TriangleMesh MakeBoxMesh(const Vec3& low, const Vec3& high) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.emplace_back(i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1],
                               i & 4 ? high[2] : low[2]);
  }
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

inline TriangleMesh MakeTetrahedron() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
          {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
}

// Of a closed mesh that is turned outwards.
inline double VolumeOf(const TriangleMesh& mesh) {
  double volume = 0;
  for (const auto& t : mesh.triangles) {
    volume += mesh.vertices[t[0]].dot(mesh.vertices[t[1]].cross(mesh.vertices[t[2]])) / 6;
  }
  return volume;
}

}  // namespace voigt::testing
