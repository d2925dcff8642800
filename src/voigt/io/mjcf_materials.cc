#include <fmt/format.h>

#include <algorithm>

#include "voigt/io/mjcf_contact.h"

namespace voigt {
namespace {

// What acts between two surfaces.
struct MixedContact {
  double friction = 0, torsional = 0, rolling = 0;
  SpringDamper spring;

  bool operator==(const MixedContact& other) const {
    return friction == other.friction && torsional == other.torsional && rolling == other.rolling &&
           spring.stiffness == other.spring.stiffness && spring.damping == other.spring.damping;
  }
};

MixedContact DescribeContact(const MjcfSurface& s, double mass) {
  MixedContact out;
  if (s.dimension >= 3) out.friction = s.friction[0];
  if (s.dimension >= 4) out.torsional = s.friction[1];
  if (s.dimension >= 6) out.rolling = s.friction[2];
  out.spring = MapMjcfSolver(s.solver, mass);
  return out;
}

// The mass that soft contacts are made for: that of a tree on average.
double CalcMeanTreeMass(const MjcfContext& context) {
  double mass = 0;
  int trees = 0;
  for (const MjcfBody& body : context.bodies) {
    if (body.spec < 0 || body.weld == 0) continue;
    mass += context.out.spec.bodies[body.spec].mass.mass;
    trees += context.bodies[body.parent].weld == 0;
  }
  return trees > 0 ? mass / trees : 1;
}

// The surfaces that occur, each with a material of its own. Geoms of listed pairs share theirs with
// no other.
struct SurfaceTable {
  std::vector<MjcfSurface> surfaces;
  std::vector<int> owner;          // the geom of a listed pair that a surface is for, or -1
  std::vector<size_t> surface_of;  // per geom
};

SurfaceTable CollectSurfaces(const MjcfContactLists& lists, const MjcfContext& context) {
  SurfaceTable table;
  for (size_t g = 0; g < context.geoms.size(); ++g) {
    const MjcfSurface& surface = context.geoms[g].surface;
    const int own = lists.IsListed(static_cast<int>(g)) ? static_cast<int>(g) : -1;
    size_t m = 0;
    while (m < table.surfaces.size() && !(table.surfaces[m] == surface && table.owner[m] == own)) {
      ++m;
    }
    if (m == table.surfaces.size()) {
      table.surfaces.push_back(surface);
      table.owner.push_back(own);
    }
    table.surface_of.push_back(m);
  }
  return table;
}

// Where the larger friction of both, without compliance, is not what acts.
std::optional<MaterialPair> MakePair(const Material& a, const Material& b,
                                     const MixedContact& wanted) {
  const MixedContact by_rule{std::max(a.friction, b.friction),
                             std::max(a.torsional_friction, b.torsional_friction),
                             std::max(a.rolling_friction, b.rolling_friction),
                             {}};
  if (wanted == by_rule) return std::nullopt;
  MaterialPair pair;
  pair.first = a.name;
  pair.second = b.name;
  pair.friction = wanted.friction;
  pair.torsional_friction = wanted.torsional;
  pair.rolling_friction = wanted.rolling;
  if (!wanted.spring.is_rigid()) {
    pair.stiffness = wanted.spring.stiffness;
    pair.damping = wanted.spring.damping;
  }
  return pair;
}

std::vector<MaterialPair> MakePairs(const SurfaceTable& table, const MjcfContactLists& lists,
                                    const std::vector<Material>& materials, double mass) {
  std::vector<MaterialPair> out;
  for (size_t a = 0; a < table.surfaces.size(); ++a) {
    for (size_t b = a; b < table.surfaces.size(); ++b) {
      MjcfSurface mixed = MixMjcfSurfaces(table.surfaces[a], table.surfaces[b]);
      for (const MjcfListedPair& pair : lists.pairs) {
        const size_t first = table.surface_of[pair.first], second = table.surface_of[pair.second];
        if (std::min(first, second) == a && std::max(first, second) == b) mixed = pair.surface;
      }
      const auto pair = MakePair(materials[a], materials[b], DescribeContact(mixed, mass));
      if (pair) out.push_back(*pair);
    }
  }
  return out;
}

}  // namespace

// MuJoCo's rules: the surface of higher priority alone; else the larger friction of each kind, the
// larger dimension, and a mean of the solver's numbers.
MjcfSurface MixMjcfSurfaces(const MjcfSurface& a, const MjcfSurface& b) {
  if (a.priority != b.priority) return a.priority > b.priority ? a : b;
  MjcfSurface out = a;
  out.dimension = std::max(a.dimension, b.dimension);
  for (int i = 0; i < 3; ++i) out.friction[i] = std::max(a.friction[i], b.friction[i]);
  const double sum = a.mix + b.mix;
  const double share = sum > 1e-15 ? a.mix / sum : 0.5;
  const bool is_standard = a.solver.solref[0] > 0 && b.solver.solref[0] > 0;
  for (int i = 0; i < 2; ++i) {
    const double x = a.solver.solref[i], y = b.solver.solref[i];
    out.solver.solref[i] = is_standard ? share * x + (1 - share) * y : std::min(x, y);
  }
  for (int i = 0; i < 5; ++i) {
    out.solver.solimp[i] = share * a.solver.solimp[i] + (1 - share) * b.solver.solimp[i];
  }
  return out;
}

void AssignMjcfMaterials(const MjcfContactLists& lists, MjcfContext* context) {
  ModelSpec& spec = context->out.spec;
  const double mass = CalcMeanTreeMass(*context);
  const SurfaceTable table = CollectSurfaces(lists, *context);
  spec.contact.friction_rule = MixingRule::kMaximum;
  for (size_t m = 0; m < table.surfaces.size(); ++m) {
    const MixedContact alone = DescribeContact(table.surfaces[m], mass);
    Material material;
    material.name = fmt::format("mjcf{}", m + 1);
    material.friction = alone.friction;
    material.torsional_friction = alone.torsional;
    material.rolling_friction = alone.rolling;
    spec.materials.push_back(material);
  }
  for (size_t g = 0; g < context->geoms.size(); ++g) {
    FindMjcfShape(context->geoms[g], &spec)->material = spec.materials[table.surface_of[g]].name;
  }
  spec.contact.pairs = MakePairs(table, lists, spec.materials, mass);
  const auto is_soft = [](const MaterialPair& pair) { return pair.stiffness.has_value(); };
  if (std::any_of(spec.contact.pairs.begin(), spec.contact.pairs.end(), is_soft)) {
    context->Note(ImportNote::Kind::kApproximated, context->geoms[0].where, "geom solref, solimp",
                  fmt::format("soft contacts are springs and dampers for a mass of {:.4g} kg, that "
                              "of one tree of bodies; in MuJoCo for the mass that each moves",
                              mass));
  }
}

}  // namespace voigt
