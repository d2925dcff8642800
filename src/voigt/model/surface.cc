#include "voigt/model/surface.h"

#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

bool IsHertz(NormalLaw law) { return law == NormalLaw::kHertz || law == NormalLaw::kHuntCrossley; }

// 1/(1/a + 1/b) of positive numbers, infinity included. Half of a where a = b, to the last bit.
double AddInSeries(double a, double b) {
  const double low = std::min(a, b), high = std::max(a, b);
  return high == kInfinity ? low : low / (1 + low / high);
}

// K/Kᵢ: how much of the deformation side i takes.
double Share(double K, double K_i) { return K_i == kInfinity ? 0 : K / K_i; }

SpringDamper AddInSeries(const SpringDamper& a, const SpringDamper& b) {
  if (a.is_rigid()) return b;
  if (b.is_rigid()) return a;
  if (a.stiffness == 0) return {0, AddInSeries(a.damping, b.damping)};
  const double K = AddInSeries(a.stiffness, b.stiffness);
  const double share_a = Share(K, a.stiffness), share_b = Share(K, b.stiffness);
  return {K, a.damping * share_a * share_a + b.damping * share_b * share_b};
}

// K of one side of a Hertz contact.
double CalcHertzStiffness(const Surface& side, double radius) {
  if (side.hertz_stiffness < kInfinity) return side.hertz_stiffness;
  return side.plane_modulus < kInfinity ? 4.0 / 3.0 * side.plane_modulus * std::sqrt(radius)
                                        : kInfinity;
}

bool NeedsRadius(const Surface& side) {
  return IsHertz(side.law) && side.plane_modulus < kInfinity;
}

SpringDamper TangentOf(const Material& material) {
  if (material.tangential_stiffness) {
    return {*material.tangential_stiffness, material.tangential_damping.value_or(0)};
  }
  const double B = material.tangential_damping.value_or(kInfinity);
  return B == kInfinity ? SpringDamper{} : SpringDamper{0, B};
}

}  // namespace

Surface MakeSurface(const Shape& shape, const Material& material) {
  Surface out;
  out.friction = material.friction;
  out.tangential = TangentOf(material);
  if (const Foundation* foundation = std::get_if<Foundation>(&shape)) {
    out.law = NormalLaw::kLinear;
    out.normal = {foundation->stiffness.value_or(0), foundation->damping};
    if (!foundation->stiffness && material.youngs_modulus) {
      out.normal.stiffness = *material.youngs_modulus * ElementArea(*foundation) /
                             foundation->depth.value_or(kInfinity);
    }
    return out;
  }
  out.law = material.law;
  out.restitution = material.restitution;
  out.dissipation = material.dissipation;
  if (material.stiffness) out.normal = {*material.stiffness, material.damping};
  if (material.hertz_stiffness) out.hertz_stiffness = *material.hertz_stiffness;
  if (material.youngs_modulus) {
    out.plane_modulus =
        *material.youngs_modulus / (1 - material.poisson_ratio * material.poisson_ratio);
  }
  return out;
}

std::optional<std::string> DescribePairDefect(const Surface& a, const Surface& b, double radius) {
  if ((a.law == NormalLaw::kLinear && IsHertz(b.law)) ||
      (b.law == NormalLaw::kLinear && IsHertz(a.law))) {
    return "a linear law meets one of Hertz, and no law describes both together: give both "
           "surfaces the same kind, or make one of them rigid";
  }
  if (radius == kInfinity && (NeedsRadius(a) || NeedsRadius(b))) {
    return "Hertz's law needs a radius, and these shapes have none: give hertz_stiffness instead "
           "of youngs_modulus";
  }
  const bool both_yield = !a.tangential.is_rigid() && !b.tangential.is_rigid();
  if (a.friction * b.friction > 0 && both_yield &&
      (a.tangential.stiffness == 0) != (b.tangential.stiffness == 0)) {
    return "one surface has a tangential spring, the other a tangential damper alone: give both "
           "the same kind";
  }
  return std::nullopt;
}

SurfacePair CombineSurfaces(const Surface& a, const Surface& b, double radius) {
  SurfacePair out;
  out.friction = std::sqrt(a.friction * b.friction);
  if (out.friction > 0) out.tangential = AddInSeries(a.tangential, b.tangential);
  if (a.law == NormalLaw::kRigid && b.law == NormalLaw::kRigid) {
    out.restitution = std::max(a.restitution, b.restitution);
  } else if (!IsHertz(a.law) && !IsHertz(b.law)) {
    const SpringDamper normal = AddInSeries(a.normal, b.normal);
    out.law = NormalLaw::kLinear;
    out.stiffness = normal.stiffness;
    out.damping = normal.damping;
  } else {
    const double K_a = CalcHertzStiffness(a, radius), K_b = CalcHertzStiffness(b, radius);
    const bool damped = a.law == NormalLaw::kHuntCrossley || b.law == NormalLaw::kHuntCrossley;
    out.law = damped ? NormalLaw::kHuntCrossley : NormalLaw::kHertz;
    out.stiffness = AddInSeries(K_a, K_b);
    out.dissipation =
        a.dissipation * Share(out.stiffness, K_a) + b.dissipation * Share(out.stiffness, K_b);
  }
  return out;
}

}  // namespace voigt
