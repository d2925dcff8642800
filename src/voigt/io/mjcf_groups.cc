#include <fmt/format.h>

#include <algorithm>

#include "voigt/io/mjcf_contact.h"

namespace voigt {
namespace {

// Geoms that touch the same others.
struct FilterClass {
  unsigned type = 0, affinity = 0;
  int body = -1;  // if it is excluded from others
  int geom = -1;  // if it is in a listed pair

  bool operator==(const FilterClass& other) const = default;
};

FilterClass Classify(int g, const MjcfContactLists& lists, const MjcfContext& context) {
  const MjcfGeom& geom = context.geoms[g];
  FilterClass out{geom.type, geom.affinity, -1, -1};
  for (const auto& [a, b] : lists.excluded) {
    if (geom.mjcf_body == a || geom.mjcf_body == b) out.body = geom.mjcf_body;
  }
  if (lists.IsListed(g)) out.geom = g;
  return out;
}

bool MayTouch(const FilterClass& a, const FilterClass& b, const MjcfContactLists& lists,
              const MjcfContext& context) {
  for (const MjcfListedPair& pair : lists.pairs) {
    if (std::minmax(pair.first, pair.second) == std::minmax(a.geom, b.geom)) return true;
  }
  if (lists.excluded.contains(std::minmax(a.body, b.body))) return false;
  return context.flags.all_pairs && ((a.type & b.affinity) != 0 || (b.type & a.affinity) != 0);
}

}  // namespace

void AssignMjcfGroups(const MjcfContactLists& lists, MjcfContext* context) {
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
    Geometry* shape = FindMjcfShape(context->geoms[g], &context->out.spec);
    shape->groups = {name(class_of[g])};
    shape->touches = touches[class_of[g]];
  }
}

}  // namespace voigt
