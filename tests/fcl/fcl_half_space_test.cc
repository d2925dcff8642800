// Random meshes, height fields and half-spaces beside FCL: depth and normal where they touch; how
// far apart they are where they do not, for which FCL says from when on they touch as the
// half-space is raised.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/fcl/fcl_pairs.h"
#include "tests/fcl/random_meshes.h"
#include "tests/support/samples.h"
#include "voigt/collision/narrow_phase.h"

namespace voigt {
namespace {

using testing::FclShape;
using testing::Random;
using testing::Uniform;

constexpr double kRounding = 1e-12;  // of the size and of the distance from the origin

enum Surface { kClosedMesh, kOpenMesh, kHeightField };

Shape MakeRandomSurface(Surface surface, Random* random) {
  if (surface == kClosedMesh) return testing::MakeRandomSolid(random);
  const HeightField hills = testing::MakeHills(6, 5, 0.5, random);
  if (surface == kOpenMesh) return MakeMesh(hills);
  return hills;
}

CollisionShape Make(const Shape& shape) {
  std::string defect;
  auto made = MakeCollisionShape(shape, &defect);
  EXPECT_TRUE(made.has_value()) << defect;
  return made.value_or(CollisionShape{Sphere{1}});
}

class HalfSpaceBesideFcl : public ::testing::TestWithParam<Surface> {
 protected:
  void Compare(int count) {
    for (int trial = 0; trial < count / testing::kPosesPerShapes && !HasFailure(); ++trial) {
      SCOPED_TRACE(trial);
      Random random(trial);
      const Shape shape = MakeRandomSurface(GetParam(), &random);
      const CollisionShape mesh = Make(shape);
      const FclShape fcl_mesh(shape);
      for (int k = 0; k < testing::kPosesPerShapes; ++k) CompareOne(mesh, fcl_mesh, &random);
    }
    RecordProperty("touching", touching_);
    RecordProperty("apart", apart_);
    RecordProperty("farther_than_the_margin", far_);
    // All cases occur.
    EXPECT_GT(touching_, count / 10);
    EXPECT_GT(apart_, count / 50);
    EXPECT_GT(far_, count / 50);
  }

 private:
  void CompareOne(const CollisionShape& mesh, const FclShape& fcl_mesh, Random* random) {
    const Pose X_WA = testing::RandomPose(random);
    Pose X_WB = testing::RandomPose(random);
    const double x = Uniform(random, -3, 3), y = Uniform(random, -3, 3);
    X_WB.p = X_WA * Vec3(x, y, Uniform(random, -0.5, 1.5) * mesh.reach);
    const double same = kRounding * (mesh.reach + X_WB.p.norm());

    Manifold manifold;
    narrow_.Collide(plane_, X_WA, mesh, X_WB, testing::kForeseen, &manifold);
    testing::ExpectWellFormed(manifold, testing::kForeseen);
    const double phi = testing::LeastPhi(manifold);
    if (const auto theirs = FclShape::FindDepth(fcl_plane_, X_WA, fcl_mesh, X_WB)) {
      ++touching_;
      EXPECT_NEAR(phi, -theirs->depth, same);
      for (const ManifoldPoint& point : manifold) {
        EXPECT_NEAR((point.n_W - theirs->n_W).norm(), 0, 1e-14);
      }
      return;
    }
    phi == kInfinity ? ++far_ : ++apart_;
    EXPECT_GT(phi, 0);
    const auto touches_when_raised = [&](double by) {
      return FclShape::Touch(fcl_plane_, X_WA * Pose{Mat3::Identity(), Vec3(0, 0, by)}, fcl_mesh,
                             X_WB);
    };
    EXPECT_FALSE(touches_when_raised(std::min(phi, testing::kForeseen) - same));
    if (phi < kInfinity) {
      EXPECT_TRUE(touches_when_raised(phi + same));
    }
  }

  const CollisionShape plane_ = Make(HalfSpace{});
  const FclShape fcl_plane_{HalfSpace{}};
  NarrowPhase narrow_;
  int touching_ = 0, apart_ = 0, far_ = 0;
};

TEST_P(HalfSpaceBesideFcl, IsAsDeepOrAsFarApart) { Compare(testing::SampleCount(1000)); }

using LongHalfSpaceBesideFcl = HalfSpaceBesideFcl;
TEST_P(LongHalfSpaceBesideFcl, IsAsDeepOrAsFarApart) { Compare(100000); }

std::string NameOfSurface(const ::testing::TestParamInfo<Surface>& info) {
  const char* const kNames[] = {"ClosedMesh", "OpenMesh", "HeightField"};
  return kNames[info.param];
}

const auto kSurfaces = ::testing::Values(kClosedMesh, kOpenMesh, kHeightField);
INSTANTIATE_TEST_SUITE_P(Surfaces, HalfSpaceBesideFcl, kSurfaces, NameOfSurface);
INSTANTIATE_TEST_SUITE_P(Long, LongHalfSpaceBesideFcl, kSurfaces, NameOfSurface);

}  // namespace
}  // namespace voigt
