#include "voigt/collision/manifold.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "voigt/collision/narrow_phase.h"

namespace voigt {
namespace {

ManifoldPoint PointAt(const Vec3& p, double phi, const Vec3& n = Vec3::UnitZ()) {
  ManifoldPoint out;
  out.p_W = p;
  out.n_W = n;
  out.phi = phi;
  return out;
}

// A box that leans a little on another: its four points are midway between faces that are not
// parallel.
TEST(LevelManifold, PutsThePointsOfFacesIntoOnePlane) {
  Pose X_WB;
  X_WB.p = Vec3(0.1, 0.2, 0.999);
  X_WB.R = Eigen::AngleAxisd(1e-3, Vec3(1, 2, 0.5).normalized()).toRotationMatrix();
  std::string defect;
  const CollisionShape box = *MakeCollisionShape(Box{Vec3(1, 1, 1)}, &defect);
  Manifold manifold;
  NarrowPhase narrow_phase;
  narrow_phase.Collide(box, Pose(), box, X_WB, 0.01, &manifold);
  ASSERT_GE(manifold.size(), 3u);
  const Manifold before = manifold;
  LevelManifold(&manifold);
  double height_before = 0, height_after = 0;
  for (size_t i = 0; i < manifold.size(); ++i) {
    ASSERT_EQ(manifold[i].n_W, manifold[0].n_W);
    const Vec3& n = manifold[i].n_W;
    height_before = std::max(height_before, std::abs(n.dot(before[i].p_W - before[0].p_W)));
    height_after = std::max(height_after, std::abs(n.dot(manifold[i].p_W - manifold[0].p_W)));
    // Along the normal only, and by no more than the gaps differ.
    EXPECT_LT(n.cross(manifold[i].p_W - before[i].p_W).norm(), 1e-15);
    EXPECT_EQ(manifold[i].phi, before[i].phi);
  }
  EXPECT_GT(height_before, 1e-4);
  EXPECT_LT(height_after, 1e-15);
}

TEST(LevelManifold, LeavesStairsAsTheyAre) {
  Manifold manifold = {PointAt(Vec3(0, 0, 0), -1e-6), PointAt(Vec3(1, 0, 0.1), 1e-6)};
  LevelManifold(&manifold);
  EXPECT_EQ(manifold[0].p_W, Vec3(0, 0, 0));
  EXPECT_EQ(manifold[1].p_W, Vec3(1, 0, 0.1));
}

TEST(LevelManifold, LeavesPointsWithOtherNormalsAsTheyAre) {
  Manifold manifold = {PointAt(Vec3(0, 0, 0), -1e-3),
                       PointAt(Vec3(1, 0, 1e-4), 1e-3, Vec3(1e-3, 0, 1).normalized())};
  LevelManifold(&manifold);
  EXPECT_EQ(manifold[1].p_W, Vec3(1, 0, 1e-4));
}

}  // namespace
}  // namespace voigt
