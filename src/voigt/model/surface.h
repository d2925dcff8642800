#pragma once

#include <optional>
#include <string>

#include "voigt/math/types.h"
#include "voigt/model/geometry.h"
#include "voigt/model/material.h"
#include "voigt/model/material_pair.h"
#include "voigt/model/reaction_friction.h"

// How two surfaces act together. Both carry the same force, so their compliances add:
//
//   normal, linear       1/K = 1/K₁ + 1/K₂
//           hertz        1/K = 1/K₁ + 1/K₂ with Kᵢ = (4/3) Eᵢ/(1 − νᵢ²) √r, that is
//                        K = (4/3) E* √r, 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂; r is that of a
//                        sphere on a plane with the same law (CalcRoundRadius), of two spheres
//                        1/r = 1/r₁ + 1/r₂ [Johnson 1985, §4.2]
//   damping              each side deforms at its share K/Kᵢ of the rate, as it does where damping
//                        is light, and the pair dissipates what both sides do:
//                        B = B₁ (K/K₁)² + B₂ (K/K₂)²; exact where B₁/K₁ = B₂/K₂, B/2 for twins
//   dissipation          a = a₁ K/K₁ + a₂ K/K₂
//   tangential springs   as the linear law; dampers alone 1/B = 1/B₁ + 1/B₂
//   friction             μ = √(μ₁ μ₂): a frictionless side makes a frictionless contact; or what
//                        another MixingRule makes of them. Static, torsional, rolling and viscous
//                        friction and the speed over which it drops follow the same rule
//   restitution          e = max(e₁, e₂): a ball bounces from whatever it hits; rigid pairs only
//
// A rigid side adds no compliance. A linear law and one of Hertz do not add up to either and are
// refused, and so are a tangential spring and a tangential damper without one.
//
// Where shapes have no radius, as at faces and edges, an elastic solid has no Hertz contact. A side
// with a stiffness beside its law of Hertz is then linear with it, on both sides of the contact.
//
// A MaterialPair takes the place of what it names.
namespace voigt {

// A spring and damper side by side. K = ∞ is rigid, K = 0 a damper alone.
struct SpringDamper {
  double stiffness = kInfinity;  // N/m
  double damping = 0;            // N s/m

  bool is_rigid() const { return stiffness == kInfinity; }
};

// One side of a contact.
struct Surface {
  NormalLaw law = NormalLaw::kRigid;
  SpringDamper normal;  // of a linear law, and of one of Hertz where there is no radius
  double plane_modulus = kInfinity;    // E/(1 − ν²) of an elastic solid, Pa
  double hertz_stiffness = kInfinity;  // K given as such, N/m^{3/2}
  double dissipation = 0;              // s/m
  SpringDamper tangential;
  double friction = 0, torsional_friction = 0, rolling_friction = 0, viscous_friction = 0;
  double static_friction = 0, drop_speed = 0;
  double restitution = 0;
};

// The surface of a shape made of a material: that of the material, but for the elements of a
// foundation, whose springs are their own or, E A/depth each, those of a layer of the material.
Surface MakeSurface(const Shape& shape, const Material& material);

// The same, where `area` of it, m², is one element of an elastic layer: of the shape's own, whose
// springs it then has, or of the other's, which touches it there. Along the surface a layer has
// damping in proportion to its stiffness there, B_t/K_t = B/K.
Surface MakeSurface(const Geometry& geometry, const Material& material, double area);

// Both sides together.
struct SurfacePair {
  NormalLaw law = NormalLaw::kRigid;
  double stiffness = kInfinity;  // N/m; N/m^{3/2} for the laws of Hertz
  double damping = 0;            // N s/m
  double dissipation = 0;        // s/m
  SpringDamper tangential;
  double friction = 0;                                  // μ of what slides
  double static_friction = 0;                           // that of what is at rest, at least μ
  double drop_speed = 0;                                // over which the one falls to the other
  double torsional_friction = 0, rolling_friction = 0;  // m
  double viscous_friction = 0;                          // N s/m
  double restitution = 0;

  bool drops() const { return static_friction > friction; }
  // Of what slides with that speed, m/s.
  double CalcSliding(double speed) const {
    return CalcSlidingFriction(friction, static_friction, drop_speed, speed);
  }
  bool resists_turning() const { return torsional_friction > 0 || rolling_friction > 0; }
};

// Why two surfaces cannot act together, or nothing. `radius` is the effective radius of the contact
// in m, infinite where the shapes have none.
std::optional<std::string> DescribePairDefect(const Surface& a, const Surface& b, double radius,
                                              const PairRules& rules = {});

// Of two surfaces without such a defect; the order does not matter.
SurfacePair CombineSurfaces(const Surface& a, const Surface& b, double radius,
                            const PairRules& rules = {});

}  // namespace voigt
