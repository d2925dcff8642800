#include "voigt/collision/box_tree.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/collision/mesh_shapes.h"

namespace voigt {
namespace {

using testing::Random;
using testing::RandomPose;
using testing::RandomVector;
using testing::Uniform;

AxisBox BoxOf(const TriangleMesh& mesh, int t, const Pose& X = {}) {
  AxisBox box{Vec3::Constant(kInfinity), Vec3::Constant(-kInfinity)};
  for (int v : mesh.triangles[t]) {
    const Vec3 p = X * mesh.vertices[v];
    box = {box.lower.cwiseMin(p), box.upper.cwiseMax(p)};
  }
  return box;
}

bool AreNear(const AxisBox& a, const AxisBox& b, double margin = 0) {
  return (a.lower.array() <= b.upper.array() + margin).all() &&
         (b.lower.array() <= a.upper.array() + margin).all();
}

TriangleMesh RandomSoup(int count, Random* random) {
  TriangleMesh mesh;
  for (int t = 0; t < count; ++t) {
    const Vec3 p = RandomVector(random);
    for (int k = 0; k < 3; ++k) mesh.vertices.push_back(p + RandomVector(random, 0.1));
    mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return mesh;
}

TEST(BoxTree, FindsWhatLookingAtEveryTriangleFinds) {
  Random random(1);
  for (int count : {1, 2, 3, 7, 200}) {
    const TriangleMesh mesh = RandomSoup(count, &random);
    const BoxTree tree(mesh.vertices, mesh.triangles);
    for (int k = 0; k < 30; ++k) {
      const Vec3 center = RandomVector(&random);
      const double reach = Uniform(&random, 0, 0.5);
      const AxisBox box{center.array() - reach, center.array() + reach};
      const Vec3 n = RandomVector(&random).normalized();
      std::vector<int> in_box, in_ball, below, box_expected, ball_expected, low_vertices;
      tree.FindNear(box, &in_box);
      tree.FindNear(center, reach, &in_ball);
      tree.FindBelow(n, reach, &below);
      for (int t = 0; t < count; ++t) {
        const AxisBox own = BoxOf(mesh, t);
        if (AreNear(own, box)) box_expected.push_back(t);
        if ((center - center.cwiseMax(own.lower).cwiseMin(own.upper)).norm() <= reach) {
          ball_expected.push_back(t);
        }
        const bool is_low = std::any_of(mesh.triangles[t].begin(), mesh.triangles[t].end(),
                                        [&](int v) { return n.dot(mesh.vertices[v]) <= reach; });
        if (is_low) low_vertices.push_back(t);
      }
      for (auto* list : {&in_box, &in_ball, &below}) std::sort(list->begin(), list->end());
      EXPECT_EQ(in_box, box_expected);
      EXPECT_EQ(in_ball, ball_expected);
      EXPECT_TRUE(
          std::includes(below.begin(), below.end(), low_vertices.begin(), low_vertices.end()));
    }
  }
}

TEST(BoxTree, PairsHoldAllThatAreNear) {
  Random random(2);
  const TriangleMesh a = RandomSoup(90, &random), b = RandomSoup(60, &random);
  const BoxTree A(a.vertices, a.triangles), B(b.vertices, b.triangles);
  for (int k = 0; k < 10; ++k) {
    const Pose X = RandomPose(&random, 0.5);
    const double margin = 0.03 * k;
    std::vector<std::array<int, 2>> pairs;
    BoxTree::FindPairs(A, B, X, margin, &pairs);
    std::sort(pairs.begin(), pairs.end());
    EXPECT_EQ(std::adjacent_find(pairs.begin(), pairs.end()), pairs.end());
    EXPECT_LT(pairs.size(), 90u * 60u / 2);
    size_t near = 0;
    for (int t = 0; t < 90; ++t) {
      for (int u = 0; u < 60; ++u) {
        if (!AreNear(BoxOf(a, t), BoxOf(b, u, X), margin)) continue;
        ++near;
        EXPECT_TRUE(std::binary_search(pairs.begin(), pairs.end(), std::array<int, 2>{t, u}));
      }
    }
    EXPECT_GT(near, 0u);
  }
}

TEST(BoxTree, VisitsTheNearestTriangleAndFewOthers) {
  Random random(3);
  const TriangleMesh mesh = testing::MakeTorus(1, 0.4, 40, 24);
  const BoxTree tree(mesh.vertices, mesh.triangles);
  int visits = 0;
  for (int k = 0; k < 20; ++k) {
    const Vec3 q = RandomVector(&random);
    double least = kInfinity;
    tree.VisitNearest(q, kInfinity, [&](int t) {
      const auto& [i, j, l] = mesh.triangles[t];
      ++visits;
      least = std::min(least, testing::CalcTriangleDistance(mesh.vertices[i], mesh.vertices[j],
                                                            mesh.vertices[l], q));
      return least;
    });
    EXPECT_EQ(least, testing::CalcMeshDistance(mesh, q));
  }
  EXPECT_LT(visits, 20 * 1920 / 8);
}

TEST(BoxTree, IsEmptyWithoutTriangles) {
  const BoxTree tree;
  std::vector<int> out;
  tree.FindNear(AxisBox{Vec3::Constant(-1), Vec3::Constant(1)}, &out);
  tree.FindNear(Vec3::Zero(), 1, &out);
  tree.FindBelow(Vec3::UnitX(), 1, &out);
  EXPECT_TRUE(out.empty());
  EXPECT_GT(tree.bounds().lower[0], tree.bounds().upper[0]);
}

}  // namespace
}  // namespace voigt
