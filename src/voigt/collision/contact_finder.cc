#include "voigt/collision/contact_finder.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "voigt/base/check.h"
#include "voigt/collision/points_half_space.h"
#include "voigt/collision/sphere_half_space.h"
#include "voigt/collision/sphere_sphere.h"

namespace voigt {
namespace {

std::vector<Vec3> ListPoints(const Shape& shape) {
  if (const auto* points = std::get_if<ContactPoints>(&shape)) return points->positions;
  std::vector<Vec3> out;
  if (const auto* foundation = std::get_if<Foundation>(&shape)) {
    out.reserve(foundation->nx * foundation->ny);
    for (int k = 0; k < foundation->nx * foundation->ny; ++k) {
      out.push_back(ElementPosition(*foundation, k));
    }
  }
  return out;
}

// How far contact points are from the shape's origin; a sphere's turn does not move its surface.
double CalcReach(const std::vector<Vec3>& points) {
  double reach = 0;
  for (const Vec3& point : points) reach = std::max(reach, point.norm());
  return reach;
}

}  // namespace

ContactFinder::ContactFinder(const Model& model) : filter_(model) {
  PairSurvey survey = SurveyPairs(model, filter_);
  if (model.geometry().size() > static_cast<size_t>(kMaxGeometryCount)) {
    survey.problems.Add({}, "geometry",
                        fmt::format("{} shapes, contact has room for {}", model.geometry().size(),
                                    kMaxGeometryCount));
  }
  survey.problems.ThrowIfAny();
  unsupported_ = std::move(survey.unsupported);
  acceleration_ = std::max(model.gravity().norm(), model.spec().contact.acceleration);

  for (int b = 0; b < model.nb(); ++b) {
    const Body& body = model.body(b);
    for (int g = body.first_geometry; g < body.first_geometry + body.geometry_count; ++g) {
      const Geometry& geometry = model.geometry()[g];
      const Sphere* sphere = std::get_if<Sphere>(&geometry.shape);
      if (sphere != nullptr) spheres_.push_back(static_cast<int>(items_.size()));
      Item& item = items_.emplace_back();
      item.geometry = g;
      item.body = b;
      item.X_LG = model.tree().X_LB[b] * geometry.X_BG;
      if (sphere != nullptr) item.radius = sphere->radius;
      item.is_foundation = std::holds_alternative<Foundation>(geometry.shape);
      item.points = ListPoints(geometry.shape);
      item.reach = CalcReach(item.points);
    }
  }
  // Half-spaces reach everywhere: every pair with one is looked at in every step.
  for (const Item& half_space : items_) {
    if (!std::holds_alternative<HalfSpace>(model.geometry()[half_space.geometry].shape)) continue;
    for (const Item& other : items_) {
      const PairKind kind = ClassifyPair(model.geometry()[half_space.geometry].shape,
                                         model.geometry()[other.geometry].shape);
      if (kind != PairKind::kSphereHalfSpace && kind != PairKind::kPointsHalfSpace) continue;
      if (!filter_.MayTouch(half_space.body, other.body)) continue;
      half_space_pairs_.push_back({half_space.geometry, other.geometry});
    }
  }
  if (spheres_.size() < 2) spheres_.clear();
}

void ContactFinder::Find(const Model& model, const Kinematics& kin, double h) {
  VOIGT_CHECK(model.geometry().size() == items_.size());
  h_ = h;
  contacts_.clear();
  UpdateItems(kin);
  for (const HalfSpacePair& pair : half_space_pairs_) FindOnHalfSpace(pair);
  FindSpherePairs();
  const auto by_id = [](const Contact& a, const Contact& b) { return a.id < b.id; };
  if (!std::is_sorted(contacts_.begin(), contacts_.end(), by_id)) {
    std::sort(contacts_.begin(), contacts_.end(), by_id);
  }
}

void ContactFinder::UpdateItems(const Kinematics& kin) {
  double fastest = 0;
  for (Item& item : items_) {
    item.X_WG = kin.X_WL[item.body] * item.X_LG;
    const Vec6 V = CalcPointVelocity(kin, item.body, item.X_WG.p);
    fastest = std::max(fastest, V.tail<3>().norm() + item.reach * V.head<3>().norm());
  }
  margin_ = 2 * h_ * (fastest + h_ * acceleration_);
}

void ContactFinder::FindOnHalfSpace(const HalfSpacePair& pair) {
  const Item &half_space = items_[pair.half_space], &item = items_[pair.other];
  const Plane plane = MakePlane(half_space.X_WG);
  if (!item.points.empty()) {
    return FindPoints(item.is_foundation ? kInfinity : margin_, plane, half_space, item);
  }
  const ContactPoint point = CalcHalfSpaceSphere(plane, item.X_WG.p, item.radius);
  if (point.phi <= margin_) AddContact(half_space, item, 0, item.radius, point);
}

void ContactFinder::FindPoints(double margin, const Plane& plane, const Item& half_space,
                               const Item& item) {
  const int count = static_cast<int>(item.points.size());
  for (int k = 0; k < count; ++k) {
    const ContactPoint point = CalcHalfSpacePoint(plane, item.X_WG * item.points[k]);
    if (point.phi <= margin) AddContact(half_space, item, k, kInfinity, point);
  }
}

void ContactFinder::FindSpherePairs() {
  // Each box holds its sphere and half of the margin; the last term is for rounding.
  boxes_.resize(spheres_.size());
  for (size_t i = 0; i < spheres_.size(); ++i) {
    const Item& item = items_[spheres_[i]];
    const Vec3& center = item.X_WG.p;
    const double size = item.radius + 0.5 * margin_;
    const Vec3 reach = Vec3::Constant(size) + 1e-12 * (Vec3::Constant(size) + center.cwiseAbs());
    boxes_[i] = {center - reach, center + reach};
  }
  for (const auto& [i, j] : sweep_.FindPairs(boxes_)) {
    const Item &A = items_[spheres_[i]], &B = items_[spheres_[j]];
    if (!filter_.MayTouch(A.body, B.body)) continue;
    const ContactPoint point = CalcSphereSphere(A.X_WG.p, A.radius, B.X_WG.p, B.radius);
    if (point.phi > margin_) continue;
    AddContact(A, B, 0, A.radius * B.radius / (A.radius + B.radius), point);
  }
}

void ContactFinder::AddContact(const Item& first, const Item& second, int feature, double radius,
                               const ContactPoint& point) {
  const bool swap = second.geometry < first.geometry;
  const Item &A = swap ? second : first, &B = swap ? first : second;
  Contact& contact = contacts_.emplace_back();
  contact.id = MakeContactId(A.geometry, B.geometry, feature);
  contact.geometry_A = A.geometry;
  contact.geometry_B = B.geometry;
  contact.body_A = A.body;
  contact.body_B = B.body;
  contact.feature = feature;
  contact.radius = radius;
  contact.p_W = point.p_W;
  contact.n_W = swap ? Vec3(-point.n_W) : point.n_W;
  contact.phi = point.phi;
}

}  // namespace voigt
