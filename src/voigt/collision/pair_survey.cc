#include "voigt/collision/pair_survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "voigt/collision/narrow_phase.h"
#include "voigt/model/surface.h"

namespace voigt {
namespace {

// The shapes of one kind, with or without a layer, of one material and filter, one for each piece
// of the model.
struct ShapeClass {
  struct Member {
    int body = 0, geometry = 0;
  };
  std::vector<Member> members;
  std::set<int> pieces;
};

std::vector<ShapeClass> CollectClasses(const Model& model, const CollisionFilter& filter) {
  using Masks = std::pair<std::uint64_t, std::uint64_t>;
  std::map<std::tuple<size_t, bool, const Material*, Masks>, ShapeClass> classes;
  for (int b = 0; b < model.nb(); ++b) {
    const Body& body = model.body(b);
    for (int g = body.first_geometry; g < body.first_geometry + body.geometry_count; ++g) {
      const Geometry& geometry = model.geometry()[g];
      ShapeClass& one = classes[{geometry.shape.index(), geometry.foundation.has_value(),
                                 &model.material(g), filter.masks(g)}];
      if (one.pieces.insert(filter.piece(g)).second) one.members.push_back({b, g});
    }
  }
  std::vector<ShapeClass> out;
  for (auto& [key, one] : classes) out.push_back(std::move(one));
  // The order of addresses is nobody's business.
  std::sort(out.begin(), out.end(), [](const ShapeClass& a, const ShapeClass& b) {
    return a.members[0].geometry < b.members[0].geometry;
  });
  return out;
}

using MemberPair = std::pair<ShapeClass::Member, ShapeClass::Member>;

// The search is short: only joints keep pieces apart, and there are few joints per piece.
std::optional<MemberPair> FindPairThatMayTouch(const ShapeClass& a, const ShapeClass& b,
                                               const CollisionFilter& filter) {
  if (!filter.GroupsAccept(a.members[0].geometry, b.members[0].geometry)) return std::nullopt;
  for (const auto& first : a.members) {
    for (const auto& second : b.members) {
      if (!filter.MayTouch(first.geometry, second.geometry)) continue;
      return first.geometry < second.geometry ? MemberPair(first, second)
                                              : MemberPair(second, first);
    }
  }
  return std::nullopt;
}

// Newton's restitution belongs to rigid contacts; where one side yields, its law tells how things
// bounce.
std::string DescribeUnusedRestitution(const Surface& A, const Surface& B,
                                      const Material& material_A, const Material& material_B,
                                      const PairRules& rules) {
  const double e = rules.pair != nullptr && rules.pair->restitution
                       ? *rules.pair->restitution
                       : std::max(A.restitution, B.restitution);
  if (e == 0 || CombineSurfaces(A, B, 1, rules).law == NormalLaw::kRigid) return "";
  return fmt::format(
      "restitution {} of materials '{}' and '{}' is unused: their contact has finite stiffness", e,
      material_A.name, material_B.name);
}

}  // namespace

std::string DescribeShape(const Model& model, int body, int geometry) {
  const Geometry& shape = model.geometry()[geometry];
  return fmt::format("{}{} of {}", ShapeName(shape.shape),
                     shape.name.empty() ? "" : " '" + shape.name + "'",
                     body == 0 ? "the world" : "body '" + model.body(body).name + "'");
}

PairSurvey SurveyPairs(const Model& model, const CollisionFilter& filter) {
  PairSurvey survey;
  std::set<std::pair<size_t, size_t>> unsupported;
  std::set<std::string> notices;
  const std::vector<ShapeClass> classes = CollectClasses(model, filter);
  for (size_t i = 0; i < classes.size(); ++i) {
    for (size_t j = i; j < classes.size(); ++j) {
      const auto pair = FindPairThatMayTouch(classes[i], classes[j], filter);
      if (!pair) continue;
      const auto& [A, B] = *pair;
      const Geometry &shape_A = model.geometry()[A.geometry],
                     &shape_B = model.geometry()[B.geometry];
      const PairKind kind = ClassifyPair(shape_A, shape_B);
      const std::string name_A = DescribeShape(model, A.body, A.geometry);
      const std::string name_B = DescribeShape(model, B.body, B.geometry);
      if (kind == PairKind::kUnsupported) {
        // Values: minmax of temporaries would return references to them.
        const std::pair<size_t, size_t> kinds =
            std::minmax({shape_A.shape.index(), shape_B.shape.index()});
        if (unsupported.insert(kinds).second) survey.unsupported.push_back({name_A, name_B});
      } else if (kind != PairKind::kNever) {
        // Any area will do, and elements have no radius.
        const Surface surface_A = MakeSurface(shape_A, model.material(A.geometry), 1);
        const Surface surface_B = MakeSurface(shape_B, model.material(B.geometry), 1);
        const PairRules rules = model.pair_rules(A.geometry, B.geometry);
        const bool has_layer = kind == PairKind::kLayer;
        std::optional<std::string> defect;
        if (!has_layer) defect = DescribePairDefect(surface_A, surface_B, 1, rules);
        if (!defect && (has_layer || !AlwaysHasRadius(shape_A.shape, shape_B.shape))) {
          defect = DescribePairDefect(surface_A, surface_B, kInfinity, rules);
        }
        if (!defect) {
          const std::string notice = DescribeUnusedRestitution(
              surface_A, surface_B, model.material(A.geometry), model.material(B.geometry), rules);
          if (!notice.empty() && notices.insert(notice).second) survey.notices.push_back(notice);
          continue;
        }
        survey.problems.Add(
            shape_B.where, fmt::format("contact of {} and {}", name_A, name_B),
            fmt::format("materials '{}' and '{}': {}", model.material(A.geometry).name,
                        model.material(B.geometry).name, *defect));
      }
    }
  }
  return survey;
}

}  // namespace voigt
