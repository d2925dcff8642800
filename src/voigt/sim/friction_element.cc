#include "voigt/sim/friction_element.h"

#include <fmt/format.h>

#include "voigt/collision/contact.h"
#include "voigt/constraints/constraint_set.h"

namespace voigt {

std::string NameShape(const Model& model, int g) {
  const Geometry& shape = model.geometry()[g];
  if (!shape.name.empty()) return shape.name;
  for (int b = 1; b < model.nb(); ++b) {
    const Body& body = model.body(b);
    const int first = body.first_geometry;
    if (g >= first && g < first + body.geometry_count) return body.name;
  }
  return "world";
}

std::string NameContact(std::string_view side_A, std::string_view side_B, int feature) {
  return fmt::format("{} and {}, point {}", side_A, side_B, feature);
}

std::string NamePair(const Model& model, std::uint64_t id) {
  return fmt::format("{} and {}", NameShape(model, GeometryA(id)), NameShape(model, GeometryB(id)));
}

FrictionNames::FrictionNames(const Model& model) {
  const ConstraintSet constraints(model);
  for (const auto& constraint : constraints.list()) {
    constraints_.push_back(constraint->name());
    const bool rubs = constraint->HasReactionFriction();
    guide_of_.push_back(rubs ? static_cast<int>(guides_.size()) : -1);
    if (rubs) guides_.push_back(constraint->name());
  }
}

FrictionElementName FrictionNames::Find(const Model& model, std::uint64_t id) const {
  FrictionElementName out;
  if (IsContactId(id)) {
    out.geometry_A = GeometryA(id);
    out.geometry_B = GeometryB(id);
    out.feature = FeatureOf(id);
    const int count = static_cast<int>(model.geometry().size());
    if (out.geometry_A >= count || out.geometry_B >= count) return out;
    out.text = NameContact(NameShape(model, out.geometry_A), NameShape(model, out.geometry_B),
                           out.feature);
    return out;
  }
  const auto constraint = static_cast<std::int64_t>(id >> 32) - 1;
  if (constraint < 0 || constraint >= static_cast<std::int64_t>(guide_of_.size())) return out;
  out.guide = guide_of_[constraint];
  if (out.guide >= 0) out.text = guides_[out.guide];
  return out;
}

std::string FrictionNames::Describe(const Model& model, std::uint64_t id) const {
  if (IsContactId(id)) return "the contact of " + Find(model, id).text;
  const auto constraint = static_cast<std::int64_t>(id >> 32) - 1;
  const bool is_known =
      constraint >= 0 && constraint < static_cast<std::int64_t>(constraints_.size());
  return is_known ? constraints_[constraint] : "";
}

}  // namespace voigt
