#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "tests/model/good_spec.h"
#include "voigt/math/rotation.h"
#include "voigt/model/spec_checks.h"

namespace voigt {
namespace {

using testing::Block;
using testing::ExpectFine;
using testing::ExpectProblem;
using testing::GoodSpec;
using testing::kBadNumbers;
using testing::MakeBody;
using testing::ToText;

// Masses.

TEST(BodyChecks, RefusesMassesThatAreNotPositive) {
  for (MassSource source : {MassSource::kExplicit, MassSource::kPoint, MassSource::kScaled}) {
    for (double bad : {0.0, -1.0, kNaN, kInfinity, -kInfinity}) {
      ExpectProblem(
          [&](ModelSpec* s) {
            Block(s).geometry[0].density.reset();
            Block(s).mass_source = source;
            Block(s).mass = {bad, Vec3::Zero(), Mat3::Identity()};
          },
          "body 'block'", "mass = ");
    }
  }
}

TEST(BodyChecks, RefusesCentresOfMassThatAreNotFinite) {
  for (double bad : kBadNumbers) {
    for (MassSource source : {MassSource::kExplicit, MassSource::kPoint}) {
      ExpectProblem(
          [&](ModelSpec* s) {
            s->bodies[1].mass_source = source;
            s->bodies[1].mass.com[2] = bad;
          },
          "body 'body_revolute'", "centre of mass is not finite");
    }
  }
}

TEST(BodyChecks, RefusesInertiasThatAreNotPhysical) {
  const auto inertia = [](const Mat3& I) {
    return [=](ModelSpec* s) { s->bodies[1].mass.inertia = I; };
  };
  const std::string element = "body 'body_revolute'";
  ExpectProblem(inertia(Mat3::Zero()), element, "expected all to be positive");
  ExpectProblem(inertia(Vec3(1, 1, -1).asDiagonal()), element, "expected all to be positive");
  ExpectProblem(inertia(Vec3(1, 1, 3).asDiagonal()), element, "sum of the other two");
  Mat3 asymmetric = Mat3::Identity();
  asymmetric(1, 2) = 0.1;
  ExpectProblem(inertia(asymmetric), element, "not symmetric");
  for (double bad : kBadNumbers) {
    Mat3 I = Mat3::Identity();
    I(0, 1) = I(1, 0) = bad;
    ExpectProblem(inertia(I), element, "not finite");
  }
}

TEST(BodyChecks, APointMassNeedsNoInertia) {
  ExpectFine([](ModelSpec* s) {
    s->bodies[1].mass_source = MassSource::kPoint;
    s->bodies[1].mass.inertia.setZero();
  });
}

TEST(BodyChecks, RefusesADensityBesideAMass) {
  for (MassSource source : {MassSource::kExplicit, MassSource::kPoint, MassSource::kScaled}) {
    ExpectProblem(
        [&](ModelSpec* s) {
          Block(s).mass_source = source;
          Block(s).mass = {1, Vec3::Zero(), Mat3::Identity()};
        },
        "body 'block'", "mass and a density");
  }
  ExpectProblem([](ModelSpec* s) { Block(s).mass_source = MassSource::kMassless; }, "body 'block'",
                "massless, but a shape has a density");
}

TEST(BodyChecks, RefusesBodiesWithoutAnySourceOfMass) {
  ExpectProblem([](ModelSpec* s) { Block(s).geometry.clear(); }, "body 'block'", "has no mass");
  ExpectProblem([](ModelSpec* s) { Block(s).geometry[0].density.reset(); }, "body 'block'",
                "has no mass");
  ExpectProblem(
      [](ModelSpec* s) {
        Block(s).geometry.clear();
        Block(s).mass_source = MassSource::kScaled;
        Block(s).mass.mass = 1;
      },
      "body 'block'", "neither an inertia nor a shape");
}

TEST(BodyChecks, RefusesMassOfShapesWithoutVolume) {
  ExpectProblem([](ModelSpec* s) { Block(s).geometry[0].shape = HalfSpace{}; }, "body 'block'",
                "no mass from its half-space");
  ExpectProblem([](ModelSpec* s) { Block(s).geometry[0].shape = ContactPoints{{Vec3::Zero()}}; },
                "body 'block'", "no mass from its points");
  ExpectProblem(
      [](ModelSpec* s) {
        Block(s).geometry[0].shape = TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
      },
      "body 'block'", "no mass from its mesh: the surface is open");
}

TEST(BodyChecks, PointsTakeNoPartInAMassThatShapesShare) {
  ModelSpec spec = GoodSpec();
  Block(&spec).mass_source = MassSource::kScaled;
  Block(&spec).mass.mass = 12;
  Block(&spec).geometry[0].density.reset();
  Block(&spec).geometry.push_back({"", ContactPoints{{Vec3::Ones()}}, {}, std::nullopt, {}});
  ProblemList problems;
  const MassProperties mass = CalcBodyMass(Block(&spec), &problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_LT((mass.inertia - 2 * Mat3::Identity()).norm(), 1e-14);
}

// Geometry.

TEST(BodyChecks, RefusesBadShapesAndNamesBodyAndShape) {
  ExpectProblem([](ModelSpec* s) { Block(s).geometry[0].shape = Sphere{-1}; },
                "body 'block', sphere 'cube'", "radius = -1");
  ExpectProblem(
      [](ModelSpec* s) { s->world_geometry.push_back({"", Box{{1, 0, 1}}, {}, std::nullopt, {}}); },
      "world, box", "size y = 0");
}

TEST(BodyChecks, RefusesDensitiesThatAreNotPositive) {
  for (double bad : {0.0, -1.0, kNaN, kInfinity, -kInfinity}) {
    ExpectProblem([&](ModelSpec* s) { Block(s).geometry[0].density = bad; }, "body 'block'",
                  "density = ");
  }
}

TEST(BodyChecks, RefusesShapePosesThatAreNone) {
  for (double bad : kBadNumbers) {
    ExpectProblem([&](ModelSpec* s) { Block(s).geometry[0].X_BG.p[0] = bad; }, "body 'block', box",
                  "non-finite position");
    ExpectProblem([&](ModelSpec* s) { s->world_geometry[0].X_BG.p[0] = bad; },
                  "world, half-space 'ground'", "non-finite position");
  }
  ExpectProblem([](ModelSpec* s) { Block(s).geometry[0].X_BG.R.setZero(); }, "body 'block', box",
                "not a rotation");
}

// Mass properties by source.

MassProperties MassOf(const BodySpec& body) {
  ProblemList problems;
  const MassProperties mass = CalcBodyMass(body, &problems);
  EXPECT_TRUE(problems.empty()) << ToText(problems.problems());
  return mass;
}

TEST(BodyMass, ExplicitIsWhatWasGiven) {
  const BodySpec body = MakeBody("arm", 2, {0.1, 0, 0});
  const MassProperties mass = MassOf(body);
  EXPECT_EQ(mass.mass, 2);
  EXPECT_EQ(mass.com, Vec3(0.1, 0, 0));
  EXPECT_EQ(mass.inertia, Mat3(Mat3::Identity()));
}

TEST(BodyMass, PointHasNoInertia) {
  BodySpec body = MakeBody("bob", 2, {0.1, 0, 0});
  body.mass_source = MassSource::kPoint;
  const MassProperties mass = MassOf(body);
  EXPECT_EQ(mass.mass, 2);
  EXPECT_EQ(mass.com, Vec3(0.1, 0, 0));
  EXPECT_EQ(mass.inertia, Mat3(Mat3::Zero()));
}

TEST(BodyMass, MasslessHasNothing) {
  BodySpec body = MakeBody("link");
  body.mass_source = MassSource::kMassless;
  const MassProperties mass = MassOf(body);
  EXPECT_EQ(mass.mass, 0);
  EXPECT_EQ(mass.inertia, Mat3(Mat3::Zero()));
}

// Two unit cubes of unlike density, side by side along x; the second is turned about z as well.
BodySpec TwoCubes() {
  BodySpec body;
  body.name = "cubes";
  body.geometry.push_back({"", Box{{1, 1, 1}}, {}, 1000.0, {}});
  body.geometry.push_back(
      {"", Box{{1, 1, 1}}, {RotationAbout(Vec3::UnitZ(), kPi / 2), {1, 0, 0}}, 3000.0, {}});
  return body;
}

TEST(BodyMass, GeometryAddsUpShapesWithDensity) {
  BodySpec body = TwoCubes();
  // Without a density a shape adds nothing.
  body.geometry.push_back({"", Sphere{5}, {}, std::nullopt, {}});
  const MassProperties mass = MassOf(body);
  EXPECT_NEAR(mass.mass, 4000, 1e-9);
  EXPECT_LT((mass.com - Vec3(0.75, 0, 0)).norm(), 1e-14);
  // Cubes: m/6 each; parallel axes: the reduced mass 750 at distance 1 about y and z.
  EXPECT_NEAR(mass.inertia(0, 0), 4000.0 / 6, 1e-9);
  EXPECT_NEAR(mass.inertia(1, 1), 4000.0 / 6 + 750, 1e-9);
  EXPECT_NEAR(mass.inertia(2, 2), 4000.0 / 6 + 750, 1e-9);
}

TEST(BodyMass, ScaledSpreadsTheMassEvenlyOverAllShapes) {
  BodySpec body = TwoCubes();
  body.mass_source = MassSource::kScaled;
  body.mass.mass = 6;
  for (Geometry& geometry : body.geometry) geometry.density.reset();
  const MassProperties mass = MassOf(body);
  EXPECT_EQ(mass.mass, 6);
  // A 2 × 1 × 1 box.
  EXPECT_LT((mass.com - Vec3(0.5, 0, 0)).norm(), 4e-15);
  EXPECT_LT(
      (mass.inertia - Mat3(Vec3(6.0 / 12 * 2, 6.0 / 12 * 5, 6.0 / 12 * 5).asDiagonal())).norm(),
      1e-14);
}

TEST(BodyMass, IsZeroWhereItIsNotPhysical) {
  for (MassSource source : {MassSource::kExplicit, MassSource::kPoint, MassSource::kScaled}) {
    BodySpec body = MakeBody("bad");
    body.mass_source = source;
    body.mass.mass = -1;
    ProblemList problems;
    const MassProperties mass = CalcBodyMass(body, &problems);
    EXPECT_FALSE(problems.empty());
    EXPECT_EQ(mass.mass, 0);
    EXPECT_EQ(mass.inertia, Mat3(Mat3::Zero()));
  }
}

}  // namespace
}  // namespace voigt
