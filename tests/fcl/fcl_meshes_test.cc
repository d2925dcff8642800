// Random pairs with a mesh or a height field beside FCL: whether they touch, and how far apart they
// are if not, within 1e-6 of their size. To FCL a mesh is its triangles; where it sees a gap and
// voigt an overlap, one is shown to be inside of the other. FCL has no depths that are local; where
// a height field sinks into another a little, it says that they are apart once they are moved by
// voigt's depth along voigt's normal, and not before.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>

#include "tests/collision/convex_reference.h"
#include "tests/collision/deepest.h"
#include "tests/collision/mesh_shapes.h"
#include "tests/fcl/fcl_pairs.h"
#include "tests/fcl/random_meshes.h"
#include "tests/support/samples.h"
#include "voigt/collision/narrow_phase.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

using testing::FclShape;
using testing::kForeseen;
using testing::kPosesPerShapes;
using testing::MakeHills;
using testing::MakeRandomSolid;
using testing::Random;
using testing::RandomVector;
using testing::Uniform;

constexpr double kSame = 1e-6;  // of the size of both

enum Kind { kSphere, kCapsule, kBox, kCylinder, kEllipsoid, kHull, kSolid, kSheet, kLid, kField };
const char* const kKindNames[] = {"Sphere", "Capsule", "Box",   "Cylinder", "Ellipsoid",
                                  "Hull",   "Solid",   "Sheet", "Lid",      "Field"};

// A height field whose border is out of the way.
HeightField MakeLid(Random* random) {
  HeightField field = MakeHills(6, 5, 0.5, random);
  for (int k = 0; k < 30; ++k) {
    const int i = k % 6, j = k / 6;
    if (i == 0 || j == 0 || i == 5 || j == 4) field.heights[k] = -1;
  }
  return field;
}

Shape MakeRandomShape(Kind kind, Random* random) {
  const double x = Uniform(random, 0.2, 1), y = Uniform(random, 0.2, 1),
               z = Uniform(random, 0.2, 1);
  switch (kind) {
    case kSphere:
      return Sphere{x};
    case kCapsule:
      return Capsule{x, y};
    case kBox:
      return Box{{x, y, z}};
    case kCylinder:
      return Cylinder{x, y};
    case kEllipsoid:
      return Ellipsoid{{x, y, z}};
    case kHull:
      return testing::RandomHull(random, 12);
    case kSolid:
      return MakeRandomSolid(random);
    case kSheet:
      return MakeMesh(MakeHills(6, 5, 0.5, random));
    case kLid:
      return MakeLid(random);
    default:
      return MakeHills(11, 10, 0.9, random);
  }
}

// A point of a shape.
Vec3 FindSomePoint(const Shape& shape) {
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) return mesh->vertices[0];
  const auto* hull = std::get_if<ConvexHull>(&shape);
  if (hull == nullptr) return Vec3::Zero();
  const auto& points = hull->points;
  return std::accumulate(points.begin(), points.end(), Vec3(Vec3::Zero())) /
         static_cast<double>(points.size());
}

// Whether p is below a height field.
bool IsBelow(const HeightField& field, const Vec3& p) {
  const TriangleMesh mesh = MakeMesh(field);
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3 a = mesh.vertices[i], u = mesh.vertices[j] - a, v = mesh.vertices[k] - a;
    const Vec3 normal = u.cross(v);
    const Vec3 top = p + normal.dot(a - p) / normal[2] * Vec3::UnitZ();
    const double area = normal.norm();
    const double s = (top - a).cross(v).norm() / area, t = u.cross(top - a).norm() / area;
    const bool is_in = (top - a - s * u - t * v).norm() < 1e-9 && s + t < 1 + 1e-9;
    if (is_in) return p[2] < top[2];
  }
  return false;
}

// Whether a point of B is inside of A.
bool Encloses(const Shape& A, const Pose& X_WA, const Shape& B, const Pose& X_WB) {
  const Pose X_AB = X_WA.Inverse() * X_WB;
  if (const auto *field = std::get_if<HeightField>(&A), *lid = std::get_if<HeightField>(&B); lid) {
    // Those beside the ground are not below it.
    const std::vector<Vec3> points = MakeMesh(*lid).vertices;
    return field != nullptr && std::any_of(points.begin(), points.end(), [&](const Vec3& p) {
             return IsBelow(*field, X_AB * p);
           });
  }
  const Vec3 p = X_AB * FindSomePoint(B);
  if (const auto* field = std::get_if<HeightField>(&A)) return IsBelow(*field, p);
  const auto* mesh = std::get_if<TriangleMesh>(&A);
  return mesh != nullptr && !DescribeSolidDefect(*mesh) && testing::IsInside(*mesh, p);
}

struct Pair {
  Shape A, B;
  CollisionShape solid_A, solid_B;
  FclShape fcl_A, fcl_B;

  Pair(Kind kind_A, Kind kind_B, Random* random)
      : A(MakeRandomShape(kind_A, random)),
        B(MakeRandomShape(kind_B, random)),
        solid_A(Make(A)),
        solid_B(Make(B)),
        fcl_A(A),
        fcl_B(B) {}

  static CollisionShape Make(const Shape& shape) {
    std::string defect;
    auto made = MakeCollisionShape(shape, &defect);
    EXPECT_TRUE(made.has_value()) << defect;
    return made.value_or(CollisionShape{Sphere{1}});
  }
};

class BesideFcl : public ::testing::TestWithParam<std::tuple<Kind, Kind>> {
 protected:
  void Compare(int count) {
    const auto [kind_A, kind_B] = GetParam();
    for (int trial = 0; trial < count / kPosesPerShapes && !HasFailure(); ++trial) {
      SCOPED_TRACE(trial);
      Random random(trial);
      const Pair pair(kind_A, kind_B, &random);
      for (int k = 0; k < kPosesPerShapes; ++k) CompareOne(pair, &random);
    }
    RecordProperty("touching", touching_);
    RecordProperty("apart", apart_);
    RecordProperty("farther_than_the_margin", far_);
    RecordProperty("enclosed", enclosed_);
    RecordProperty("depths", depths_);
    RecordProperty("depths_that_are_not_the_least", not_least_);
    RecordProperty("depths_that_take_two_moves", in_two_moves_);
    // Both cases occur.
    EXPECT_GT(touching_, count / 50);
    EXPECT_GT(apart_, count / 50);
    if (kind_B == kLid) {
      EXPECT_GT(depths_, count / 100);
      EXPECT_LE(not_least_, depths_ / 1000);
      EXPECT_LE(in_two_moves_, depths_ / 1000);
    }
  }

 private:
  void CompareOne(const Pair& pair, Random* random) {
    const double size = pair.solid_A.reach + pair.solid_B.reach;
    const Pose X_WA = testing::RandomPose(random);
    Pose X_WB = testing::RandomPose(random);
    if (std::holds_alternative<HeightField>(pair.B)) {
      // A lid: two fields that both go down without end have no gap between them.
      const double roll = Uniform(random, -0.3, 0.3), pitch = Uniform(random, -0.3, 0.3);
      const double yaw = Uniform(random, -kPi, kPi);
      const double x = Uniform(random, -1.5, 1.5), y = Uniform(random, -1.5, 1.5);
      X_WB = X_WA * Pose{RotationFromRollPitchYaw({kPi + roll, pitch, yaw}),
                         Vec3(x, y, Uniform(random, 0, 1.5))};
    } else if (std::holds_alternative<HeightField>(pair.A)) {
      const double x = Uniform(random, -1.5, 1.5), y = Uniform(random, -1.5, 1.5);
      X_WB.p = X_WA * Vec3(x, y, Uniform(random, -0.5, 2));
    } else {
      const double distance = Uniform(random, 0, 1) * size;
      X_WB.p = X_WA.p + distance * RandomVector(random).normalized();
    }
    Manifold manifold;
    narrow_.Collide(pair.solid_A, X_WA, pair.solid_B, X_WB, kForeseen, &manifold);
    testing::ExpectWellFormed(manifold, kForeseen);
    const double phi = testing::LeastPhi(manifold);
    if (FclShape::Touch(pair.fcl_A, X_WA, pair.fcl_B, X_WB)) {
      ++touching_;
      EXPECT_LT(phi, kSame * size);
      return;
    }
    const double distance = FclShape::CalcDistance(pair.fcl_A, X_WA, pair.fcl_B, X_WB);
    if (phi < -kSame * size) {
      ++enclosed_;
      EXPECT_TRUE(Encloses(pair.A, X_WA, pair.B, X_WB) || Encloses(pair.B, X_WB, pair.A, X_WA))
          << phi << " beside " << distance;
    } else if (phi == kInfinity) {
      ++far_;
      EXPECT_GT(distance, kForeseen - kSame * size);
    } else {
      ++apart_;
      EXPECT_NEAR(phi, distance, kSame * size);
      if (std::holds_alternative<HeightField>(pair.B)) CompareDepth(pair, X_WA, X_WB);
    }
  }

  // Lowered until it touches, as FCL has it, and a little more.
  void CompareDepth(const Pair& pair, const Pose& X_WA, Pose X_WB) {
    constexpr double kSunk = 1e-3, kLittle = 1e-9;  // m
    constexpr double kLocal = 0.1;
    const auto touch_after = [&](const Vec3& way) {
      return FclShape::Touch(pair.fcl_A, X_WA, pair.fcl_B, {X_WB.R, X_WB.p + way});
    };
    const Vec3 down = -X_WA.R.col(2);
    double apart = 0, touching = 0;
    while (!touch_after(touching * down) && touching < 2) apart = touching, touching += 0.02;
    if (touching >= 2) return;
    while (touching - apart > 1e-12) {
      const double middle = 0.5 * (apart + touching);
      (touch_after(middle * down) ? touching : apart) = middle;
    }
    X_WB.p += (touching + kSunk) * down;
    Manifold manifold;
    narrow_.Collide(pair.solid_A, X_WA, pair.solid_B, X_WB, 0, &manifold);
    const ManifoldPoint deepest = testing::Deepest(manifold);
    // Depths are local: now and then another feature would let go a little sooner.
    EXPECT_LT(-deepest.phi, (1 + kLocal) * kSunk);
    not_least_ += -deepest.phi > kSunk + kLittle;
    EXPECT_TRUE(touch_after((-deepest.phi - kLittle) * deepest.n_W));
    // Elsewhere they may overlap less, but along another direction.
    const bool frees_all =
        std::all_of(manifold.begin(), manifold.end(), [&](const ManifoldPoint& point) {
          return point.n_W.dot(deepest.n_W) * -deepest.phi >= -point.phi;
        });
    if (!frees_all) return;
    ++depths_;
    Vec3 way = (-deepest.phi + kLittle) * deepest.n_W;
    if (!touch_after(way)) return;
    // The triangles beside those that let go may be in the way; what is left is voigt's depth, too.
    ++in_two_moves_;
    manifold.clear();
    narrow_.Collide(pair.solid_A, X_WA, pair.solid_B, {X_WB.R, X_WB.p + way}, 0, &manifold);
    const ManifoldPoint left = testing::Deepest(manifold);
    EXPECT_LT(-left.phi, -deepest.phi);
    way += (-left.phi + kLittle) * left.n_W;
    EXPECT_FALSE(touch_after(way)) << deepest.phi << " and " << left.phi;
  }

  NarrowPhase narrow_;
  int touching_ = 0, apart_ = 0, far_ = 0, enclosed_ = 0;
  int depths_ = 0, not_least_ = 0, in_two_moves_ = 0;
};

TEST_P(BesideFcl, TouchesOrIsAsFarApart) { Compare(testing::SampleCount(1000)); }

using LongBesideFcl = BesideFcl;
TEST_P(LongBesideFcl, TouchesOrIsAsFarApart) { Compare(100000); }

std::vector<std::tuple<Kind, Kind>> AllCombinations() {
  std::vector<std::tuple<Kind, Kind>> out;
  for (const Kind a : {kSolid, kSheet, kField}) {
    for (int b = kSphere; b <= std::min<int>(a, kLid); ++b) {
      if (a == kField || b != kLid) out.push_back({a, Kind(b)});
    }
  }
  return out;
}

std::string NameOfKinds(const ::testing::TestParamInfo<std::tuple<Kind, Kind>>& info) {
  return std::string(kKindNames[std::get<0>(info.param)]) + kKindNames[std::get<1>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Pairs, BesideFcl, ::testing::ValuesIn(AllCombinations()), NameOfKinds);
INSTANTIATE_TEST_SUITE_P(Long, LongBesideFcl, ::testing::ValuesIn(AllCombinations()), NameOfKinds);

}  // namespace
}  // namespace voigt
