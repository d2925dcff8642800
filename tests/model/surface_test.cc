// Pair rules, against the mechanics that they stand for.

#include "voigt/model/surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

namespace voigt {
namespace {

Material SpringAndDamper(double K, double B) {
  Material m;
  m.law = NormalLaw::kLinear;
  m.stiffness = K;
  m.damping = B;
  return m;
}

Material Elastic(double E, double nu, double dissipation = 0) {
  Material m;
  m.law = dissipation > 0 ? NormalLaw::kHuntCrossley : NormalLaw::kHertz;
  m.youngs_modulus = E;
  m.poisson_ratio = nu;
  m.dissipation = dissipation;
  return m;
}

SurfacePair Combine(const Material& a, const Material& b, double radius = kInfinity) {
  const Surface side_a = MakeSurface(Sphere{1}, a), side_b = MakeSurface(Sphere{1}, b);
  EXPECT_EQ(DescribePairDefect(side_a, side_b, radius), std::nullopt);
  const SurfacePair pair = CombineSurfaces(side_a, side_b, radius);
  const SurfacePair swapped = CombineSurfaces(side_b, side_a, radius);
  EXPECT_EQ(pair.stiffness, swapped.stiffness);
  EXPECT_EQ(pair.damping, swapped.damping);
  EXPECT_EQ(pair.dissipation, swapped.dissipation);
  EXPECT_EQ(pair.friction, swapped.friction);
  EXPECT_EQ(pair.restitution, swapped.restitution);
  EXPECT_EQ(pair.tangential.stiffness, swapped.tangential.stiffness);
  EXPECT_EQ(pair.tangential.damping, swapped.tangential.damping);
  return pair;
}

TEST(SurfacePairs, RigidSidesAddNoCompliance) {
  EXPECT_EQ(Combine({}, {}).law, NormalLaw::kRigid);
  EXPECT_EQ(Combine({}, {}).stiffness, kInfinity);
  const SurfacePair one = Combine({}, SpringAndDamper(7e3, 2));
  EXPECT_EQ(one.law, NormalLaw::kLinear);
  EXPECT_EQ(one.stiffness, 7e3);
  EXPECT_EQ(one.damping, 2);
}

TEST(SurfacePairs, TwinsHaveHalfOfEverythingExactly) {
  const SurfacePair pair = Combine(SpringAndDamper(2e11, 2), SpringAndDamper(2e11, 2));
  EXPECT_EQ(pair.stiffness, 1e11);
  EXPECT_EQ(pair.damping, 1);
}

TEST(SurfacePairs, DampingIsThatOfTwoSidesInSeriesWhereItIsLight) {
  // The dynamic stiffness of both Kelvin–Voigt sides in series at a frequency ω.
  const double K1 = 3e4, B1 = 5, K2 = 8e4, B2 = 1, omega = 10;
  const std::complex<double> s(0, omega);
  const std::complex<double> Z = 1.0 / (1.0 / (K1 + s * B1) + 1.0 / (K2 + s * B2));
  const SurfacePair pair = Combine(SpringAndDamper(K1, B1), SpringAndDamper(K2, B2));
  EXPECT_NEAR(pair.stiffness, Z.real(), 1e-6 * pair.stiffness);
  EXPECT_NEAR(pair.damping, Z.imag() / omega, 1e-6 * pair.damping);
  // Exact at any frequency where both relax alike.
  const SurfacePair alike = Combine(SpringAndDamper(K1, K1 * 0.1), SpringAndDamper(K2, K2 * 0.1));
  EXPECT_NEAR(alike.damping, 0.1 * alike.stiffness, 1e-12 * alike.damping);
}

TEST(SurfacePairs, HertzFollowsTheModuli) {
  const double E1 = 2e11, nu1 = 0.3, E2 = 7e10, nu2 = 0.33, r = 0.02;
  const double E_star = 1 / ((1 - nu1 * nu1) / E1 + (1 - nu2 * nu2) / E2);
  const SurfacePair pair = Combine(Elastic(E1, nu1), Elastic(E2, nu2), r);
  EXPECT_EQ(pair.law, NormalLaw::kHertz);
  EXPECT_NEAR(pair.stiffness, 4.0 / 3.0 * E_star * std::sqrt(r), 1e-12 * pair.stiffness);
  // The ramp: rigid feet of 1 cm on E* = 1e11 Pa sink in by 3.158e-7 m under 9.8 cos 15°/4 N.
  const double depth = std::pow(
      9.8 * std::cos(kPi / 12) / 4 / Combine({}, Elastic(1e11, 0), 0.01).stiffness, 2.0 / 3.0);
  EXPECT_NEAR(depth, 3.158e-7, 5e-11);
}

TEST(SurfacePairs, HertzStiffnessMayBeGivenOnOneSide) {
  Material given;
  given.law = NormalLaw::kHertz;
  given.hertz_stiffness = 4.0 / 3.0 * 1e9 * std::sqrt(0.5);
  const SurfacePair pair = Combine(given, Elastic(1e9, 0), 0.5);
  EXPECT_NEAR(pair.stiffness, *given.hertz_stiffness / 2, 1e-12 * pair.stiffness);
  EXPECT_EQ(Combine(given, {}).stiffness, *given.hertz_stiffness);
}

TEST(SurfacePairs, DissipationIsSharedLikeTheDeformation) {
  const SurfacePair pair = Combine(Elastic(3e9, 0, 0.4), Elastic(1e9, 0), 0.1);
  EXPECT_EQ(pair.law, NormalLaw::kHuntCrossley);
  EXPECT_NEAR(pair.dissipation, 0.4 * 0.25, 1e-14);  // the stiff side takes a quarter
  EXPECT_NEAR(Combine(Elastic(3e9, 0, 0.4), {}, 0.1).dissipation, 0.4, 1e-15);
}

TEST(SurfacePairs, FrictionIsTheGeometricMeanAndRestitutionTheLarger) {
  Material a, b;
  a.friction = 0.2;
  b.friction = 0.8;
  a.restitution = 0.7;
  b.restitution = 0.1;
  EXPECT_DOUBLE_EQ(Combine(a, b).friction, 0.4);
  EXPECT_EQ(Combine(a, b).restitution, 0.7);
  b.friction = 0;
  EXPECT_EQ(Combine(a, b).friction, 0);
  EXPECT_EQ(Combine(a, a).friction, 0.2);
  // What yields bounces by its own law.
  EXPECT_EQ(Combine(a, SpringAndDamper(1e4, 1)).restitution, 0);
}

// Static friction follows the rule of friction, and is that of sliding where nothing is said.
TEST(SurfacePairs, StaticFrictionIsMixedLikeThatOfSliding) {
  Material a, b;
  a.friction = 0.2;
  b.friction = 0.8;
  const auto combine = [&](const PairRules& rules) {
    return CombineSurfaces(MakeSurface(Sphere{1}, a), MakeSurface(Sphere{1}, b), 1, rules);
  };
  EXPECT_DOUBLE_EQ(combine({}).static_friction, 0.4);
  a.static_friction = 0.45;
  EXPECT_DOUBLE_EQ(combine({}).friction, 0.4);
  EXPECT_DOUBLE_EQ(combine({}).static_friction, 0.6);
  EXPECT_DOUBLE_EQ(combine({MixingRule::kProduct}).static_friction, 0.36);
  MaterialPair pair;
  pair.friction = 0.1;
  EXPECT_EQ(combine({MixingRule::kGeometricMean, &pair}).static_friction, 0.1);
  pair.static_friction = 0.3;
  EXPECT_EQ(combine({MixingRule::kGeometricMean, &pair}).static_friction, 0.3);
  EXPECT_TRUE(DescribeMaterialPairDefects(pair).empty());
  pair.static_friction = 0.05;
  EXPECT_EQ(DescribeMaterialPairDefects(pair).size(), 1u);
  pair.friction.reset();
  EXPECT_EQ(
      DescribeMaterialPairDefects(pair),
      std::vector<std::string>{"static_friction needs the friction of what slides beside it"});
  a.static_friction = 0.1;
  EXPECT_EQ(DescribeMaterialDefects(a),
            std::vector<std::string>{
                "static_friction = 0.1, expected at least the friction of what slides, 0.2"});
}

// So does the speed over which it drops, which is no coefficient.
TEST(SurfacePairs, DropSpeedIsMixedLikeALength) {
  Material a, b;
  a.friction = b.friction = 0.2;
  a.static_friction = b.static_friction = 0.4;
  a.drop_speed = 0.1;
  const auto combine = [&](const PairRules& rules) {
    return CombineSurfaces(MakeSurface(Sphere{1}, a), MakeSurface(Sphere{1}, b), 1, rules);
  };
  EXPECT_EQ(combine({}).drop_speed, 0);
  EXPECT_EQ(combine({}).CalcSliding(0), 0.2);
  b.drop_speed = 0.4;
  for (MixingRule rule : {MixingRule::kGeometricMean, MixingRule::kProduct}) {
    EXPECT_DOUBLE_EQ(combine({rule}).drop_speed, 0.2);
  }
  const SurfacePair both = combine({});
  EXPECT_TRUE(both.drops());
  EXPECT_EQ(both.CalcSliding(0), 0.4);
  EXPECT_NEAR(both.CalcSliding(0.2), 0.2 + 0.2 / std::exp(1.0), 1e-15);
  EXPECT_NEAR(both.CalcSliding(10), 0.2, 1e-15);
  MaterialPair pair;
  pair.friction = 0.1;
  pair.static_friction = 0.3;
  pair.drop_speed = 0.05;
  EXPECT_EQ(combine({MixingRule::kMinimum, &pair}).drop_speed, 0.05);
  EXPECT_TRUE(DescribeMaterialPairDefects(pair).empty());
  pair.drop_speed = kNaN;
  EXPECT_EQ(DescribeMaterialPairDefects(pair).size(), 1u);
  a.drop_speed = -0.1;
  EXPECT_EQ(DescribeMaterialDefects(a).size(), 1u);
}

TEST(SurfacePairs, TangentsAreRigidDampersOrSprings) {
  Material rigid, creeping, springy;
  creeping.tangential_damping = 100;
  springy.tangential_stiffness = 1e5;
  springy.tangential_damping = 4;
  EXPECT_TRUE(Combine(rigid, rigid).tangential.is_rigid());
  EXPECT_EQ(Combine(rigid, creeping).tangential.stiffness, 0);
  EXPECT_EQ(Combine(rigid, creeping).tangential.damping, 100);
  EXPECT_EQ(Combine(creeping, creeping).tangential.damping, 50);
  EXPECT_EQ(Combine(springy, rigid).tangential.stiffness, 1e5);
  EXPECT_EQ(Combine(springy, springy).tangential.stiffness, 5e4);
  EXPECT_EQ(Combine(springy, springy).tangential.damping, 2);
  springy.tangential_damping.reset();
  EXPECT_EQ(Combine(springy, rigid).tangential.damping, 0);
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
  EXPECT_EQ(Combine(soft, hard, 0.1).law, NormalLaw::kHertz);
  EXPECT_EQ(Combine(soft, hard, 0.1).stiffness,
            Combine(Elastic(1e9, 0), Elastic(2e9, 0), 0.1).stiffness);
  EXPECT_EQ(Combine(soft, hard, 0.1).damping, 0);
  const SurfacePair flat = Combine(soft, hard),
                    same = Combine(SpringAndDamper(2e6, 8), SpringAndDamper(6e6, 0));
  EXPECT_EQ(flat.law, NormalLaw::kLinear);
  EXPECT_EQ(flat.stiffness, same.stiffness);
  EXPECT_EQ(flat.damping, same.damping);
  EXPECT_EQ(flat.dissipation, 0);
  // With a rigid side, a linear one, and one whose K of Hertz is given.
  EXPECT_EQ(Combine(soft, {}).stiffness, 2e6);
  EXPECT_EQ(Combine(soft, SpringAndDamper(2e6, 8)).stiffness, 1e6);
  Material given = hard;
  given.youngs_modulus.reset();
  given.hertz_stiffness = 1e9;
  EXPECT_EQ(Combine(given, {}).law, NormalLaw::kHertz);
  EXPECT_EQ(Combine(given, soft).law, NormalLaw::kLinear);
  EXPECT_EQ(Combine(given, soft).stiffness, 1.5e6);
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

Material WithFriction(double mu, double torsional, double rolling, double viscous) {
  Material m;
  m.friction = mu;
  m.torsional_friction = torsional;
  m.rolling_friction = rolling;
  m.viscous_friction = viscous;
  return m;
}

TEST(SurfacePairs, FrictionFollowsTheRule) {
  const Surface a = MakeSurface(Sphere{1}, WithFriction(0.2, 1e-3, 4e-3, 2));
  const Surface b = MakeSurface(Sphere{1}, WithFriction(0.8, 9e-3, 1e-3, 8));
  const struct {
    MixingRule rule;
    double friction, torsional, rolling, viscous;
  } cases[] = {
      {MixingRule::kGeometricMean, 0.4, 3e-3, 2e-3, 4},
      {MixingRule::kMinimum, 0.2, 1e-3, 1e-3, 2},
      {MixingRule::kMaximum, 0.8, 9e-3, 4e-3, 8},
      {MixingRule::kAverage, 0.5, 5e-3, 2.5e-3, 5},
      {MixingRule::kProduct, 0.16, 3e-3, 2e-3, 4},  // a product of lengths is none
  };
  for (const auto& c : cases) {
    for (const SurfacePair& pair :
         {CombineSurfaces(a, b, kInfinity, {c.rule}), CombineSurfaces(b, a, kInfinity, {c.rule})}) {
      EXPECT_DOUBLE_EQ(pair.friction, c.friction) << ToString(c.rule);
      EXPECT_DOUBLE_EQ(pair.torsional_friction, c.torsional) << ToString(c.rule);
      EXPECT_DOUBLE_EQ(pair.rolling_friction, c.rolling) << ToString(c.rule);
      EXPECT_DOUBLE_EQ(pair.viscous_friction, c.viscous) << ToString(c.rule);
    }
  }
  // Twins are as they are, but for the product.
  EXPECT_EQ(CombineSurfaces(a, a, kInfinity, {MixingRule::kAverage}).friction, 0.2);
  EXPECT_DOUBLE_EQ(CombineSurfaces(a, a, kInfinity, {MixingRule::kProduct}).friction, 0.04);
  // One side without friction has none with one rule and some with another.
  const Surface ice = MakeSurface(Sphere{1}, WithFriction(0, 0, 0, 0));
  EXPECT_EQ(CombineSurfaces(a, ice, kInfinity, {MixingRule::kMinimum}).friction, 0);
  EXPECT_DOUBLE_EQ(CombineSurfaces(a, ice, kInfinity, {MixingRule::kAverage}).friction, 0.1);
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
