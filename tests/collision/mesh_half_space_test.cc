#include "voigt/collision/mesh_half_space.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/collision/mesh_shapes.h"
#include "voigt/collision/half_space_solids.h"

namespace voigt {
namespace {

using testing::MakeGridBox;
using testing::Random;
using testing::RandomPose;
using testing::RandomVector;
using testing::SurfaceOf;

Manifold Collide(const Pose& X_WA, const MeshSurface& B, const Pose& X_WB, double margin) {
  Manifold out;
  std::vector<int> near;
  CollideHalfSpaceMesh(MakePlane(X_WA), B, X_WB, margin, &near, &out);
  testing::ExpectWellFormed(out, margin);
  return out;
}

TEST(MeshHalfSpace, ABoxOfManyTrianglesStandsOnItsCornersLikeABox) {
  const Vec3 size(2, 1, 0.5);
  const MeshSurface mesh = SurfaceOf(MakeGridBox(size, 5));
  Random random(1);
  for (int k = 0; k < 100; ++k) {
    const Pose X_WA = RandomPose(&random, 1);
    const Pose X_WB = k == 0 ? X_WA * Pose{Mat3::Identity(), Vec3(0, 0, 0.249)}
                             : Pose{RandomPose(&random).R, X_WA * RandomVector(&random, 0.7)};
    Manifold got = Collide(X_WA, mesh, X_WB, 0.3), expected;
    CollideHalfSpaceBox(HalfSpace{}, X_WA, Box{size}, X_WB, 0.3, &expected);
    ASSERT_EQ(got.size(), expected.size());
    const auto by_phi = [](const auto& a, const auto& b) { return a.phi < b.phi; };
    std::sort(got.begin(), got.end(), by_phi);
    std::sort(expected.begin(), expected.end(), by_phi);
    for (size_t i = 0; i < got.size(); ++i) {
      EXPECT_NEAR(got[i].phi, expected[i].phi, 1e-14);
      EXPECT_EQ(got[i].n_W, expected[i].n_W);
      if (k > 0) {
        EXPECT_NEAR((got[i].p_W - expected[i].p_W).norm(), 0, 1e-14);
      }
    }
    if (k == 0) {
      EXPECT_EQ(got.size(), 4u);
    }
  }
}

TEST(MeshHalfSpace, ListsAllCornersThatAreLow) {
  Random random(2);
  TriangleMesh rock = MakeGridBox(Vec3(1, 1, 1), 4);
  for (Vec3& v : rock.vertices) v *= testing::Uniform(&random, 0.7, 1.3);
  for (Vec3& v : rock.vertices) v += Vec3(1e3, 0, 0);  // far from its own origin
  const MeshSurface surface = SurfaceOf(rock);
  for (int k = 0; k < 50; ++k) {
    const Pose X_WB = RandomPose(&random, 0) * Pose{Mat3::Identity(), Vec3(-1e3, 0, 0.1)};
    const Manifold got = Collide({}, surface, X_WB, 0.05);
    size_t count = 0;
    for (size_t v = 0; v < rock.vertices.size(); ++v) {
      const double height = (X_WB * rock.vertices[v])[2];
      if (height > 0.05) continue;
      ++count;
      const auto is_v = [&](const ManifoldPoint& point) {
        return point.feature == surface.VertexFeature(static_cast<int>(v)) &&
               std::abs(point.phi - height) < 1e-12;
      };
      EXPECT_TRUE(std::any_of(got.begin(), got.end(), is_v));
    }
    EXPECT_EQ(got.size(), count);
  }
}

TEST(MeshHalfSpace, TellsWhichVerticesAreCorners) {
  const MeshSurface L = SurfaceOf(testing::MakeL());
  EXPECT_EQ(std::count_if(L.vertices.begin(), L.vertices.end(),
                          [](const auto& v) { return v.is_corner; }),
            12);
  EXPECT_EQ(L.regions.size(), 8u);
  const auto count = [&](MeshSurface::Bend bend) {
    return std::count_if(L.edges.begin(), L.edges.end(),
                         [&](const auto& edge) { return edge.bend == bend; });
  };
  EXPECT_EQ(count(MeshSurface::Bend::kConcave), 1);
  EXPECT_EQ(count(MeshSurface::Bend::kConvex), 17);
  EXPECT_EQ(count(MeshSurface::Bend::kOpen), 0);
}

TEST(MeshSurface, RefusesWhatHasNoSurface) {
  std::string defect;
  EXPECT_FALSE(MakeMeshSurface(Sphere{1}, &defect));
  EXPECT_NE(defect.find("expected a mesh"), std::string::npos) << defect;
  EXPECT_FALSE(MakeMeshSurface(TriangleMesh{}, &defect));
  EXPECT_NE(defect.find("no triangles"), std::string::npos) << defect;
  EXPECT_FALSE(
      MakeMeshSurface(TriangleMesh{{{0, 0, 0}, {1, 1, 1}, {3, 3, 3}}, {{0, 1, 2}}}, &defect));
  EXPECT_NE(defect.find("triangle 0 has no area"), std::string::npos) << defect;
}

TEST(MeshSurface, RefusesMoreFeaturesThanContactsCanTellApart) {
  // Vertices alone suffice, and are quick.
  TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  std::string defect;
  mesh.vertices.resize(kMaxContactPoints - 4, Vec3::Zero());  // 1 region, 3 edges
  EXPECT_TRUE(MakeMeshSurface(mesh, &defect)) << defect;
  mesh.vertices.resize(kMaxContactPoints - 3, Vec3::Zero());
  EXPECT_FALSE(MakeMeshSurface(mesh, &defect));
  EXPECT_NE(defect.find("2097153 plane regions, edges and vertices"), std::string::npos) << defect;
}

}  // namespace
}  // namespace voigt
