#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "voigt/base/source_location.h"

namespace voigt {

// How a surface yields when something presses on it, as a function of the depth d and its rate ḋ:
//   rigid          not at all
//   linear         K d + B ḋ                              K in N/m, B in N s/m
//   hertz          K d^{3/2}                              K in N/m^{3/2}
//   hunt_crossley  K d^{3/2} (1 + (3/2) a ḋ)              a in s/m     [Hunt & Crossley 1975]
enum class NormalLaw { kRigid, kLinear, kHertz, kHuntCrossley };

std::string_view ToString(NormalLaw law);

// What the surface of a shape is made of, for contact. How two of them act together is told in
// surface.h.
struct Material {
  std::string name;
  double friction = 0.5;          // μ, of what slides
  double torsional_friction = 0;  // about the normal: a length, m
  double rolling_friction = 0;    // about the tangents: a length, m
  double viscous_friction = 0;    // beside μ, without limit, N s/m
  double restitution = 0;         // Newton's, where both surfaces are rigid

  NormalLaw law = NormalLaw::kRigid;
  // K and B of a linear law, N/m and N s/m. The laws of Hertz may have them for contacts that have
  // no radius, of faces and edges.
  std::optional<double> stiffness;
  double damping = 0;

  // Of the laws hertz and hunt_crossley, one of these: either an elastic solid, for which the radii
  // of the shapes give K, or K itself.
  std::optional<double> youngs_modulus;   // E, Pa
  double poisson_ratio = 0.3;             // ν
  std::optional<double> hertz_stiffness;  // K, N/m^{3/2}
  double dissipation = 0;                 // a of hunt_crossley, s/m

  // Along the surface, below the limit of friction: rigid unless one of these is given. A damper
  // alone lets contacts creep; with a spring, damping is 0 where it is not given.
  std::optional<double> tangential_stiffness;  // N/m
  std::optional<double> tangential_damping;    // N s/m

  // μ_s ≥ μ of what is at rest; μ where it is not given. More than μ is for time steps, and for the
  // integrator event-driven with the formulation `working`.
  std::optional<double> static_friction = {};
  // v_d, m/s, over which μ_s falls to μ when sliding begins (CalcSlidingFriction); 0: at once.
  double drop_speed = 0;

  SourceLocation where = {};

  double CalcStaticFriction() const { return static_friction.value_or(friction); }
};

// The material of shapes that name none; a model that does not describe it gets Material{}.
inline constexpr const char* kDefaultMaterial = "default";

// Everything that is wrong with a material: numbers out of range, numbers that its law lacks or
// does not use.
std::vector<std::string> DescribeMaterialDefects(const Material& material);

}  // namespace voigt
