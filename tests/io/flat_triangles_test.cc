#include "voigt/io/flat_triangles.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "tests/support/mesh_check.h"
#include "tests/support/mesh_writers.h"
#include "tests/support/meshes.h"
#include "voigt/io/mesh_file.h"

namespace voigt {
namespace {

using testing::VolumeOf;

// A tetrahedron whose edge from vertex 0 to 1 is cut at `count` points on one of its sides only,
// and closed by flat triangles; turned askew, so that the points are on a line up to rounding.
TriangleMesh MakeFlatlySewn(int count) {
  TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                    {{1, 2, 3}, {2, 0, 3}, {0, 1, 3}}};
  int before = 0;
  for (int i = 1; i <= count; ++i) {
    const int here = static_cast<int>(mesh.vertices.size());
    mesh.vertices.emplace_back(double(i) / (count + 1), 0, 0);
    mesh.triangles.push_back({2, here, before});
    mesh.triangles.push_back({before, here, 1});  // flat
    before = here;
  }
  mesh.triangles.push_back({2, 1, before});
  const Eigen::Quaterniond turn = Eigen::Quaterniond(0.9, 0.3, -0.2, 0.1).normalized();
  for (Vec3& p : mesh.vertices) p = turn * p;
  return mesh;
}

TEST(FlatTriangles, AreKnownByTheRoundingOfTheirCoordinates) {
  EXPECT_TRUE(IsFlatTriangle({0, 0, 0}, {1, 1, 1}, {3, 3, 3}));
  EXPECT_TRUE(IsFlatTriangle({0, 0, 0}, {0, 0, 0}, {0, 0, 0}));
  EXPECT_TRUE(IsFlatTriangle({0.1, 0.2, 0.3}, {0.1 * 3, 0.2 * 3, 0.3 * 3}, {0.7, 1.4, 2.1}));
  EXPECT_FALSE(IsFlatTriangle({0, 0, 0}, {1, 1e-14, 0}, {2, 0, 0}));
  EXPECT_FALSE(IsFlatTriangle({0, 0, 0}, {1e-200, 1e-210, 0}, {2e-200, 0, 0}));
  // Far away, nothing thinner than the grid of numbers there exists.
  EXPECT_TRUE(IsFlatTriangle({1e6, 0, 0}, {1e6 + 1e-9, 1, 0}, {1e6, 2, 0}));
}

TEST(FlatTriangles, AreRepairedWithoutMovingOrOpeningTheSurface) {
  for (int count : {1, 2, 5, 20}) {
    const TriangleMesh sewn = MakeFlatlySewn(count);
    for (const MeshFile& file : {ParseMesh(testing::WriteObj(sewn), MeshFormat::kObj, "m"),
                                 ParseMesh(testing::WriteStlText(sewn), MeshFormat::kStl, "m")}) {
      SCOPED_TRACE(count);
      EXPECT_EQ(file.mesh.triangles.size(), sewn.triangles.size());
      EXPECT_EQ(testing::DescribeReadDefect(file.mesh, 1'000'000), "");
      EXPECT_EQ(DescribeSolidDefect(file.mesh).value_or(""), "");
      EXPECT_NEAR(VolumeOf(file.mesh), 1.0 / 6, 1e-15);
      EXPECT_FALSE(file.notices.empty());
    }
  }
}

TEST(FlatTriangles, AtTheRimAreLeftOut) {
  const MeshFile file = ParseMesh("v 0 0 0\nv 2 0 0\nv 1 1 0\nv 1 0 0\nf 1 4 3\nf 4 2 3\nf 4 1 2\n",
                                  MeshFormat::kObj, "m");
  EXPECT_EQ(file.mesh.triangles.size(), 2u);
  EXPECT_EQ(testing::DescribeReadDefect(file.mesh, 1000), "");
  ASSERT_EQ(file.notices.size(), 1u);
  EXPECT_EQ(file.notices[0].ToString(),
            "m:7:1: has no area, its corners lie on one line: left out, at the rim of the surface");
}

TEST(FlatTriangles, WhereThreeTrianglesMeetAreLeftOut) {
  // Two faces lie at the longest side.
  const MeshFile file =
      ParseMesh("v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\nf 1 3 5\n",
                MeshFormat::kObj, "m");
  EXPECT_EQ(file.mesh.triangles.size(), 2u);
  ASSERT_EQ(file.notices.size(), 2u);
  EXPECT_EQ(
      file.notices[0].ToString(),
      "m:6:1: has no area, its corners lie on one line: left out, and the surface open there, "
      "as it is no simple one");
  EXPECT_EQ(file.notices[1].ToString(), "m: 1 of 5 vertices belong to no triangle: left out");
}

}  // namespace
}  // namespace voigt
