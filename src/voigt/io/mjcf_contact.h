#pragma once

#include <set>
#include <utility>
#include <vector>

#include "voigt/io/mjcf_context.h"

// Which geoms touch and how, exactly as MuJoCo decides it, in voigt's terms: groups of shapes that
// are treated alike, and materials with their pairs.
namespace voigt {

// <contact><pair>: two geoms that touch whatever their bits say, in their own way.
struct MjcfListedPair {
  int first = -1, second = -1;  // in MjcfContext::geoms
  MjcfSurface surface;
};

struct MjcfContactLists {
  std::vector<MjcfListedPair> pairs;
  std::set<std::pair<int, int>> excluded;  // bodies of MjcfContext::bodies, the smaller first

  // Whether a geom is in a listed pair.
  bool IsListed(int geom) const;
};

// MuJoCo's rules: the surface of higher priority alone; else the larger friction of each kind, the
// larger dimension, and a mean of the solver's numbers.
MjcfSurface MixMjcfSurfaces(const MjcfSurface& a, const MjcfSurface& b);

Geometry* FindMjcfShape(const MjcfGeom& geom, ModelSpec* spec);

// mjcf_groups.cc
void AssignMjcfGroups(const MjcfContactLists& lists, MjcfContext* context);

// mjcf_materials.cc
void AssignMjcfMaterials(const MjcfContactLists& lists, MjcfContext* context);

}  // namespace voigt
