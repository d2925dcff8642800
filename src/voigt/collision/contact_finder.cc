#include "voigt/collision/contact_finder.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "voigt/base/check.h"
#include "voigt/collision/points_half_space.h"

namespace voigt {
namespace {

void CheckCount(const Model& model, ProblemList* problems) {
  const size_t count = model.geometry().size();
  if (count <= static_cast<size_t>(kMaxGeometryCount)) return;
  problems->Add({}, "geometry",
                fmt::format("{} shapes, contact has room for {}", count, kMaxGeometryCount));
}

bool IsHalfSpace(const CollisionShape& shape) {
  return std::holds_alternative<HalfSpace>(shape.shape);
}

}  // namespace

ContactFinder::ContactFinder(const Model& model) : filter_(model) {
  PairSurvey survey = SurveyPairs(model, filter_);
  CheckCount(model, &survey.problems);
  survey.problems.ThrowIfAny();
  unsupported_ = std::move(survey.unsupported);
  acceleration_ = std::max(model.gravity().norm(), model.spec().contact.acceleration);
  layer_ = model.spec().contact.layer;
  AddItems(model);
  ListPairs(model);
}

void ContactFinder::AddItems(const Model& model) {
  ProblemList problems;
  const bool has_layers =
      std::any_of(model.geometry().begin(), model.geometry().end(),
                  [](const Geometry& geometry) { return geometry.foundation.has_value(); });
  for (int b = 0; b < model.nb(); ++b) {
    const Body& body = model.body(b);
    for (int g = body.first_geometry; g < body.first_geometry + body.geometry_count; ++g) {
      const Geometry& geometry = model.geometry()[g];
      std::string defect;
      auto shape = has_layers ? MakeCollisionShapeWithLayer(geometry, &defect)
                              : MakeCollisionShape(geometry.shape, &defect);
      if (!shape) {
        problems.Add(geometry.where, DescribeShape(model, b, g), defect);
        continue;
      }
      shapes_.push_back(std::move(*shape));
      Item& item = items_.emplace_back();
      item.body = b;
      item.is_static = filter_.piece(g) == 0;
      item.X_LG = model.tree().X_LB[b] * geometry.X_BG;
    }
  }
  problems.ThrowIfAny();
}

void ContactFinder::ListPairs(const Model& model) {
  const int count = static_cast<int>(items_.size());
  for (int i = 0; i < count; ++i) {
    if (!IsHalfSpace(shapes_[i])) {
      if (IsSolid(shapes_[i].shape)) bounded_.push_back(i);
      continue;
    }
    for (int j = 0; j < count; ++j) {
      const PairKind kind = ClassifyPair(shapes_[i].shape, shapes_[j].shape);
      if (kind == PairKind::kNever || kind == PairKind::kUnsupported) continue;
      if (filter_.MayTouch(i, j)) half_space_pairs_.push_back({i, j});
    }
  }
  const bool all_static =
      std::all_of(bounded_.begin(), bounded_.end(), [&](int i) { return items_[i].is_static; });
  if (all_static || bounded_.size() < 2) bounded_.clear();
  for (int i : bounded_) is_static_.push_back(items_[i].is_static);
  VOIGT_CHECK(model.geometry().size() == items_.size());
}

void ContactFinder::Find(const Model& model, const Kinematics& kin, double h) {
  VOIGT_CHECK(model.geometry().size() == items_.size());
  h_ = h;
  contacts_.clear();
  narrow_phase_.Reset();
  UpdateItems(kin);
  for (const HalfSpacePair& pair : half_space_pairs_) FindOnHalfSpace(pair);
  FindPairsOfBoxes();
  const auto by_id = [](const Contact& a, const Contact& b) { return a.id < b.id; };
  if (!std::is_sorted(contacts_.begin(), contacts_.end(), by_id)) {
    std::sort(contacts_.begin(), contacts_.end(), by_id);
  }
}

void ContactFinder::UpdateItems(const Kinematics& kin) {
  double fastest = 0;
  for (size_t i = 0; i < items_.size(); ++i) {
    Item& item = items_[i];
    item.X_WG = kin.X_WL[item.body] * item.X_LG;
    if (item.is_static) continue;
    const Vec6 V = CalcPointVelocity(kin, item.body, item.X_WG.p);
    item.turn_speed = V.head<3>().norm();
    // Where a half-space is met depends on the other shape: FindOnHalfSpace.
    const double reach = shapes_[i].is_bounded() ? shapes_[i].reach : 0;
    fastest = std::max(fastest, V.tail<3>().norm() + reach * item.turn_speed);
  }
  margin_ = 2 * h_ * (fastest + h_ * acceleration_) + layer_;
}

void ContactFinder::FindOnHalfSpace(const HalfSpacePair& pair) {
  const Item &half_space = items_[pair.half_space], &item = items_[pair.other];
  const CollisionShape& shape = shapes_[pair.other];
  double margin = margin_;
  if (half_space.turn_speed > 0) {
    const double arm = (item.X_WG.p - half_space.X_WG.p).norm() + shape.reach;
    margin += 2 * h_ * half_space.turn_speed * arm;
  }
  if (!shape.points.empty()) {
    return FindPoints(shape.is_foundation() ? kInfinity : margin, pair.half_space, pair.other);
  }
  manifold_.clear();
  narrow_phase_.Collide(shapes_[pair.half_space], half_space.X_WG, shape, item.X_WG, margin,
                        &manifold_);
  AddContacts(pair.half_space, pair.other);
}

void ContactFinder::FindPoints(double margin, int half_space, int points) {
  const Plane plane = MakePlane(items_[half_space].X_WG);
  const Pose X_WG = items_[points].X_WG;
  const std::vector<Vec3>& positions = shapes_[points].points;
  Contact contact = StartContact(half_space, points);
  contact.n_W = points < half_space ? Vec3(-plane.n_W) : plane.n_W;
  contact.id = MakeContactId(contact.geometry_A, contact.geometry_B, 0);
  const auto* foundation = std::get_if<Foundation>(&shapes_[points].shape);
  if (foundation != nullptr) contact.area = ElementArea(*foundation);
  // Gaps first: the points go into one plane, midway at the deepest, as LevelManifold has it.
  const Plane plane_G{X_WG.R.transpose() * (plane.p_W - X_WG.p), X_WG.R.transpose() * plane.n_W};
  const int count = static_cast<int>(positions.size());
  gaps_.resize(count);
  double deepest = kInfinity;
  for (int k = 0; k < count; ++k) {
    gaps_[k] = plane_G.n_W.dot(positions[k] - plane_G.p_W);
    deepest = std::fmin(deepest, gaps_[k]);
  }
  const auto is_near = [margin](double gap) { return gap <= margin; };
  const size_t first = contacts_.size();
  contacts_.resize(first + std::count_if(gaps_.begin(), gaps_.end(), is_near), contact);
  const Mat3 into_plane = X_WG.R - plane.n_W * plane_G.n_W.transpose();
  const double shift = plane_G.n_W.dot(plane_G.p_W) + 0.5 * deepest;
  const Vec3 origin = X_WG.p + shift * plane.n_W;
  const double layer = layer_;
  Contact* next = contacts_.data() + first;
  for (int k = 0; k < count; ++k) {
    const double gap = gaps_[k];
    if (!is_near(gap)) continue;
    next->feature = k;
    next->id = contact.id + k;
    next->p_W = origin + into_plane * positions[k];
    next->phi = gap - layer;
    ++next;
  }
}

void ContactFinder::UpdateBoxes() {
  // Each box holds its shape and half of the margin; the last term is for rounding.
  boxes_.resize(bounded_.size());
  for (size_t i = 0; i < bounded_.size(); ++i) {
    AxisBox box = CalcBounds(shapes_[bounded_[i]], items_[bounded_[i]].X_WG);
    const Vec3 size = box.lower.cwiseAbs().cwiseMax(box.upper.cwiseAbs());
    const Vec3 reach = Vec3::Constant(0.5 * margin_) + 1e-12 * size;
    boxes_[i] = {box.lower - reach, box.upper + reach};
  }
}

void ContactFinder::FindPairsOfBoxes() {
  UpdateBoxes();
  for (const auto& [i, j] : sweep_.FindPairs(boxes_, is_static_)) {
    const int a = bounded_[i], b = bounded_[j];
    if (!filter_.MayTouch(a, b)) continue;
    manifold_.clear();
    narrow_phase_.Collide(shapes_[a], items_[a].X_WG, shapes_[b], items_[b].X_WG, margin_,
                          &manifold_);
    AddContacts(a, b);
  }
}

Contact ContactFinder::StartContact(int a, int b) const {
  Contact contact;
  contact.geometry_A = std::min(a, b);
  contact.geometry_B = std::max(a, b);
  contact.body_A = items_[contact.geometry_A].body;
  contact.body_B = items_[contact.geometry_B].body;
  return contact;
}

void ContactFinder::AddContacts(int a, int b) {
  const bool swap = b < a;
  LevelManifold(&manifold_);
  // Most contacts come in the order of their ids, and need not be sorted in the end.
  const auto by_feature = [](const ManifoldPoint& x, const ManifoldPoint& y) {
    return x.feature < y.feature;
  };
  if (!std::is_sorted(manifold_.begin(), manifold_.end(), by_feature)) {
    std::sort(manifold_.begin(), manifold_.end(), by_feature);
  }
  for (const ManifoldPoint& point : manifold_) {
    Contact& contact = contacts_.emplace_back(StartContact(a, b));
    contact.id = MakeContactId(contact.geometry_A, contact.geometry_B, point.feature);
    contact.feature = point.feature;
    contact.radius = point.radius;
    contact.area = point.area;
    contact.p_W = point.p_W;
    contact.n_W = swap ? Vec3(-point.n_W) : point.n_W;
    contact.phi = point.phi - layer_;
  }
}

}  // namespace voigt
