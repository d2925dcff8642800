#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "voigt/io/mesh_report.h"
#include "voigt/math/types.h"
#include "voigt/model/triangle_mesh.h"

namespace voigt {

// Puts a mesh together from what a file says: scales, joins vertices, and repairs or reports what
// no surface may have. One vertex or triangle more takes constant memory, so a mesh is never larger
// than its file warrants.
class MeshBuilder {
 public:
  MeshBuilder(const Vec3& scale, MeshReport* report);

  // Adds a vertex, in the file's units; returns its number.
  int AddVertex(const Vec3& point, const MeshPlace& place);
  // The same, but bit-equal vertices are one (and -0 is 0).
  int AddJoinedVertex(const Vec3& point, const MeshPlace& place);
  // The numbers exist.
  void AddTriangle(const std::array<int, 3>& corners, const MeshPlace& place);
  // Asks Finish to join bit-equal vertices if the surface is open otherwise.
  void JoinVerticesIfOpen() { joins_if_open_ = true; }

  // Vertices so far, scaled.
  const std::vector<Vec3>& vertices() const { return mesh_.vertices; }

  // The mesh, repaired; what cannot be is a problem of the report.
  TriangleMesh Finish();

 private:
  using Bits = std::array<std::uint64_t, 3>;
  struct HashBits {
    size_t operator()(const Bits& bits) const;
  };
  using VertexTable = std::unordered_map<Bits, int, HashBits>;

  static Bits BitsOf(const Vec3& point);
  void JoinVertices();
  void RemoveRepeatedCorners();
  void RemoveDuplicates();
  void RemoveUnusedVertices();
  void KeepTriangles(const std::vector<bool>& keep);

  Vec3 scale_;
  MeshReport* report_;
  TriangleMesh mesh_;
  std::vector<MeshPlace> places_;  // of triangles
  VertexTable table_;
  bool joins_if_open_ = false;
};

}  // namespace voigt
