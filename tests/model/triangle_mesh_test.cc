#include "voigt/model/triangle_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/meshes.h"
#include "tests/support/random_model.h"

namespace voigt {
namespace {

using testing::MakeBoxMesh;

TriangleMesh UnitBox() { return MakeBoxMesh({0, 0, 0}, {1, 1, 1}); }

TriangleMesh Inverted(TriangleMesh mesh) {
  for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  return mesh;
}

TriangleMesh Joined(TriangleMesh a, const TriangleMesh& b) {
  const int offset = static_cast<int>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const auto& t : b.triangles) {
    a.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  }
  return a;
}

TriangleMesh Transformed(const Pose& X, TriangleMesh mesh) {
  for (Vec3& vertex : mesh.vertices) vertex = X * vertex;
  return mesh;
}

std::string SolidDefect(const TriangleMesh& mesh) { return DescribeSolidDefect(mesh).value_or(""); }
std::string SurfaceDefect(const TriangleMesh& mesh) {
  return DescribeSurfaceDefect(mesh).value_or("");
}

void ExpectSolidDefect(const TriangleMesh& mesh, const std::string& part) {
  EXPECT_NE(SolidDefect(mesh).find(part), std::string::npos)
      << "'" << SolidDefect(mesh) << "' does not mention '" << part << "'";
}

TEST(TriangleMesh, AcceptsAClosedBox) {
  EXPECT_EQ(SolidDefect(UnitBox()), "");
  EXPECT_EQ(SurfaceDefect(UnitBox()), "");
}

TEST(TriangleMesh, AcceptsABoxAnywhereInAnyPosition) {
  testing::Random random(1);
  for (double scale : {1e-3, 1.0, 1e4}) {
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(SolidDefect(Transformed(testing::RandomPose(&random, scale), UnitBox())), "");
    }
  }
}

TEST(TriangleMesh, RefusesAMeshWithoutTriangles) {
  ExpectSolidDefect({}, "no triangles");
  TriangleMesh mesh = UnitBox();
  mesh.triangles.clear();
  EXPECT_NE(SurfaceDefect(mesh), "");
}

TEST(TriangleMesh, RefusesIndicesOutOfRange) {
  for (int bad : {-1, 8, 1000000}) {
    TriangleMesh mesh = UnitBox();
    mesh.triangles[3][1] = bad;
    EXPECT_NE(SurfaceDefect(mesh).find("triangle 3 names vertex " + std::to_string(bad)),
              std::string::npos);
    ExpectSolidDefect(mesh, "triangle 3");
  }
}

TEST(TriangleMesh, RefusesRepeatedVertices) {
  for (int corner = 0; corner < 3; ++corner) {
    TriangleMesh mesh = UnitBox();
    auto& triangle = mesh.triangles[5];
    const int repeated = triangle[(corner + 1) % 3];
    triangle[corner] = repeated;
    EXPECT_EQ(SurfaceDefect(mesh), "triangle 5 uses vertex " + std::to_string(repeated) + " twice");
  }
}

TEST(TriangleMesh, RefusesVerticesThatAreNotFinite) {
  for (double bad : {kNaN, kInfinity, -kInfinity}) {
    for (int axis = 0; axis < 3; ++axis) {
      TriangleMesh mesh = UnitBox();
      mesh.vertices[6][axis] = bad;
      EXPECT_EQ(SurfaceDefect(mesh), "vertex 6 is not finite");
      EXPECT_EQ(SolidDefect(mesh), "vertex 6 is not finite");
    }
  }
}

TEST(TriangleMesh, RefusesOpenSurface) {
  for (size_t hole = 0; hole < UnitBox().triangles.size(); ++hole) {
    TriangleMesh mesh = UnitBox();
    mesh.triangles.erase(mesh.triangles.begin() + static_cast<std::ptrdiff_t>(hole));
    ExpectSolidDefect(mesh, "open");
    EXPECT_EQ(SurfaceDefect(mesh), "");
  }
}

TEST(TriangleMesh, RefusesInvertedSurface) {
  ExpectSolidDefect(Inverted(UnitBox()), "inside out");
  EXPECT_EQ(SurfaceDefect(Inverted(UnitBox())), "");
}

TEST(TriangleMesh, RefusesFlippedNeighbour) {
  for (size_t flipped = 0; flipped < UnitBox().triangles.size(); ++flipped) {
    TriangleMesh mesh = UnitBox();
    std::swap(mesh.triangles[flipped][0], mesh.triangles[flipped][1]);
    ExpectSolidDefect(mesh, "disagree on which side is outside");
  }
}

TEST(TriangleMesh, RefusesEdgeWithThreeTriangles) {
  TriangleMesh mesh = UnitBox();
  mesh.vertices.emplace_back(0.5, -1, -1);
  mesh.triangles.push_back({0, 1, 8});
  ExpectSolidDefect(mesh, "edge 0-1 belongs to 3 triangles");
}

TEST(TriangleMesh, RefusesTheSameTriangleTwice) {
  TriangleMesh mesh = UnitBox();
  mesh.triangles.push_back(mesh.triangles[4]);
  ExpectSolidDefect(mesh, "belongs to 3 triangles");
}

TEST(TriangleMesh, AcceptsTwoBoxesApart) {
  EXPECT_EQ(SolidDefect(Joined(UnitBox(), MakeBoxMesh({3, 0, 0}, {4, 1, 1}))), "");
}

TEST(TriangleMesh, AcceptsACavity) {
  const TriangleMesh outer = MakeBoxMesh({-1, -1, -1}, {2, 2, 2});
  EXPECT_EQ(SolidDefect(Joined(outer, Inverted(UnitBox()))), "");
  EXPECT_EQ(SolidDefect(Joined(Inverted(UnitBox()), outer)), "");
}

TEST(TriangleMesh, RefusesASolidInsideASolid) {
  ExpectSolidDefect(Joined(UnitBox(), MakeBoxMesh({0.3, 0.3, 0.3}, {0.6, 0.6, 0.6})),
                    "would count twice");
}

// Two boxes that share one corner are two pieces, and each must be turned outwards.
TEST(TriangleMesh, JudgesPiecesThatTouchInAVertexApart) {
  const auto touching = [](const TriangleMesh& second) {
    TriangleMesh mesh = Joined(UnitBox(), second);
    // The first box's far corner (7) and the second's near one (8 + 0) become one vertex.
    for (auto& triangle : mesh.triangles) {
      for (int& corner : triangle) corner = corner == 8 ? 7 : corner;
    }
    return mesh;
  };
  const TriangleMesh small = MakeBoxMesh({1, 1, 1}, {1.5, 1.5, 1.5});
  EXPECT_EQ(SolidDefect(touching(small)), "");
  ExpectSolidDefect(touching(Inverted(small)), "inside out");
}

TEST(TriangleMesh, AcceptsACavityWithACoreInIt) {
  TriangleMesh mesh = MakeBoxMesh({-2, -2, -2}, {3, 3, 3});
  mesh = Joined(mesh, Inverted(MakeBoxMesh({-1, -1, -1}, {2, 2, 2})));
  EXPECT_EQ(SolidDefect(Joined(mesh, UnitBox())), "");
  // Inside out, the core would be a hole in a hole.
  ExpectSolidDefect(Joined(mesh, Inverted(UnitBox())), "inside out");
}

TEST(TriangleMesh, RefusesAnInvertedBoxBesideAGoodOne) {
  const TriangleMesh large = MakeBoxMesh({0, 0, 0}, {10, 10, 10});
  // The sum of volumes is positive: only a look at each piece shows the fault.
  ExpectSolidDefect(Joined(large, Inverted(MakeBoxMesh({11, 0, 0}, {12, 1, 1}))),
                    "piece with triangle 12 is turned inside out");
  ExpectSolidDefect(Joined(Inverted(MakeBoxMesh({11, 0, 0}, {12, 1, 1})), large),
                    "piece with triangle 0 is turned inside out");
}

TEST(TriangleMesh, RefusesOverlappingPiecesInAnyOrder) {
  // Askew, so that edges pierce faces; and side by side with faces in common planes.
  const TriangleMesh box = UnitBox(), askew = MakeBoxMesh({0.3, 0.2, 0.25}, {1.4, 0.7, 0.6});
  const TriangleMesh level = MakeBoxMesh({0.5, 0, 0}, {1.5, 1, 1});
  ExpectSolidDefect(Joined(box, askew), "passes through itself");
  ExpectSolidDefect(Joined(askew, box), "passes through itself");
  ExpectSolidDefect(Joined(box, level), "would count twice");
  ExpectSolidDefect(Joined(level, box), "would count twice");
  ExpectSolidDefect(Joined(box, box), "would count twice");
}

TEST(TriangleMesh, AcceptsPiecesThatTouch) {
  const TriangleMesh low = UnitBox();
  for (const Vec3& low_corner : {Vec3(0, 0, 1), Vec3(0.25, 0.25, 1), Vec3(1, 1, 1)}) {
    const TriangleMesh high = MakeBoxMesh(low_corner, low_corner + Vec3(0.5, 0.5, 0.5));
    EXPECT_EQ(DescribeSolidDefect(Joined(low, high)), std::nullopt);
    EXPECT_EQ(DescribeSolidDefect(Joined(high, low)), std::nullopt);
  }
}

TEST(TriangleMesh, RefusesABoxPulledThroughItself) {
  TriangleMesh mesh = UnitBox();
  mesh.vertices[7] = {0.4, 0.3, -0.5};
  ExpectSolidDefect(mesh, "passes through itself");
}

TEST(TriangleMesh, RefusesSolidsWithoutVolume) {
  // Two triangles back to back.
  const TriangleMesh sheet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  ExpectSolidDefect(sheet, "encloses no volume");
  ExpectSolidDefect(MakeBoxMesh({0, 0, 0}, {1, 1, 0}), "encloses no volume");
}

TEST(TriangleMesh, RefusesSolidsWithoutVolumeInAnyPosition) {
  // Rounding leaves such a box a volume of either sign and no meaning.
  testing::Random random(2);
  for (double scale : {1.0, 100.0}) {
    for (int i = 0; i < 50; ++i) {
      const Pose X = testing::RandomPose(&random, scale);
      ExpectSolidDefect(Transformed(X, MakeBoxMesh({0, 0, 0}, {1, 1, 0})), "encloses no volume");
    }
  }
}

TEST(TriangleMesh, AcceptsThinPlatesInAnyPosition) {
  testing::Random random(3);
  for (int i = 0; i < 20; ++i) {
    const Pose X = testing::RandomPose(&random, 100);
    EXPECT_EQ(SolidDefect(Transformed(X, MakeBoxMesh({0, 0, 0}, {10, 10, 1e-6}))), "");
    EXPECT_EQ(SolidDefect(Transformed(X, MakeBoxMesh({0, 0, 0}, {1e-3, 1e-3, 1e-6}))), "");
  }
}

}  // namespace
}  // namespace voigt
