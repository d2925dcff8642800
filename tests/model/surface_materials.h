#pragma once

#include <gtest/gtest.h>

#include <optional>

#include "voigt/model/surface.h"

// Materials by their normal laws, and pairs of them.
namespace voigt::testing {

inline Material SpringAndDamper(double K, double B) {
  Material m;
  m.law = NormalLaw::kLinear;
  m.stiffness = K;
  m.damping = B;
  return m;
}

inline Material Elastic(double E, double nu, double dissipation = 0) {
  Material m;
  m.law = dissipation > 0 ? NormalLaw::kHuntCrossley : NormalLaw::kHertz;
  m.youngs_modulus = E;
  m.poisson_ratio = nu;
  m.dissipation = dissipation;
  return m;
}

// What two surfaces of these materials are together, which does not depend on their order.
inline SurfacePair CombineMaterials(const Material& a, const Material& b,
                                    double radius = kInfinity) {
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

}  // namespace voigt::testing
