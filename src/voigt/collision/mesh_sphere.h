#pragma once

#include <vector>

#include "voigt/collision/manifold.h"
#include "voigt/collision/mesh_surface.h"

namespace voigt {

// From a surface A to a sphere B: a point wherever the distance from the sphere's centre to the
// surface has a local minimum within the margin. A ball in a groove has two, one on a plane of any
// number of triangles one, with the normal of the plane. A ball whose centre is inside of a solid
// or the ground has one point, with which it is pushed out through the nearest surface, however
// deep it is. A ball whose centre passes a sheet is pushed out on the other side.
//
// Feature: MeshSurface's number of the region, edge or vertex. Radius: the sphere's on a region,
// infinite on edges and corners.
class MeshSphereCollider {
 public:
  void Collide(const MeshSurface& A, const Pose& X_WA, const Sphere& B, const Pose& X_WB,
               double margin, Manifold* out);

 private:
  struct Candidate {
    int feature = 0;
    Vec3 p = Vec3::Zero(), n = Vec3::UnitZ();  // of the surface; n from it to the centre
    double distance = 0;
    bool is_region = false;
  };

  // Adds the nearest point of a triangle if the distance has a local minimum there.
  void Consider(const MeshSurface& A, int t, const Vec3& q, double reach);

  std::vector<int> near_;
  std::vector<Candidate> candidates_;
};

}  // namespace voigt
