#include "voigt/io/mjcf_contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace voigt {
namespace {

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

void CheckMjcfFriction(const XmlReader& reader, std::span<double> friction) {
  for (double& number : friction) {
    if (number >= 0) continue;
    reader.Fail(fmt::format("friction is {}, expected numbers ≥ 0", number));
    number = 0;
  }
}

// What a pair does not say is as in a geom that says nothing, whatever its geoms say.
MjcfSurface ReadPairSurface(const XmlReader& reader, MjcfContext* context) {
  MjcfSurface out;
  out.dimension = reader.Integer("condim", out.dimension);
  std::array<double, 5> friction = {out.friction[0], out.friction[0], out.friction[1],
                                    out.friction[2], out.friction[2]};
  reader.Overwrite("friction", 1, friction);
  CheckMjcfFriction(reader, friction);
  out.friction = {(friction[0] + friction[1]) / 2, friction[2], (friction[3] + friction[4]) / 2};
  out.solver = ReadMjcfSolver(reader, "solref", "solimp");
  if (friction[0] != friction[1] || friction[3] != friction[4]) {
    context->Note(ImportNote::Kind::kApproximated, reader.where(), reader.element().Describe(),
                  "friction is alike in all directions: the mean of both numbers");
  }
  return out;
}

void ReadMjcfPair(const XmlElement& element, MjcfContext* context, MjcfContactLists* lists) {
  const XmlReader reader = context->ReaderOf(element, {"pair"}, "");
  reader.Ignore({"name", "class", "margin", "gap", "condim", "friction", "solref", "solimp",
                 "solreffriction"});
  MjcfListedPair pair;
  pair.first = FindGeom(reader, "geom1", *context);
  pair.second = FindGeom(reader, "geom2", *context);
  if (!context->flags.listed_pairs || !context->flags.contact) return;
  if (pair.first < 0 || pair.second < 0) {
    context->Note(ImportNote::Kind::kUnsupported, element.where, element.Describe(),
                  "one of its geoms does not exist or was left out");
    return;
  }
  const MjcfGeom &first = context->geoms[pair.first], &second = context->geoms[pair.second];
  if (AreNeighbors(first, second, *context)) {
    context->Note(ImportNote::Kind::kUnsupported, element.where, element.Describe(),
                  "bodies that a joint connects do not touch");
    return;
  }
  pair.surface = ReadPairSurface(reader, context);
  lists->pairs.push_back(pair);
}

void ReadMjcfExclude(const XmlElement& element, MjcfContext* context, MjcfContactLists* lists) {
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

}  // namespace

bool MjcfContactLists::IsListed(int geom) const {
  return std::any_of(pairs.begin(), pairs.end(), [&](const MjcfListedPair& pair) {
    return pair.first == geom || pair.second == geom;
  });
}

Geometry* FindMjcfShape(const MjcfGeom& geom, ModelSpec* spec) {
  return geom.body < 0 ? &spec->world_geometry[geom.index]
                       : &spec->bodies[geom.body].geometry[geom.index];
}

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
  CheckMjcfFriction(reader, surface->friction);
  surface->solver = ReadMjcfSolver(reader, "solref", "solimp");
}

void ReadMjcfContact(const std::vector<const XmlElement*>& sections, MjcfContext* context) {
  MjcfContactLists lists;
  for (const XmlElement* section : sections) {
    section->was_read = true;
    for (const XmlElement* pair : section->Children("pair")) ReadMjcfPair(*pair, context, &lists);
    for (const XmlElement* pair : section->Children("exclude")) {
      ReadMjcfExclude(*pair, context, &lists);
    }
  }
  AssignMjcfGroups(lists, context);
  AssignMjcfMaterials(lists, context);
}

}  // namespace voigt
