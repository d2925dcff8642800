// What holds for every pair of primitive shapes, shown on random ones.

#include "tests/collision/pair_checks.h"

namespace voigt {
namespace {

using testing::CalcReach;
using testing::CalcScale;
using testing::Collide;
using testing::Deepest;
using testing::PairName;
using testing::Placed;
using testing::Random;
using testing::RandomPose;
using testing::RandomRotation;
using testing::RandomVector;
using testing::Uniform;

class PrimitivePairs : public ::testing::TestWithParam<PairName> {
 protected:
  // Overlapping or not about equally often, and some of them deeply.
  void MakePair(Random* random, Placed* A, Placed* B) const {
    *A = {testing::MakeShape(GetParam().A, random), RandomPose(random)};
    *B = {testing::MakeShape(GetParam().B, random), RandomPose(random)};
    const double reach = CalcReach(A->shape) + CalcReach(B->shape);
    const Vec3 direction = RandomVector(random).normalized();
    const double distance = Uniform(random, 0, 1.3) * reach;
    if (GetParam().A == "HalfSpace") {
      B->X.p = A->X.p + direction + distance * A->X.R.col(2);
      return;
    }
    B->X.p = A->X.p + distance * direction;
  }
};

TEST_P(PrimitivePairs, LeastGapIsTheSignedDistance) {
  Random random(1);
  int overlapping = 0, near = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    SCOPED_TRACE(trial);
    Placed A, B;
    MakePair(&random, &A, &B);
    const Manifold manifold = Collide(A, B);
    ExpectConsistent(A, B, manifold);
    if (manifold.empty()) continue;
    const double phi = Deepest(manifold).phi;
    overlapping += phi < 0;
    // No direction separates the shapes by more; and the search does come near.
    const double found = testing::SearchSeparation(A, B, 200, 500, &random);
    EXPECT_LE(found, phi + 1e-12 * CalcScale(A, B));
    near += found > phi - 1e-3 * CalcScale(A, B);
  }
  EXPECT_GT(near, 800);
  EXPECT_GT(overlapping, 300);
  EXPECT_LT(overlapping, 900);
}

TEST_P(PrimitivePairs, OnlyPointsWithinTheMarginAreListed) {
  Random random(2);
  int listed = 0, left_out = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Placed A, B;
    MakePair(&random, &A, &B);
    const double margin = Uniform(&random, -0.5, 0.5);
    const Manifold all = Collide(A, B), some = Collide(A, B, margin);
    size_t k = 0;
    for (const ManifoldPoint& point : all) {
      if (point.phi > margin) continue;
      ASSERT_LT(k, some.size());
      EXPECT_EQ(some[k].phi, point.phi);
      EXPECT_EQ(some[k].p_W, point.p_W);
      EXPECT_EQ(some[k].n_W, point.n_W);
      ++k;
    }
    EXPECT_EQ(k, some.size());
    listed += static_cast<int>(k);
    left_out += static_cast<int>(all.size() - k);
  }
  EXPECT_GT(listed, 50);
  EXPECT_GT(left_out, 50);
}

// The same pair elsewhere, and far away. Directions between corners and edges that are near each
// other turn with the rounding of the positions.
TEST_P(PrimitivePairs, RigidMotionOfBothMovesThePoints) {
  Random random(3);
  for (const double distance : {1.0, 1e4}) {
    for (int trial = 0; trial < 500; ++trial) {
      SCOPED_TRACE(trial);
      Placed A, B;
      MakePair(&random, &A, &B);
      const Pose X = RandomPose(&random, distance);
      const Placed moved_A{A.shape, X * A.X}, moved_B{B.shape, X * B.X};
      const Manifold here = Collide(A, B), there = Collide(moved_A, moved_B);
      ASSERT_EQ(here.size(), there.size());
      const double tolerance = 1e-12 * CalcScale(moved_A, moved_B);
      for (size_t k = 0; k < here.size(); ++k) {
        EXPECT_EQ(there[k].feature, here[k].feature);
        EXPECT_NEAR(there[k].phi, here[k].phi, tolerance);
        EXPECT_LT((there[k].n_W - X.R * here[k].n_W).norm(), tolerance);
        EXPECT_LT((there[k].p_W - X * here[k].p_W).norm(), tolerance);
      }
    }
  }
}

// One function serves both orders where the shapes are of different kinds.
class PairsOfOneKind : public PrimitivePairs {};

TEST_P(PairsOfOneKind, SwappingTheShapesMirrorsThePoints) {
  Random random(4);
  for (int trial = 0; trial < 1000; ++trial) {
    SCOPED_TRACE(trial);
    Placed A, B;
    MakePair(&random, &A, &B);
    const Manifold one = Collide(A, B), other = Collide(B, A);
    ASSERT_EQ(one.size(), other.size());
    for (const ManifoldPoint& point : one) {
      double nearest = kInfinity;
      for (const ManifoldPoint& mirrored : other) {
        nearest = std::min(nearest, (mirrored.p_W - point.p_W).norm() +
                                        (mirrored.n_W + point.n_W).norm() +
                                        std::abs(mirrored.phi - point.phi));
      }
      EXPECT_LT(nearest, 1e-11);
    }
  }
}

// The gap changes by no more than the surfaces move.
TEST_P(PrimitivePairs, SmallMotionsChangeTheGapByNoMore) {
  Random random(5);
  for (const double amount : {1e-9, 1e-4}) {
    int changed = 0;
    for (int trial = 0; trial < 500; ++trial) {
      SCOPED_TRACE(trial);
      Placed A, B;
      MakePair(&random, &A, &B);
      const Vec3 shift = amount * RandomVector(&random), turn = amount * RandomVector(&random);
      Placed moved = B;
      moved.X.p += shift;
      moved.X.R = Eigen::AngleAxisd(turn.norm(), turn.normalized()) * B.X.R;
      const Manifold before = Collide(A, B), after = Collide(A, moved);
      const double bound = shift.norm() + turn.norm() * CalcReach(B.shape);
      EXPECT_LE(std::abs(Deepest(after).phi - Deepest(before).phi),
                bound + 1e-12 * CalcScale(A, B));
      bool same = before.size() == after.size();
      for (size_t k = 0; same && k < before.size(); ++k) {
        same = before[k].feature == after[k].feature;
      }
      changed += !same;
    }
    // Features change with the pair, not with the weather.
    EXPECT_LE(changed, amount == 1e-9 ? 0 : 5);
  }
}

// A speck on a mountain, and shapes like needles and plates.
TEST_P(PrimitivePairs, SizesMayDifferByAMillion) {
  Random random(6);
  for (int trial = 0; trial < 1000; ++trial) {
    SCOPED_TRACE(trial);
    const bool small_A = trial % 2 == 0;
    const double a = small_A ? 1e-3 : 1e3, b = small_A ? 1e3 : 1e-3;
    Placed A{testing::MakeShape(GetParam().A, &random, 0.5 * a, a), RandomPose(&random)};
    Placed B{testing::MakeShape(GetParam().B, &random, 0.5 * b, b), RandomPose(&random)};
    if (trial % 4 > 1) {
      A.shape = testing::MakeShape(GetParam().A, &random, 1e-3, 1e3);
      B.shape = testing::MakeShape(GetParam().B, &random, 1e-3, 1e3);
    }
    const double reach = CalcReach(A.shape) + CalcReach(B.shape);
    const double distance = Uniform(&random, 0, 1.1) * reach;
    B.X.p = A.X.p + distance * RandomVector(&random).normalized();
    const Manifold manifold = Collide(A, B);
    ExpectConsistent(A, B, manifold);
    if (manifold.empty()) continue;
    EXPECT_LE(testing::SearchSeparation(A, B, 100, 400, &random),
              Deepest(manifold).phi + 1e-12 * CalcScale(A, B));
  }
}

// Faces, edges and axes parallel and on top of each other, exactly or up to a tiny tilt and shift.
TEST_P(PrimitivePairs, NearlyAlignedShapesAreNoException) {
  Random random(7);
  const auto pick = [&](const std::vector<double>& values) {
    return values[random() % values.size()];
  };
  const auto turn = [&](double tilt) -> Mat3 {
    const Vec3 axis = Vec3::Unit(static_cast<int>(random() % 3));
    const Vec3 small = tilt * RandomVector(&random);
    const Mat3 R = Eigen::AngleAxisd(0.25 * kPi * static_cast<int>(random() % 8), axis).matrix();
    return small.norm() > 0 ? Mat3(Eigen::AngleAxisd(small.norm(), small.normalized()) * R) : R;
  };
  const std::vector<double> lengths = {0.5, 1, 1, 2};
  const auto size = [&](Shape* shape) {
    const double x = pick(lengths), y = pick(lengths), z = pick(lengths);
    if (auto* s = std::get_if<Sphere>(shape)) *s = {x};
    if (auto* s = std::get_if<Box>(shape)) *s = {Vec3(x, y, z)};
    if (auto* s = std::get_if<Capsule>(shape)) *s = {x, y};
    if (auto* s = std::get_if<Cylinder>(shape)) *s = {x, y};
    if (auto* s = std::get_if<Ellipsoid>(shape)) *s = {Vec3(x, y, z)};
  };
  for (int trial = 0; trial < 4000; ++trial) {
    SCOPED_TRACE(trial);
    const double tilt = pick({0, 0, 1e-16, 1e-15, 1e-13, 1e-11, 1e-9, 1e-6, 1e-3});
    const double shift = pick({0, 0, 1e-16, 1e-15, 1e-13, 1e-11, 1e-9, 1e-6, 1e-3});
    Placed A{testing::MakeShape(GetParam().A, &random), {turn(0), Vec3::Zero()}};
    Placed B{testing::MakeShape(GetParam().B, &random), {turn(tilt), Vec3::Zero()}};
    size(&A.shape);
    size(&B.shape);
    const std::vector<double> steps = {-1, -0.75, -0.5, 0, 0, 0.25, 0.5, 1, std::sqrt(0.5)};
    B.X.p = Vec3(pick(steps), pick(steps), pick(steps)) + shift * RandomVector(&random);
    const Manifold manifold = Collide(A, B);
    ExpectConsistent(A, B, manifold);
    if (manifold.empty()) continue;
    EXPECT_LE(testing::SearchSeparation(A, B, 50, 100, &random),
              Deepest(manifold).phi + 1e-12 * CalcScale(A, B));
  }
}

INSTANTIATE_TEST_SUITE_P(All, PrimitivePairs, ::testing::ValuesIn(testing::AllPairs()),
                         testing::NameOf);
INSTANTIATE_TEST_SUITE_P(All, PairsOfOneKind,
                         ::testing::Values(PairName{"Sphere", "Sphere"},
                                           PairName{"Capsule", "Capsule"}, PairName{"Box", "Box"}),
                         testing::NameOf);

}  // namespace
}  // namespace voigt
