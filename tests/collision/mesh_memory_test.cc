#include <gtest/gtest.h>

#include "tests/collision/mesh_shapes.h"
#include "tests/support/allocation_counter.h"
#include "voigt/collision/mesh_convex.h"
#include "voigt/collision/mesh_half_space.h"
#include "voigt/collision/mesh_mesh.h"
#include "voigt/collision/mesh_sphere.h"

namespace voigt {
namespace {

using testing::CountAllocations;
using testing::MakeGridBox;
using testing::MakeL;
using testing::Random;
using testing::RandomRotation;
using testing::RandomVector;
using testing::SurfaceOf;

TEST(MeshContact, AllocatesNothingOnceItIsWarm) {
  const MeshSurface L = SurfaceOf(MakeL()), cube = SurfaceOf(MakeGridBox(Vec3(0.5, 0.5, 0.5), 2));
  std::string defect;
  const ConvexShape box = *MakeConvexShape(Box{{0.5, 0.4, 0.3}}, &defect);
  const ConvexShape cylinder = *MakeConvexShape(Cylinder{0.2, 0.5}, &defect);
  MeshSphereCollider spheres;
  MeshConvexCollider convex;
  MeshMeshCollider meshes;
  std::vector<int> near;
  Manifold out;
  size_t found = 0;
  const auto run = [&] {
    Random random(1);
    for (int k = 0; k < 60; ++k) {
      const Pose X{RandomRotation(&random), Vec3(1, 0, 1) + RandomVector(&random)};
      out.clear();
      spheres.Collide(L, {}, Sphere{0.4}, X, 0.05, &out);
      convex.Collide(L, {}, box, X, 0.05, &out);
      convex.Collide(L, {}, cylinder, X, 0.05, &out);
      meshes.Collide(L, {}, cube, X, 0.05, &out);
      CollideHalfSpaceMesh(Plane{}, L, X, 0.05, &near, &out);
      found += out.size();
    }
  };
  run();
  EXPECT_GT(found, 100u);
  const long before = CountAllocations();
  run();
  EXPECT_EQ(CountAllocations(), before);
}

}  // namespace
}  // namespace voigt
