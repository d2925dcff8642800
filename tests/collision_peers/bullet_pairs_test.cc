// Random pairs of shapes beside Bullet. Where the two say the same, within 1e-6 of the size of the
// shapes, both are right; where not, one of them is shown to be wrong: Bullet, but for depths that
// have a twin.

#include "tests/bullet/bullet_pairs.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "tests/collision_peers/claims.h"
#include "tests/support/samples.h"

namespace voigt {
namespace {

using testing::BulletPairs;
using testing::Claim;
using testing::Random;
using testing::RandomPose;
using testing::RandomVector;
using testing::Solid;
using testing::Uniform;

constexpr double kSame = 1e-6;    // of lengths, of the size of the shapes
constexpr double kProven = 1e-9;  // of lengths, of the size of the shapes, where voigt is proven

// Bullet's iteration for distances from cylinders and ellipsoids ends when it gains 1e-6 of the
// distance; this far it is off at most, of the size of the shapes. Depths of such shapes it finds
// from at most 128 planes about them, and may be off by the shapes' size.
constexpr double kRoundApart = 1e-3;

// Ways out of an overlap that are this near each other (radians) may be taken for one. With w = d n
// the point of A - B where the depth d is met, the depth along any n' is at least n'·w: the twin is
// less deep by no more than the share θ²/2.
constexpr double kTwin = 0.03;

// What is to be said of Bullet's answer beside voigt's, which is proven.
enum Verdict {
  kAgree,
  kOtherDirection,  // φ is the same, n is not, and is as good: there are several
  kNormalOff,       // φ is the same, the gap along its n is less: n has fewer digits
  kNotLargest,      // its gap is less than one that voigt proves
  kNotProven,       // its gap is larger than the one along its own n
  kNothing,         // it finds no points
  kVerdictCount,
};
const char* const kVerdictNames[] = {"agree",       "other_direction", "normal_off",
                                     "not_largest", "not_proven",      "nothing"};

enum Kind { kSphere, kCapsule, kBox, kCylinder, kEllipsoid, kHull, kHalfSpace };
const char* const kKindNames[] = {"Sphere",    "Capsule", "Box",      "Cylinder",
                                  "Ellipsoid", "Hull",    "HalfSpace"};

Shape MakeRandomShape(Kind kind, Random* random) {
  const auto length = [&] { return Uniform(random, 0.2, 2); };
  const auto lengths = [&] {
    const double x = length(), y = length(), z = length();
    return Vec3(x, y, z);
  };
  switch (kind) {
    case kSphere:
      return Sphere{length()};
    case kCapsule: {
      const double radius = length();
      return Capsule{radius, length()};
    }
    case kBox:
      return Box{lengths()};
    case kCylinder: {
      const double radius = length();
      return Cylinder{radius, length()};
    }
    case kEllipsoid:
      return Ellipsoid{0.5 * lengths()};
    case kHull:
      return testing::RandomHull(random, 12);
    default:
      return HalfSpace{};
  }
}

// About half of them overlap.
std::pair<Solid, Solid> MakeRandomPair(Kind kind_A, Kind kind_B, Random* random) {
  const Solid A{MakeRandomShape(kind_A, random), RandomPose(random)};
  Solid B{MakeRandomShape(kind_B, random), RandomPose(random)};
  const double far = A.reach() + B.reach();
  if (A.is_half_space()) {
    B.X.p = A.X * Vec3{Uniform(random, -1, 1), Uniform(random, -1, 1), Uniform(random, -far, far)};
  } else {
    const double distance = Uniform(random, 0, 1.2) * far;
    B.X.p = A.X.p + distance * RandomVector(random).normalized();
  }
  return {A, B};
}

Verdict Judge(const Solid& A, const Solid& B, const Claim& voigt,
              const std::optional<BulletPairs::Meeting>& bullet, double same) {
  if (!bullet) return kNothing;
  if (bullet->phi < voigt.phi - same) return kNotLargest;
  if (bullet->phi > voigt.phi + same) return kNotProven;
  if (CalcProvenGap(A, B, bullet->n_W) < voigt.phi - same) return kNormalOff;
  return (bullet->n_W - voigt.n_W).norm() < 1e-3 ? kAgree : kOtherDirection;
}

class BesideBullet : public ::testing::TestWithParam<std::tuple<Kind, Kind>> {
 protected:
  void Compare(int count) {
    const auto [kind_A, kind_B] = GetParam();
    for (int trial = 0; trial < count && !HasFailure(); ++trial) {
      SCOPED_TRACE(trial);
      Random random(trial);
      const auto [A, B] = MakeRandomPair(kind_A, kind_B, &random);
      const auto bullet = bullet_.Find(A.shape, A.X, B.shape, B.X);
      const auto of_pair = AskPairFunction(A, B);
      const auto of_any = AskGeneralSolver(&collider_, A, B);
      ASSERT_TRUE(of_pair || of_any);
      for (const auto& claim : {of_pair, of_any}) {
        if (claim) CompareOne(A, B, *claim, bullet, &random);
      }
    }
    for (int v = 0; v < kVerdictCount; ++v) RecordProperty(kVerdictNames[v], counts_[v]);
    RecordProperty("wrong_answers", wrong_answers_);
    RecordProperty("twins", twins_);
    ExpectUsualAccuracy();
  }

 private:
  void CompareOne(const Solid& A, const Solid& B, const Claim& voigt,
                  const std::optional<BulletPairs::Meeting>& bullet, Random* random) {
    const double size = std::max(A.reach(), B.reach());
    ExpectProven(A, B, voigt, kProven * size);
    ++counts_[Judge(A, B, voigt, bullet, kSame * size)];
    ++total_;
    if (!bullet) return;
    const double difference = std::abs(bullet->phi - voigt.phi) / size;
    if (voigt.phi > 0) worst_apart_ = std::max(worst_apart_, difference);
    wrong_answers_ += difference > kSame && (bullet->phi > 0) != (voigt.phi > 0);
    // Neither Bullet's direction nor one near it beats voigt's: the depth is the least.
    const int steps = voigt.phi < 0 && !A.is_half_space() ? 20 : 0;
    const Vec3 n = ImproveDirection(A, B, bullet->n_W, steps, random);
    const double better = CalcProvenGap(A, B, n) - voigt.phi;
    if (better <= kProven * size) return;
    ++twins_;
    EXPECT_LT(voigt.phi, 0);
    EXPECT_LT((n - voigt.n_W).norm(), kTwin);
    EXPECT_LT(better, 0.5 * kTwin * kTwin * -voigt.phi);
  }

  // Were Bullet always wrong, nothing would have been compared.
  void ExpectUsualAccuracy() const {
    const auto [kind_A, kind_B] = GetParam();
    const auto is_round = [](Kind kind) { return kind == kCylinder || kind == kEllipsoid; };
    EXPECT_LE(twins_, total_ / 20000);
    EXPECT_LE(wrong_answers_, total_ / 5000);
    EXPECT_EQ(counts_[kNothing], 0);
    if (kind_A == kHalfSpace || !(is_round(kind_A) || is_round(kind_B))) {
      EXPECT_GE(counts_[kAgree] + counts_[kOtherDirection], total_ - total_ / 500);
    } else {
      EXPECT_GT(counts_[kAgree], total_ / 3);
      EXPECT_LT(worst_apart_, kRoundApart);
    }
  }

  BulletPairs bullet_;
  ConvexCollider collider_;
  std::array<int, kVerdictCount> counts_ = {};
  int total_ = 0, wrong_answers_ = 0, twins_ = 0;
  double worst_apart_ = 0;  // difference of φ, of the size
};

TEST_P(BesideBullet, SaysTheSameOrIsProvenRight) { Compare(testing::SampleCount(1000)); }

using LongBesideBullet = BesideBullet;
TEST_P(LongBesideBullet, SaysTheSameOrIsProvenRight) { Compare(100000); }

std::vector<std::tuple<Kind, Kind>> AllCombinations() {
  std::vector<std::tuple<Kind, Kind>> out;
  for (int a = kSphere; a <= kHull; ++a) {
    for (int b = a; b <= kHull; ++b) out.push_back({Kind(a), Kind(b)});
    out.push_back({kHalfSpace, Kind(a)});
  }
  return out;
}

std::string NameOfKinds(const ::testing::TestParamInfo<std::tuple<Kind, Kind>>& info) {
  return std::string(kKindNames[std::get<0>(info.param)]) + kKindNames[std::get<1>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Pairs, BesideBullet, ::testing::ValuesIn(AllCombinations()), NameOfKinds);
INSTANTIATE_TEST_SUITE_P(Long, LongBesideBullet, ::testing::ValuesIn(AllCombinations()),
                         NameOfKinds);

}  // namespace
}  // namespace voigt
