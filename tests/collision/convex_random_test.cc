// Random pairs of all convex shapes: the gap is what a search over all directions finds, and does
// not depend on the order of the pair or on where both are.

#include <gtest/gtest.h>

#include "tests/collision/convex_reference.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/samples.h"

namespace voigt {
namespace {

using testing::CalcReferenceGap;
using testing::CollideAll;
using testing::Deepest;
using testing::kConvexKindCount;
using testing::PlacedConvex;
using testing::Random;
using testing::RandomPair;
using testing::RandomPose;
using testing::RandomVector;
using testing::SearchLargestGap;
using testing::Uniform;

class ConvexRandom : public ::testing::TestWithParam<std::tuple<int, int>> {
 protected:
  template <typename Check>
  void ForPairs(int count, const Check& check) {
    const auto [kind_A, kind_B] = GetParam();
    Random random(1 + kind_A + 10 * kind_B);
    for (int trial = 0; trial < testing::SampleCount(count); ++trial) {
      SCOPED_TRACE(trial);
      check(RandomPair(&random, kind_A, kind_B), &random);
      if (HasFailure()) return;
    }
  }
  ConvexCollider collider_;
};

TEST_P(ConvexRandom, GapIsTheLargestAlongAnyDirection) {
  ForPairs(100, [&](const RandomPair& pair, Random*) {
    const Manifold manifold = CollideAll(&collider_, pair.A, pair.B);
    ASSERT_FALSE(manifold.empty());
    const ManifoldPoint& deepest = Deepest(manifold);
    // It is the gap along its own normal, and no direction has a larger one.
    EXPECT_NEAR(deepest.n_W.norm(), 1, 1e-15);
    EXPECT_NEAR(deepest.phi, CalcReferenceGap(pair.A, pair.B, deepest.n_W), 1e-11);
    EXPECT_GE(deepest.phi, SearchLargestGap(pair.A, pair.B) - 1e-11);
    // The two surface points belong to the shapes: no reach of them is exceeded there.
    for (const ManifoldPoint& point : manifold) {
      const Vec3 a = point.p_W - 0.5 * point.phi * point.n_W;
      const Vec3 b = point.p_W + 0.5 * point.phi * point.n_W;
      EXPECT_LE(point.n_W.dot(a - pair.A.X.p), pair.A.CalcReach(point.n_W) + 1e-9);
      EXPECT_LE(-point.n_W.dot(b - pair.B.X.p), pair.B.CalcReach(-point.n_W) + 1e-9);
      EXPECT_GE(point.feature, 0);
      EXPECT_LT(point.feature, 1 << 21);
      EXPECT_GT(point.radius, 0);
    }
  });
}

// b - a = φ n with a in A and b in B proves a distance: no direction can have a larger gap.
TEST_P(ConvexRandom, NearestPointsLieOnTheShapes) {
  ForPairs(1000, [&](const RandomPair& pair, Random* random) {
    Meeting meeting;
    const ConvexPair both(pair.A.convex, pair.A.X, pair.B.convex, pair.B.X);
    ASSERT_EQ(collider_.Solve(both, 1e9, &meeting), ConvexCollider::Status::kSolved);
    const double size = pair.size();
    EXPECT_LT((meeting.b - meeting.a - meeting.phi * meeting.n).norm(), 1e-10 * size);
    const Vec3 a_W = both.X_WA * meeting.a, b_W = both.X_WA * meeting.b;
    for (int k = 0; k < 20; ++k) {
      const Vec3 d = RandomVector(random).normalized();
      EXPECT_LE(d.dot(a_W - pair.A.X.p), pair.A.CalcReach(d) + 1e-9 * size);
      EXPECT_LE(d.dot(b_W - pair.B.X.p), pair.B.CalcReach(d) + 1e-9 * size);
    }
  });
}

// Lengths in the pair, and how far it is from the origin: what 1e-12 is relative to.
double CalcPairScale(const RandomPair& pair) {
  return pair.A.convex.reach + pair.B.convex.reach + pair.A.X.p.norm() + pair.B.X.p.norm();
}

// Each point has its like, with its gap and normal.
void ExpectSamePoints(const Manifold& some, const Manifold& others, double tolerance) {
  ASSERT_EQ(some.size(), others.size());
  for (const ManifoldPoint& p : some) {
    const auto distance = [&](const ManifoldPoint& q) { return (q.p_W - p.p_W).norm(); };
    const ManifoldPoint& q =
        *std::min_element(others.begin(), others.end(),
                          [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    EXPECT_LT(distance(q), tolerance);
    EXPECT_NEAR(p.phi, q.phi, tolerance);
    EXPECT_LT((p.n_W - q.n_W).norm(), tolerance);
  }
}

TEST_P(ConvexRandom, OrderOfThePairDoesNotMatter) {
  ForPairs(500, [&](const RandomPair& pair, Random*) {
    const Manifold forward = CollideAll(&collider_, pair.A, pair.B);
    Manifold backward = CollideAll(&collider_, pair.B, pair.A);
    for (ManifoldPoint& point : backward) point.n_W = -point.n_W;
    ExpectSamePoints(forward, backward, 1e-12 * CalcPairScale(pair));
  });
}

TEST_P(ConvexRandom, MovesWithBothShapes) {
  ForPairs(300, [&](const RandomPair& pair, Random* random) {
    for (const double distance : {1.0, 1e4}) {
      const Pose X = RandomPose(random, distance);
      RandomPair moved = pair;
      moved.A.X = X * pair.A.X;
      moved.B.X = X * pair.B.X;
      Manifold here = CollideAll(&collider_, pair.A, pair.B);
      const Manifold there = CollideAll(&collider_, moved.A, moved.B);
      for (ManifoldPoint& point : here) {
        point.p_W = X * point.p_W;
        point.n_W = X.R * point.n_W;
      }
      ExpectSamePoints(here, there, 1e-12 * CalcPairScale(moved));
      // Positions at 1e4 m are rounded to 1e-12 m.
      EXPECT_NEAR(Deepest(here).phi, Deepest(there).phi, 2e-11);
    }
  });
}

// The gap changes by no more than B moves.
TEST_P(ConvexRandom, GapIsContinuous) {
  ForPairs(200, [&](const RandomPair& pair, Random* random) {
    RandomPair moved = pair;
    const Vec3 direction = RandomVector(random).normalized();
    double before = Deepest(CollideAll(&collider_, pair.A, pair.B)).phi;
    for (double step : {1e-9, 1e-6, 1e-3, 0.1}) {
      moved.B.X.p += step * direction;
      const double after = Deepest(CollideAll(&collider_, moved.A, moved.B)).phi;
      EXPECT_LE(std::abs(after - before), step + 1e-11);
      before = after;
    }
  });
}

// From deep to apart in steps that get finer about the moment of touching.
TEST_P(ConvexRandom, PassesThroughTouching) {
  ForPairs(50, [&](const RandomPair& pair, Random* random) {
    RandomPair moved = pair;
    const Vec3 direction = RandomVector(random).normalized();
    const auto phi_at = [&](double t) {
      moved.B.X.p = moved.A.X.p + t * direction;
      return Deepest(CollideAll(&collider_, moved.A, moved.B)).phi;
    };
    double low = 0, high = moved.A.convex.reach + moved.B.convex.reach;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (phi_at(middle) < 0 ? low : high) = middle;
    }
    for (double step = 1e-16; step < 0.1; step *= 10) {
      const double in = phi_at(high - step), out = phi_at(high + step);
      EXPECT_LE(in, 1e-11);
      EXPECT_GE(out, -1e-11);
      EXPECT_LE(out - in, 2 * step + 2e-11);
    }
  });
}

TEST_P(ConvexRandom, ReportsNothingBeyondTheMargin) {
  ForPairs(300, [&](const RandomPair& pair, Random*) {
    const Manifold all = CollideAll(&collider_, pair.A, pair.B);
    for (double margin : {0.0, 1e-3, 0.1}) {
      const Manifold some = CollideAll(&collider_, pair.A, pair.B, margin);
      EXPECT_EQ(some.empty(), Deepest(all).phi > margin);
      for (const ManifoldPoint& point : some) EXPECT_LE(point.phi, margin);
      if (some.empty()) continue;
      EXPECT_NEAR(Deepest(some).phi, Deepest(all).phi, 1e-10);
    }
  });
}

TEST_P(ConvexRandom, AllocatesNothingOnceWarm) {
  const auto [kind_A, kind_B] = GetParam();
  Random random(7);
  std::vector<RandomPair> pairs;
  for (int k = 0; k < 200; ++k) pairs.emplace_back(&random, kind_A, kind_B);
  Manifold manifold;
  long allocations = 0;
  for (int round = 0; round < 2; ++round) {
    const long before = testing::CountAllocations();
    for (const RandomPair& pair : pairs) {
      manifold.clear();
      collider_.Collide(pair.A.convex, pair.A.X, pair.B.convex, pair.B.X, 0.1, &manifold);
    }
    allocations = testing::CountAllocations() - before;
  }
  EXPECT_EQ(allocations, 0);
}

std::string NamePair(const ::testing::TestParamInfo<std::tuple<int, int>>& info) {
  constexpr const char* kNames[] = {"Box", "Hull", "Capsule", "Cylinder", "Ellipsoid", "Sphere"};
  return std::string(kNames[std::get<0>(info.param)]) + kNames[std::get<1>(info.param)];
}

std::vector<std::tuple<int, int>> ListPairs() {
  std::vector<std::tuple<int, int>> out;
  for (int a = 0; a < kConvexKindCount; ++a) {
    for (int b = a; b < kConvexKindCount; ++b) out.emplace_back(a, b);
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(AllPairs, ConvexRandom, ::testing::ValuesIn(ListPairs()), NamePair);

}  // namespace
}  // namespace voigt
