// Friction of pairs: how coefficients, lengths and speeds of both sides are mixed, and what yields
// along the surface.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/model/surface_materials.h"
#include "voigt/model/surface.h"

namespace voigt {
namespace {

using testing::CombineMaterials;
using testing::SpringAndDamper;

TEST(SurfacePairs, FrictionIsTheGeometricMeanAndRestitutionTheLarger) {
  Material a, b;
  a.friction = 0.2;
  b.friction = 0.8;
  a.restitution = 0.7;
  b.restitution = 0.1;
  EXPECT_DOUBLE_EQ(CombineMaterials(a, b).friction, 0.4);
  EXPECT_EQ(CombineMaterials(a, b).restitution, 0.7);
  b.friction = 0;
  EXPECT_EQ(CombineMaterials(a, b).friction, 0);
  EXPECT_EQ(CombineMaterials(a, a).friction, 0.2);
  // What yields bounces by its own law.
  EXPECT_EQ(CombineMaterials(a, SpringAndDamper(1e4, 1)).restitution, 0);
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
  EXPECT_TRUE(CombineMaterials(rigid, rigid).tangential.is_rigid());
  EXPECT_EQ(CombineMaterials(rigid, creeping).tangential.stiffness, 0);
  EXPECT_EQ(CombineMaterials(rigid, creeping).tangential.damping, 100);
  EXPECT_EQ(CombineMaterials(creeping, creeping).tangential.damping, 50);
  EXPECT_EQ(CombineMaterials(springy, rigid).tangential.stiffness, 1e5);
  EXPECT_EQ(CombineMaterials(springy, springy).tangential.stiffness, 5e4);
  EXPECT_EQ(CombineMaterials(springy, springy).tangential.damping, 2);
  springy.tangential_damping.reset();
  EXPECT_EQ(CombineMaterials(springy, rigid).tangential.damping, 0);
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

}  // namespace
}  // namespace voigt
