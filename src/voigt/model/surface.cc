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

// The laws of both sides as they meet: where a radius is needed and there is none, linear if they
// can be.
struct Laws {
  NormalLaw a, b;

  Laws(const Surface& side_a, const Surface& side_b, double radius) {
    const bool is_flat = radius == kInfinity && (NeedsRadius(side_a) || NeedsRadius(side_b));
    const auto law_of = [&](const Surface& side) {
      const bool is_linear = is_flat && IsHertz(side.law) && !side.normal.is_rigid();
      return is_linear ? NormalLaw::kLinear : side.law;
    };
    a = law_of(side_a);
    b = law_of(side_b);
  }
  bool are_rigid() const { return a == NormalLaw::kRigid && b == NormalLaw::kRigid; }
  bool are_mixed() const {
    return (a == NormalLaw::kLinear && IsHertz(b)) || (b == NormalLaw::kLinear && IsHertz(a));
  }
};

// Of a Material or a MaterialPair.
template <typename Numbers>
SpringDamper TangentOf(const Numbers& numbers) {
  if (numbers.tangential_stiffness) {
    return {*numbers.tangential_stiffness, numbers.tangential_damping.value_or(0)};
  }
  const double B = numbers.tangential_damping.value_or(kInfinity);
  return B == kInfinity ? SpringDamper{} : SpringDamper{0, B};
}

double Mix(MixingRule rule, double a, double b, bool is_coefficient) {
  const bool is_product = rule == MixingRule::kProduct && is_coefficient;
  if (a == b && !is_product) return a;  // whatever mean it is
  switch (rule) {
    case MixingRule::kMinimum:
      return std::min(a, b);
    case MixingRule::kMaximum:
      return std::max(a, b);
    case MixingRule::kAverage:
      return 0.5 * (a + b);
    case MixingRule::kProduct:
    case MixingRule::kGeometricMean:
      break;
  }
  return is_product ? a * b : std::sqrt(a * b);
}

bool NamesNormalLaw(const MaterialPair* pair) {
  return pair != nullptr && (pair->stiffness || pair->hertz_stiffness);
}
bool NamesTangents(const MaterialPair* pair) {
  return pair != nullptr && (pair->tangential_stiffness || pair->tangential_damping);
}

void CombineFriction(const Surface& a, const Surface& b, const PairRules& rules, SurfacePair* out) {
  const auto mix = [&](double Surface::* of, const std::optional<double> MaterialPair::* given) {
    if (rules.pair != nullptr && rules.pair->*given) return *(rules.pair->*given);
    const bool is_coefficient = of == &Surface::friction || of == &Surface::static_friction;
    return Mix(rules.friction, a.*of, b.*of, is_coefficient);
  };
  out->friction = mix(&Surface::friction, &MaterialPair::friction);
  out->static_friction = mix(&Surface::static_friction, &MaterialPair::static_friction);
  const bool names_sliding_alone =
      rules.pair != nullptr && rules.pair->friction && !rules.pair->static_friction;
  if (names_sliding_alone) out->static_friction = out->friction;
  out->drop_speed = mix(&Surface::drop_speed, &MaterialPair::drop_speed);
  out->torsional_friction = mix(&Surface::torsional_friction, &MaterialPair::torsional_friction);
  out->rolling_friction = mix(&Surface::rolling_friction, &MaterialPair::rolling_friction);
  out->viscous_friction = mix(&Surface::viscous_friction, &MaterialPair::viscous_friction);
}

void CombineNormalLaws(const Surface& a, const Surface& b, double radius, SurfacePair* out) {
  const Laws laws(a, b, radius);
  if (laws.are_rigid()) return;
  if (!IsHertz(laws.a) && !IsHertz(laws.b)) {
    const SpringDamper normal = AddInSeries(a.normal, b.normal);
    out->law = NormalLaw::kLinear;
    out->stiffness = normal.stiffness;
    out->damping = normal.damping;
    return;
  }
  const double K_a = CalcHertzStiffness(a, radius), K_b = CalcHertzStiffness(b, radius);
  const bool damped = a.law == NormalLaw::kHuntCrossley || b.law == NormalLaw::kHuntCrossley;
  out->law = damped ? NormalLaw::kHuntCrossley : NormalLaw::kHertz;
  out->stiffness = AddInSeries(K_a, K_b);
  out->dissipation =
      a.dissipation * Share(out->stiffness, K_a) + b.dissipation * Share(out->stiffness, K_b);
}

void TakeNormalLaw(const MaterialPair& pair, SurfacePair* out) {
  if (pair.hertz_stiffness) {
    out->dissipation = pair.dissipation.value_or(0);
    out->law = out->dissipation > 0 ? NormalLaw::kHuntCrossley : NormalLaw::kHertz;
    out->stiffness = *pair.hertz_stiffness;
  } else if (*pair.stiffness < kInfinity) {
    out->law = NormalLaw::kLinear;
    out->stiffness = *pair.stiffness;
    out->damping = pair.damping.value_or(0);
  }
}

}  // namespace

Surface MakeSurface(const Shape& shape, const Material& material) {
  Surface out;
  out.friction = material.friction;
  out.static_friction = material.CalcStaticFriction();
  out.drop_speed = material.drop_speed;
  out.torsional_friction = material.torsional_friction;
  out.rolling_friction = material.rolling_friction;
  out.viscous_friction = material.viscous_friction;
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

Surface MakeSurface(const Geometry& geometry, const Material& material, double area) {
  Surface out = MakeSurface(geometry.shape, material);
  if (!geometry.foundation) return out;
  // All that it yields is the layer's.
  const ElasticLayer& layer = *geometry.foundation;
  const double E = material.youngs_modulus.value_or(0), depth = layer.depth.value_or(kInfinity);
  const double k = layer.stiffness.value_or(E / depth);
  out.law = NormalLaw::kLinear;
  out.normal = {area * k, area * layer.damping};
  std::optional<double> shear = layer.shear_stiffness;
  if (!shear && layer.depth) shear = k / (2 * (1 + material.poisson_ratio));
  if (shear == kInfinity) {
    out.tangential = {};
  } else if (shear) {
    out.tangential = {area * *shear, area * layer.damping * *shear / k};
  }
  out.plane_modulus = out.hertz_stiffness = kInfinity;
  out.dissipation = out.restitution = 0;
  return out;
}

std::optional<std::string> DescribePairDefect(const Surface& a, const Surface& b, double radius,
                                              const PairRules& rules) {
  const Laws laws(a, b, radius);
  if (!NamesNormalLaw(rules.pair)) {
    const auto lacks_radius = [&](const Surface& side, NormalLaw law) {
      return radius == kInfinity && IsHertz(law) && NeedsRadius(side);
    };
    if (lacks_radius(a, laws.a) || lacks_radius(b, laws.b)) {
      return "Hertz's law needs a radius, and these shapes have none: give hertz_stiffness instead "
             "of youngs_modulus, or the stiffness of flat contacts beside it";
    }
    if (laws.are_mixed()) {
      return "a linear law meets one of Hertz, and no law describes both together: give both "
             "surfaces the same kind, or make one of them rigid";
    }
    if (rules.pair != nullptr && rules.pair->restitution && !laws.are_rigid()) {
      return "the pair has a restitution, which has no meaning for a contact that yields";
    }
  }
  SurfacePair pair;
  CombineFriction(a, b, rules, &pair);
  const bool both_yield = !a.tangential.is_rigid() && !b.tangential.is_rigid();
  if (pair.friction > 0 && !NamesTangents(rules.pair) && both_yield &&
      (a.tangential.stiffness == 0) != (b.tangential.stiffness == 0)) {
    return "one surface has a tangential spring, the other a tangential damper alone: give both "
           "the same kind";
  }
  return std::nullopt;
}

SurfacePair CombineSurfaces(const Surface& a, const Surface& b, double radius,
                            const PairRules& rules) {
  SurfacePair out;
  CombineFriction(a, b, rules, &out);
  if (out.friction > 0) {
    out.tangential = NamesTangents(rules.pair) ? TangentOf(*rules.pair)
                                               : AddInSeries(a.tangential, b.tangential);
  }
  if (NamesNormalLaw(rules.pair)) {
    TakeNormalLaw(*rules.pair, &out);
  } else {
    CombineNormalLaws(a, b, radius, &out);
  }
  if (out.law == NormalLaw::kRigid) {
    const auto given = rules.pair == nullptr ? std::nullopt : rules.pair->restitution;
    out.restitution = given.value_or(std::max(a.restitution, b.restitution));
  }
  return out;
}

}  // namespace voigt
