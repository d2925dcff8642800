// Random pairs of shapes beside Bullet. Where the two say the same, within 1e-6 of the size of the
// shapes, both are right; where not, Bullet is shown to be wrong, and what in it makes it so
// (Cause).

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

// Bullet's iteration for distances from cylinders and ellipsoids ends early; this far it is off at
// most, of the size of the shapes.
constexpr double kRoundApart = 1e-3;

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

// Why Bullet's answer is not as it should be.
enum Cause {
  kStoppedShort,  // GJK ended at points of the shapes that are not the nearest ones
  kDegenerate,    // GJK ended at points that are not of the shapes
  kTurnedOver,    // the polytope ended at a face that looks inwards; Bullet reversed its normal
  kOutOfRoom,     // the polytope had no room for more faces, this one is below the surface
  kNotClosed,     // the polytope could not add a point beyond its face, and took that face
  kUnexplained,
  kCauseCount,
};
const char* const kCauseNames[] = {"stopped_short", "degenerate", "turned_over",
                                   "out_of_room",   "not_closed", "unexplained"};

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

// Each is proven by formulas of the shapes: a face of the polytope's has points of A - B beyond it;
// points of GJK's are in the shapes, but farther apart than the shapes are, or they are outside.
Cause Explain(const Solid& A, const Solid& B, const Claim& voigt,
              const BulletPairs::Meeting& bullet, double same) {
  const auto polytope = BulletPairs::Expand(A.shape, A.X, B.shape, B.X);
  if (polytope && std::abs(polytope->depth + bullet.phi) < kProven) {
    const bool is_cut = CalcProvenGap(A, B, polytope->n_W) < -polytope->depth - 0.5 * same;
    if (!is_cut) return kUnexplained;
    if (polytope->n_W.dot(bullet.n_W) < 0) return kTurnedOver;
    return polytope->points >= BulletPairs::kMostPoints ? kOutOfRoom : kNotClosed;
  }
  const bool is_between = (bullet.b_W - bullet.a_W - bullet.phi * bullet.n_W).norm() < kProven;
  const double outside = std::max(A.CalcExcessAt(bullet.a_W), B.CalcExcessAt(bullet.b_W));
  if (is_between && outside < kProven && bullet.phi > voigt.phi - same) return kStoppedShort;
  return outside > same ? kDegenerate : kUnexplained;
}

class BesideBullet : public ::testing::TestWithParam<std::tuple<Kind, Kind>> {
 protected:
  void Compare(int count) {
    for (int trial = 0; trial < count && !HasFailure(); ++trial) CompareTrial(trial);
    // The least depth is along one of two faces of the hull that are 0.026 rad apart.
    constexpr int kTwoFaces = 93387;
    if (GetParam() == std::tuple(kCylinder, kHull) && count <= kTwoFaces) CompareTrial(kTwoFaces);
    for (int v = 0; v < kVerdictCount; ++v) RecordProperty(kVerdictNames[v], counts_[v]);
    for (int c = 0; c < kCauseCount; ++c) RecordProperty(kCauseNames[c], causes_[c]);
    RecordProperty("wrong_answers", wrong_answers_);
    ExpectUsualAccuracy();
  }

 private:
  void CompareTrial(int trial) {
    SCOPED_TRACE(trial);
    const auto [kind_A, kind_B] = GetParam();
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

  void CompareOne(const Solid& A, const Solid& B, const Claim& voigt,
                  const std::optional<BulletPairs::Meeting>& bullet, Random* random) {
    const double size = std::max(A.reach(), B.reach());
    ExpectProven(A, B, voigt, kProven * size);
    const Verdict verdict = Judge(A, B, voigt, bullet, kSame * size);
    ++counts_[verdict];
    if (verdict == kNormalOff || verdict == kNotProven) {
      const Cause cause = Explain(A, B, voigt, *bullet, kSame * size);
      EXPECT_NE(cause, kUnexplained) << bullet->phi << " beside " << voigt.phi;
      ++causes_[cause];
    }
    ++total_;
    if (!bullet) return;
    const double difference = std::abs(bullet->phi - voigt.phi) / size;
    if (voigt.phi > 0) worst_apart_ = std::max(worst_apart_, difference);
    wrong_answers_ += difference > kSame && (bullet->phi > 0) != (voigt.phi > 0);
    // Neither Bullet's direction nor one near it beats voigt's: the depth is the least.
    const int steps = voigt.phi < 0 && !A.is_half_space() ? 20 : 0;
    const Vec3 n = ImproveDirection(A, B, bullet->n_W, steps, random);
    const double better = CalcProvenGap(A, B, n) - voigt.phi;
    EXPECT_LE(better, kProven * size);
  }

  // Were Bullet always wrong, nothing would have been compared.
  void ExpectUsualAccuracy() const {
    const auto [kind_A, kind_B] = GetParam();
    const auto is_round = [](Kind kind) { return kind == kCylinder || kind == kEllipsoid; };
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
  std::array<int, kCauseCount> causes_ = {};
  int total_ = 0, wrong_answers_ = 0;
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
