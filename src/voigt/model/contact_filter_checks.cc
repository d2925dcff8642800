#include <fmt/format.h>

#include <set>
#include <string>

#include "voigt/model/spec_checks.h"

namespace voigt {
namespace {

// Calls visit(geometry, owner) for every shape.
template <typename Visit>
void ForEachShape(const ModelSpec& spec, Visit visit) {
  for (const Geometry& geometry : spec.world_geometry) visit(geometry, std::string("world"));
  for (const BodySpec& body : spec.bodies) {
    for (const Geometry& geometry : body.geometry) visit(geometry, Describe(body));
  }
}

std::set<std::string> CollectGroups(const ModelSpec& spec) {
  std::set<std::string> groups = {kDefaultGroup};
  ForEachShape(spec, [&](const Geometry& geometry, const std::string&) {
    groups.insert(geometry.groups.begin(), geometry.groups.end());
  });
  return groups;
}

void CheckExcludedPairs(const ModelSpec& spec, ProblemList* problems) {
  const auto names = BodyNames(spec);
  for (const ExcludedPair& pair : spec.contact.excluded) {
    for (const std::string& name : {pair.body_A, pair.body_B}) {
      if (names.contains(name)) continue;
      problems->Add(pair.where, "contact.exclude", fmt::format("body '{}' does not exist", name));
    }
    if (pair.body_A == pair.body_B) {
      problems->Add(pair.where, "contact.exclude",
                    fmt::format("names body '{}' twice, expected two bodies", pair.body_A));
    }
  }
}

}  // namespace

void CheckContactFilters(const ModelSpec& spec, ProblemList* problems) {
  const std::set<std::string> groups = CollectGroups(spec);
  if (groups.size() > kMaxContactGroups) {
    problems->Add(spec.contact.where, "contact",
                  fmt::format("shapes belong to {} groups, expected at most {}", groups.size(),
                              kMaxContactGroups));
  }
  ForEachShape(spec, [&](const Geometry& geometry, const std::string& owner) {
    if (!geometry.touches) return;
    for (const std::string& name : *geometry.touches) {
      if (groups.contains(name)) continue;
      problems->Add(geometry.where, Describe(geometry, owner),
                    fmt::format("may touch group '{}', to which no shape belongs", name));
    }
  });
  CheckExcludedPairs(spec, problems);
}

}  // namespace voigt
