#include <fmt/format.h>

#include <algorithm>

#include "voigt/io/mjcf_context.h"

// Which geoms touch and how, exactly as MuJoCo decides it, in voigt's terms: groups of shapes that
// are treated alike, and materials with their pairs.
namespace voigt {
namespace {

struct ListedPair {
  int first = -1, second = -1;  // in MjcfContext::geoms
  MjcfSurface surface;
};

struct ContactLists {
  std::vector<ListedPair> pairs;
  std::set<std::pair<int, int>> excluded;  // bodies of MjcfContext::bodies
};

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

// MuJoCo's rules: the surface of higher priority alone; else the larger friction of each kind, the
// larger dimension, and a mean of the solver's numbers.
MjcfSurface MixSurfaces(const MjcfSurface& a, const MjcfSurface& b) {
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

Geometry* FindShape(const MjcfGeom& geom, ModelSpec* spec) {
  return geom.body < 0 ? &spec->world_geometry[geom.index]
                       : &spec->bodies[geom.body].geometry[geom.index];
}

// --- reading

int FindGeom(const XmlReader& reader, std::string_view attribute, const MjcfContext& context) {
  const std::string name = reader.RequiredText(attribute);
  for (size_t i = 0; i < context.geoms.size(); ++i) {
    if (context.geoms[i].name == name && !name.empty()) return static_cast<int>(i);
  }
  return -1;
}

bool AreNeighbors(const MjcfGeom& a, const MjcfGeom& b, const MjcfContext& context) {
  const auto& bodies = context.bodies;
  const int weld_a = bodies[a.mjcf_body].weld, weld_b = bodies[b.mjcf_body].weld;
  if (weld_a == weld_b) return true;
  if (weld_a == 0 || weld_b == 0 || !context.flags.filter_parent) return false;
  return bodies[bodies[weld_a].parent].weld == weld_b ||
         bodies[bodies[weld_b].parent].weld == weld_a;
}

void ReadMjcfPair(const XmlElement& element, MjcfContext* context, ContactLists* lists) {
  const XmlReader reader = context->ReaderOf(element, {"pair"}, "");
  ListedPair pair;
  pair.first = FindGeom(reader, "geom1", *context);
  pair.second = FindGeom(reader, "geom2", *context);
  pair.surface.dimension = reader.Integer("condim", 3);
  pair.surface.solver = ReadMjcfSolver(reader, "solref", "solimp");
  std::array<double, 5> friction = {1, 1, 0.005, 0.0001, 0.0001};
  reader.Overwrite("friction", 1, friction);
  reader.Ignore({"name", "class", "margin", "gap", "solreffriction"});
  pair.surface.friction = {(friction[0] + friction[1]) / 2, friction[2],
                           (friction[3] + friction[4]) / 2};
  if (!context->flags.listed_pairs || !context->flags.contact) return;
  if (friction[0] != friction[1] || friction[3] != friction[4]) {
    context->Note(ImportNote::Kind::kApproximated, element.where, element.Describe(),
                  "friction is alike in all directions: the mean of both numbers");
  }
  if (pair.first < 0 || pair.second < 0) {
    context->Note(ImportNote::Kind::kUnsupported, element.where, element.Describe(),
                  "one of its geoms does not exist or was left out");
  } else if (AreNeighbors(context->geoms[pair.first], context->geoms[pair.second], *context)) {
    context->Note(ImportNote::Kind::kUnsupported, element.where, element.Describe(),
                  "bodies that a joint connects do not touch");
  } else {
    lists->pairs.push_back(pair);
  }
}

void ReadMjcfExclude(const XmlElement& element, MjcfContext* context, ContactLists* lists) {
  const XmlReader reader(element, &context->problems);
  reader.Ignore({"name"});
  int bodies[2] = {-1, -1};
  const std::string_view attributes[2] = {"body1", "body2"};
  for (int k = 0; k < 2; ++k) {
    const std::string name = reader.RequiredText(attributes[k]);
    const MjcfBody* body = context->FindBody(name);
    if (body == nullptr) {
      reader.Fail(fmt::format("body '{}' does not exist", name));
      return;
    }
    bodies[k] = static_cast<int>(body - context->bodies.data());
  }
  lists->excluded.insert(std::minmax(bodies[0], bodies[1]));
}

// --- groups

// Geoms that touch the same others.
struct FilterClass {
  unsigned type = 0, affinity = 0;
  int body = -1;  // if it is excluded from others
  int geom = -1;  // if it is in a listed pair

  bool operator==(const FilterClass& other) const = default;
};

FilterClass Classify(int g, const ContactLists& lists, const MjcfContext& context) {
  const MjcfGeom& geom = context.geoms[g];
  FilterClass out{geom.type, geom.affinity, -1, -1};
  for (const auto& [a, b] : lists.excluded) {
    if (geom.mjcf_body == a || geom.mjcf_body == b) out.body = geom.mjcf_body;
  }
  for (const ListedPair& pair : lists.pairs) {
    if (pair.first == g || pair.second == g) out.geom = g;
  }
  return out;
}

bool MayTouch(const FilterClass& a, const FilterClass& b, const ContactLists& lists,
              const MjcfContext& context) {
  for (const ListedPair& pair : lists.pairs) {
    if (std::minmax(pair.first, pair.second) == std::minmax(a.geom, b.geom)) return true;
  }
  if (lists.excluded.contains(std::minmax(a.body, b.body))) return false;
  return context.flags.all_pairs && ((a.type & b.affinity) != 0 || (b.type & a.affinity) != 0);
}

void AssignGroups(const ContactLists& lists, MjcfContext* context) {
  std::vector<FilterClass> classes;
  std::vector<size_t> class_of;
  for (size_t g = 0; g < context->geoms.size(); ++g) {
    const FilterClass own = Classify(static_cast<int>(g), lists, *context);
    const auto same = std::find(classes.begin(), classes.end(), own);
    class_of.push_back(same - classes.begin());
    if (same == classes.end()) classes.push_back(own);
  }
  const auto name = [](size_t c) { return fmt::format("mjcf{}", c + 1); };
  std::vector<std::vector<std::string>> touches(classes.size());
  bool any_apart = false;
  for (size_t a = 0; a < classes.size(); ++a) {
    for (size_t b = 0; b < classes.size(); ++b) {
      if (MayTouch(classes[a], classes[b], lists, *context)) {
        touches[a].push_back(name(b));
      } else {
        any_apart = true;
      }
    }
  }
  if (!any_apart) return;
  if (classes.size() >= kMaxContactGroups) {
    context->Note(ImportNote::Kind::kUnsupported, {context->out.spec.contact.where}, "contact",
                  fmt::format("its geoms are of {} kinds that touch different others, more than "
                              "{}: all may touch all",
                              classes.size(), kMaxContactGroups - 1));
    return;
  }
  for (size_t g = 0; g < context->geoms.size(); ++g) {
    Geometry* shape = FindShape(context->geoms[g], &context->out.spec);
    shape->groups = {name(class_of[g])};
    shape->touches = touches[class_of[g]];
  }
}

// --- materials

void AssignMaterials(const ContactLists& lists, MjcfContext* context) {
  ModelSpec& spec = context->out.spec;
  const double mass = CalcMeanTreeMass(*context);
  spec.contact.friction_rule = MixingRule::kMaximum;
  std::vector<MjcfSurface> surfaces;
  std::vector<int> owner;  // the geom in a listed pair that a material is for, or -1
  std::vector<size_t> material_of;
  for (size_t g = 0; g < context->geoms.size(); ++g) {
    const MjcfSurface& surface = context->geoms[g].surface;
    const int own = Classify(static_cast<int>(g), lists, *context).geom;
    size_t m = 0;
    while (m < surfaces.size() && !(surfaces[m] == surface && owner[m] == own)) ++m;
    if (m == surfaces.size()) {
      surfaces.push_back(surface);
      owner.push_back(own);
    }
    material_of.push_back(m);
    FindShape(context->geoms[g], &spec)->material = fmt::format("mjcf{}", m + 1);
  }
  std::vector<MixedContact> alone;
  for (size_t m = 0; m < surfaces.size(); ++m) {
    alone.push_back(DescribeContact(surfaces[m], mass));
    Material material;
    material.name = fmt::format("mjcf{}", m + 1);
    material.friction = alone[m].friction;
    material.torsional_friction = alone[m].torsional;
    material.rolling_friction = alone[m].rolling;
    spec.materials.push_back(material);
  }
  bool is_soft = false;
  for (size_t a = 0; a < surfaces.size(); ++a) {
    for (size_t b = a; b < surfaces.size(); ++b) {
      MjcfSurface mixed = MixSurfaces(surfaces[a], surfaces[b]);
      for (const ListedPair& pair : lists.pairs) {
        const auto materials = std::minmax(material_of[pair.first], material_of[pair.second]);
        if (materials == std::minmax(a, b)) mixed = pair.surface;
      }
      const MixedContact wanted = DescribeContact(mixed, mass);
      const MixedContact by_rule{std::max(alone[a].friction, alone[b].friction),
                                 std::max(alone[a].torsional, alone[b].torsional),
                                 std::max(alone[a].rolling, alone[b].rolling),
                                 {}};
      if (wanted == by_rule) continue;
      MaterialPair pair;
      pair.first = spec.materials[a].name;
      pair.second = spec.materials[b].name;
      pair.friction = wanted.friction;
      pair.torsional_friction = wanted.torsional;
      pair.rolling_friction = wanted.rolling;
      if (!wanted.spring.is_rigid()) {
        pair.stiffness = wanted.spring.stiffness;
        pair.damping = wanted.spring.damping;
        is_soft = true;
      }
      spec.contact.pairs.push_back(pair);
    }
  }
  if (is_soft) {
    context->Note(ImportNote::Kind::kApproximated, spec.contact.where, "geom solref, solimp",
                  fmt::format("soft contacts are springs and dampers for a mass of {:.4g} kg, that "
                              "of one tree of bodies; in MuJoCo for the mass that each moves",
                              mass));
  }
}

}  // namespace

void ReadMjcfSurface(const XmlReader& reader, MjcfSurface* surface) {
  surface->dimension = reader.Integer("condim", 3);
  if (surface->dimension != 1 && surface->dimension != 3 && surface->dimension != 4 &&
      surface->dimension != 6) {
    reader.Fail(fmt::format("condim is {}, expected 1, 3, 4 or 6", surface->dimension));
    surface->dimension = 3;
  }
  surface->priority = reader.Integer("priority", 0);
  surface->mix = reader.Number("solmix", 1);
  reader.Overwrite("friction", 1, surface->friction);
  surface->solver = ReadMjcfSolver(reader, "solref", "solimp");
}

void ReadMjcfContact(const std::vector<const XmlElement*>& sections, MjcfContext* context) {
  ContactLists lists;
  for (const XmlElement* section : sections) {
    section->was_read = true;
    for (const XmlElement* pair : section->Children("pair")) ReadMjcfPair(*pair, context, &lists);
    for (const XmlElement* pair : section->Children("exclude")) {
      ReadMjcfExclude(*pair, context, &lists);
    }
  }
  AssignGroups(lists, context);
  AssignMaterials(lists, context);
}

}  // namespace voigt
