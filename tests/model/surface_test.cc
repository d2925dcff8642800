// Pair rules of normal laws, against the mechanics that they stand for.

#include "voigt/model/surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <string>

#include "tests/model/surface_materials.h"

namespace voigt {
namespace {

using testing::CombineMaterials;
using testing::Elastic;
using testing::SpringAndDamper;

TEST(SurfacePairs, RigidSidesAddNoCompliance) {
  EXPECT_EQ(CombineMaterials({}, {}).law, NormalLaw::kRigid);
  EXPECT_EQ(CombineMaterials({}, {}).stiffness, kInfinity);
  const SurfacePair one = CombineMaterials({}, SpringAndDamper(7e3, 2));
  EXPECT_EQ(one.law, NormalLaw::kLinear);
  EXPECT_EQ(one.stiffness, 7e3);
  EXPECT_EQ(one.damping, 2);
}

TEST(SurfacePairs, TwinsHaveHalfOfEverythingExactly) {
  const SurfacePair pair = CombineMaterials(SpringAndDamper(2e11, 2), SpringAndDamper(2e11, 2));
  EXPECT_EQ(pair.stiffness, 1e11);
  EXPECT_EQ(pair.damping, 1);
}

TEST(SurfacePairs, DampingIsThatOfTwoSidesInSeriesWhereItIsLight) {
  // The dynamic stiffness of both Kelvin–Voigt sides in series at a frequency ω.
  const double K1 = 3e4, B1 = 5, K2 = 8e4, B2 = 1, omega = 10;
  const std::complex<double> s(0, omega);
  const std::complex<double> Z = 1.0 / (1.0 / (K1 + s * B1) + 1.0 / (K2 + s * B2));
  const SurfacePair pair = CombineMaterials(SpringAndDamper(K1, B1), SpringAndDamper(K2, B2));
  EXPECT_NEAR(pair.stiffness, Z.real(), 1e-6 * pair.stiffness);
  EXPECT_NEAR(pair.damping, Z.imag() / omega, 1e-6 * pair.damping);
  // Exact at any frequency where both relax alike.
  const SurfacePair alike =
      CombineMaterials(SpringAndDamper(K1, K1 * 0.1), SpringAndDamper(K2, K2 * 0.1));
  EXPECT_NEAR(alike.damping, 0.1 * alike.stiffness, 1e-12 * alike.damping);
}

TEST(SurfacePairs, HertzFollowsTheModuli) {
  const double E1 = 2e11, nu1 = 0.3, E2 = 7e10, nu2 = 0.33, r = 0.02;
  const double E_star = 1 / ((1 - nu1 * nu1) / E1 + (1 - nu2 * nu2) / E2);
  const SurfacePair pair = CombineMaterials(Elastic(E1, nu1), Elastic(E2, nu2), r);
  EXPECT_EQ(pair.law, NormalLaw::kHertz);
  EXPECT_NEAR(pair.stiffness, 4.0 / 3.0 * E_star * std::sqrt(r), 1e-12 * pair.stiffness);
  // The ramp: rigid feet of 1 cm on E* = 1e11 Pa sink in by 3.158e-7 m under 9.8 cos 15°/4 N.
  const double depth = std::pow(
      9.8 * std::cos(kPi / 12) / 4 / CombineMaterials({}, Elastic(1e11, 0), 0.01).stiffness,
      2.0 / 3.0);
  EXPECT_NEAR(depth, 3.158e-7, 5e-11);
}

TEST(SurfacePairs, HertzStiffnessMayBeGivenOnOneSide) {
  Material given;
  given.law = NormalLaw::kHertz;
  given.hertz_stiffness = 4.0 / 3.0 * 1e9 * std::sqrt(0.5);
  const SurfacePair pair = CombineMaterials(given, Elastic(1e9, 0), 0.5);
  EXPECT_NEAR(pair.stiffness, *given.hertz_stiffness / 2, 1e-12 * pair.stiffness);
  EXPECT_EQ(CombineMaterials(given, {}).stiffness, *given.hertz_stiffness);
}

TEST(SurfacePairs, DissipationIsSharedLikeTheDeformation) {
  const SurfacePair pair = CombineMaterials(Elastic(3e9, 0, 0.4), Elastic(1e9, 0), 0.1);
  EXPECT_EQ(pair.law, NormalLaw::kHuntCrossley);
  EXPECT_NEAR(pair.dissipation, 0.4 * 0.25, 1e-14);  // the stiff side takes a quarter
  EXPECT_NEAR(CombineMaterials(Elastic(3e9, 0, 0.4), {}, 0.1).dissipation, 0.4, 1e-15);
}

TEST(SurfacePairs, ThatDoNotAddUpAreRefused) {
  const auto defect = [](const Material& a, const Material& b, double radius) {
    return DescribePairDefect(MakeSurface(Sphere{1}, a), MakeSurface(Sphere{1}, b), radius)
        .value_or("");
  };
  EXPECT_NE(
      defect(SpringAndDamper(1, 1), Elastic(1e9, 0), 1).find("a linear law meets one of Hertz"),
      std::string::npos);
  EXPECT_NE(defect({}, Elastic(1e9, 0), kInfinity).find("needs a radius"), std::string::npos);
  Material creeping, springy;
  creeping.tangential_damping = 100;
  springy.tangential_stiffness = 1e5;
  EXPECT_NE(defect(creeping, springy, 1).find("tangential"), std::string::npos);
  springy.friction = 0;
  EXPECT_EQ(defect(creeping, springy, 1), "");
}

Material ElasticAndFlat(double E, double K, double B) {
  Material m = Elastic(E, 0);
  m.stiffness = K;
  m.damping = B;
  return m;
}

// Faces and edges have no radius: the stiffness beside the law of Hertz is there for them, and for
// nothing else.
TEST(SurfacePairs, HertzIsLinearWhereThereIsNoRadius) {
  const Material soft = ElasticAndFlat(1e9, 2e6, 8), hard = ElasticAndFlat(2e9, 6e6, 0);
  EXPECT_EQ(CombineMaterials(soft, hard, 0.1).law, NormalLaw::kHertz);
  EXPECT_EQ(CombineMaterials(soft, hard, 0.1).stiffness,
            CombineMaterials(Elastic(1e9, 0), Elastic(2e9, 0), 0.1).stiffness);
  EXPECT_EQ(CombineMaterials(soft, hard, 0.1).damping, 0);
  const SurfacePair flat = CombineMaterials(soft, hard),
                    same = CombineMaterials(SpringAndDamper(2e6, 8), SpringAndDamper(6e6, 0));
  EXPECT_EQ(flat.law, NormalLaw::kLinear);
  EXPECT_EQ(flat.stiffness, same.stiffness);
  EXPECT_EQ(flat.damping, same.damping);
  EXPECT_EQ(flat.dissipation, 0);
  // With a rigid side, a linear one, and one whose K of Hertz is given.
  EXPECT_EQ(CombineMaterials(soft, {}).stiffness, 2e6);
  EXPECT_EQ(CombineMaterials(soft, SpringAndDamper(2e6, 8)).stiffness, 1e6);
  Material given = hard;
  given.youngs_modulus.reset();
  given.hertz_stiffness = 1e9;
  EXPECT_EQ(CombineMaterials(given, {}).law, NormalLaw::kHertz);
  EXPECT_EQ(CombineMaterials(given, soft).law, NormalLaw::kLinear);
  EXPECT_EQ(CombineMaterials(given, soft).stiffness, 1.5e6);
}

TEST(SurfacePairs, WithoutARadiusBothSidesNeedAStiffness) {
  const auto defect = [](const Material& a, const Material& b, double radius) {
    return DescribePairDefect(MakeSurface(Sphere{1}, a), MakeSurface(Sphere{1}, b), radius)
        .value_or("");
  };
  const Material flat = ElasticAndFlat(1e9, 2e6, 8);
  EXPECT_NE(defect(flat, Elastic(1e9, 0), kInfinity).find("stiffness of flat contacts"),
            std::string::npos);
  Material given = Elastic(1e9, 0);
  given.youngs_modulus.reset();
  given.hertz_stiffness = 1e9;
  EXPECT_NE(defect(flat, given, kInfinity).find("a linear law meets one of Hertz"),
            std::string::npos);
  EXPECT_NE(defect(flat, SpringAndDamper(1e5, 0), 1).find("a linear law meets one of Hertz"),
            std::string::npos);
}

TEST(SurfacePairs, GivenAsSuchTakeThePlaceOfTheRules) {
  const Surface soft = MakeSurface(Sphere{1}, SpringAndDamper(1e4, 3));
  const Surface elastic = MakeSurface(Sphere{1}, Elastic(1e9, 0));
  const Surface rigid = MakeSurface(Sphere{1}, {});
  MaterialPair pair;
  const PairRules rules{MixingRule::kGeometricMean, &pair};
  EXPECT_EQ(CombineSurfaces(soft, rigid, 1, rules).stiffness, 1e4);
  EXPECT_EQ(CombineSurfaces(soft, rigid, 1, rules).friction, 0.5);

  pair.friction = 0.1;
  pair.rolling_friction = 2e-3;
  EXPECT_EQ(CombineSurfaces(soft, rigid, 1, rules).friction, 0.1);
  EXPECT_EQ(CombineSurfaces(soft, rigid, 1, rules).rolling_friction, 2e-3);
  EXPECT_EQ(CombineSurfaces(soft, rigid, 1, rules).torsional_friction, 0);

  // A stiffness mends what does not add up.
  EXPECT_TRUE(DescribePairDefect(soft, elastic, 1, rules).has_value());
  pair.stiffness = 7e3;
  EXPECT_FALSE(DescribePairDefect(soft, elastic, 1, rules).has_value());
  EXPECT_EQ(CombineSurfaces(soft, elastic, 1, rules).law, NormalLaw::kLinear);
  EXPECT_EQ(CombineSurfaces(soft, elastic, 1, rules).stiffness, 7e3);
  EXPECT_EQ(CombineSurfaces(soft, elastic, 1, rules).damping, 0);
  pair.damping = 4;
  EXPECT_EQ(CombineSurfaces(soft, elastic, 1, rules).damping, 4);
  pair.damping.reset();
  pair.stiffness = kInfinity;
  pair.restitution = 0.5;
  EXPECT_EQ(CombineSurfaces(soft, elastic, 1, rules).law, NormalLaw::kRigid);
  EXPECT_EQ(CombineSurfaces(soft, elastic, 1, rules).restitution, 0.5);
  pair.stiffness.reset();
  EXPECT_NE(DescribePairDefect(soft, rigid, 1, rules)->find("restitution"), std::string::npos);
  EXPECT_FALSE(DescribePairDefect(rigid, rigid, 1, rules).has_value());
  EXPECT_EQ(CombineSurfaces(rigid, rigid, 1, rules).restitution, 0.5);

  pair.restitution.reset();
  pair.hertz_stiffness = 1e8;
  EXPECT_EQ(CombineSurfaces(soft, rigid, 1, rules).law, NormalLaw::kHertz);
  EXPECT_EQ(CombineSurfaces(soft, rigid, 1, rules).stiffness, 1e8);
  pair.dissipation = 0.2;
  EXPECT_EQ(CombineSurfaces(soft, rigid, 1, rules).law, NormalLaw::kHuntCrossley);
  EXPECT_EQ(CombineSurfaces(soft, rigid, 1, rules).dissipation, 0.2);

  pair.tangential_damping = 50;
  EXPECT_EQ(CombineSurfaces(soft, rigid, 1, rules).tangential.damping, 50);
  EXPECT_EQ(CombineSurfaces(soft, rigid, 1, rules).tangential.stiffness, 0);
}

TEST(Surfaces, OfFoundationsAreTheirElements) {
  Foundation layer;
  layer.size = {2, 3};
  layer.nx = 4;
  layer.ny = 5;
  layer.depth = 0.5;
  layer.damping = 7;
  const Surface elastic = MakeSurface(layer, Elastic(1e7, 0.3));
  EXPECT_EQ(elastic.law, NormalLaw::kLinear);
  EXPECT_NEAR(elastic.normal.stiffness, 1e7 * (6.0 / 20) / 0.5, 1e-6);
  EXPECT_EQ(elastic.normal.damping, 7);
  layer.depth.reset();
  layer.stiffness = 123;
  EXPECT_EQ(MakeSurface(layer, {}).normal.stiffness, 123);
}

TEST(Surfaces, OfElasticLayersAreTheirElements) {
  Geometry geometry{.name = "", .shape = Sphere{1}, .X_BG = {}, .density = {}};
  const Material material = Elastic(1e7, 0.25);
  EXPECT_EQ(MakeSurface(geometry, material, 0.1).law, material.law);

  geometry.foundation = ElasticLayer{};
  ElasticLayer& layer = *geometry.foundation;
  layer.depth = 0.5;
  layer.damping = 7;
  const Surface elastic = MakeSurface(geometry, material, 0.1);
  EXPECT_EQ(elastic.law, NormalLaw::kLinear);
  EXPECT_NEAR(elastic.normal.stiffness, 1e7 / 0.5 * 0.1, 1e-6);
  EXPECT_NEAR(elastic.normal.damping, 0.7, 1e-15);
  // G/E = 1/(2 (1 + ν)) = 0.4.
  EXPECT_NEAR(elastic.tangential.stiffness, 0.4 * elastic.normal.stiffness, 1e-6);
  EXPECT_NEAR(elastic.tangential.damping, 0.4 * elastic.normal.damping, 1e-15);

  layer.shear_stiffness = 3e6;
  EXPECT_NEAR(MakeSurface(geometry, material, 0.1).tangential.stiffness, 3e5, 1e-9);
  layer.shear_stiffness = kInfinity;
  EXPECT_TRUE(MakeSurface(geometry, material, 0.1).tangential.is_rigid());

  layer.depth.reset();
  layer.stiffness = 1e4;
  layer.shear_stiffness.reset();
  Material held = material;
  held.tangential_stiffness = 12;
  EXPECT_EQ(MakeSurface(geometry, held, 0.1).normal.stiffness, 1e3);
  EXPECT_EQ(MakeSurface(geometry, held, 0.1).tangential.stiffness, 12);

  // A layer meets what is rigid or linear, whatever its own material would do without it.
  const Surface rigid = MakeSurface(Sphere{1}, {}), side = MakeSurface(geometry, material, 0.1);
  EXPECT_FALSE(DescribePairDefect(side, rigid, kInfinity));
  EXPECT_FALSE(DescribePairDefect(side, side, kInfinity));
  EXPECT_EQ(CombineSurfaces(side, side, kInfinity).stiffness, 500);
  EXPECT_TRUE(DescribePairDefect(side, MakeSurface(Sphere{1}, material), kInfinity));
}

}  // namespace
}  // namespace voigt
