#pragma once

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <bit>
#include <cstdint>
#include <string>

#include "voigt/model/triangle_mesh.h"

namespace voigt::testing {

inline void AppendWord(std::uint32_t word, std::string* out) {
  for (int k = 0; k < 4; ++k) *out += static_cast<char>(word >> (8 * k) & 0xff);
}

inline void AppendFloats(const Vec3& v, std::string* out) {
  for (int k = 0; k < 3; ++k) AppendWord(std::bit_cast<std::uint32_t>(float(v[k])), out);
}

inline Vec3 NormalOf(const TriangleMesh& mesh, const std::array<int, 3>& t) {
  const Vec3& a = mesh.vertices[t[0]];
  return (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a).normalized();
}

inline std::string WriteStlBinary(const TriangleMesh& mesh, std::string header = "solid cube") {
  header.resize(80, ' ');
  AppendWord(static_cast<std::uint32_t>(mesh.triangles.size()), &header);
  for (const auto& t : mesh.triangles) {
    AppendFloats(NormalOf(mesh, t), &header);
    for (int corner : t) AppendFloats(mesh.vertices[corner], &header);
    header += std::string(2, '\0');
  }
  return header;
}

inline std::string WriteStlText(const TriangleMesh& mesh, const std::string& end = "\n") {
  std::string out = "solid a name" + end;
  for (const auto& t : mesh.triangles) {
    const Vec3 n = NormalOf(mesh, t);
    out += fmt::format("  facet normal {} {} {}{}    outer loop{}", n[0], n[1], n[2], end, end);
    for (int corner : t) {
      const Vec3& p = mesh.vertices[corner];
      out += fmt::format("      vertex {} {} {}{}", p[0], p[1], p[2], end);
    }
    out += "    endloop" + end + "  endfacet" + end;
  }
  return out + "endsolid a name" + end;
}

inline std::string WriteObjVertices(const TriangleMesh& mesh) {
  std::string out;
  for (const Vec3& p : mesh.vertices) out += fmt::format("v {} {} {}\n", p[0], p[1], p[2]);
  return out;
}

inline std::string WriteObj(const TriangleMesh& mesh) {
  std::string out = WriteObjVertices(mesh);
  for (const auto& t : mesh.triangles) {
    out += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  }
  return out;
}

}  // namespace voigt::testing
