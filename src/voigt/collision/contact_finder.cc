#include "voigt/collision/contact_finder.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "voigt/base/check.h"
#include "voigt/base/worker_pool.h"
#include "voigt/collision/points_half_space.h"
#include "voigt/math/extremes.h"

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

// Whether a body is where it is in all states. A body of the world's piece may also be held there
// by a joint that closes a loop, and then is where its coordinates say.
bool IsFixedInTree(const Tree& tree, int body) {
  while (body != 0 && tree.type[body] == JointType::kFixed) body = tree.parent[body];
  return body == 0;
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
  PlaceStatic(model);
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
      item.is_placed = IsFixedInTree(model.tree(), b);
      const auto* sphere = std::get_if<Sphere>(&shapes_.back().shape);
      item.radius = sphere != nullptr ? sphere->radius : shapes_.back().reach;
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
  VOIGT_CHECK(model.geometry().size() == items_.size());
}

void ContactFinder::PlaceStatic(const Model& model) {
  Kinematics kin(model);
  UpdatePositions(model, model.NeutralCoordinates(), &kin);
  for (size_t i = 0; i < items_.size(); ++i) {
    Item& item = items_[i];
    if (item.is_placed) {
      item.X_WG = kin.X_WL[item.body] * item.X_LG;
    } else {
      moving_.push_back(static_cast<int>(i));
    }
  }
  std::vector<char> is_placed;
  std::vector<AxisBox> boxes;
  for (int i : bounded_) {
    is_placed.push_back(items_[i].is_placed);
    if (items_[i].is_placed) {
      boxes.push_back(CalcBox(i));
    } else {
      moving_bounded_.push_back(i);
    }
  }
  sweep_.SetStatic(is_placed, boxes);
}

void ContactFinder::Start(const Model& model, const Kinematics& kin, double h, size_t threads) {
  VOIGT_CHECK(model.geometry().size() == items_.size());
  h_ = h;
  contacts_.clear();
  if (narrow_.size() < threads) narrow_.resize(threads);
  for (Narrow& narrow : narrow_) narrow.phase.Reset();
  UpdateItems(kin);
}

void ContactFinder::SortContacts() {
  const auto by_id = [](const Contact& a, const Contact& b) { return a.id < b.id; };
  if (!std::is_sorted(contacts_.begin(), contacts_.end(), by_id)) {
    std::sort(contacts_.begin(), contacts_.end(), by_id);
  }
}

void ContactFinder::Find(const Model& model, const Kinematics& kin, double h, WorkerPool* pool) {
  const size_t threads = pool != nullptr ? pool->thread_count() : 1;
  Start(model, kin, h, threads);
  UpdateBoxes();
  const std::vector<Pair>& boxes = sweep_.FindPairs(boxes_, 0.5 * margin_);
  if (threads > 1) {
    FindInParts(boxes, pool);
  } else {
    FindPart(boxes, 0, static_cast<int>(half_space_pairs_.size() + boxes.size()), &narrow_[0],
             &contacts_);
  }
  SortContacts();
}

// No boxes: shapes that are farther apart than the margin have no contacts in any case.
void ContactFinder::FindBetween(const Model& model, const Kinematics& kin, double h,
                                const std::vector<std::uint64_t>& ids) {
  Start(model, kin, h, 1);
  for (size_t k = 0; k < ids.size(); ++k) {
    if (!IsContactId(ids[k]) || (k > 0 && IsSamePair(ids[k - 1], ids[k]))) continue;
    const int a = GeometryA(ids[k]), b = GeometryB(ids[k]);
    if (IsHalfSpace(shapes_[a])) {
      FindOnHalfSpace({a, b}, &narrow_[0], &contacts_);
    } else if (IsHalfSpace(shapes_[b])) {
      FindOnHalfSpace({b, a}, &narrow_[0], &contacts_);
    } else {
      FindInBoxes(a, b, &narrow_[0], &contacts_);
    }
  }
  SortContacts();
}

void ContactFinder::FindOnly(const Model& model, const Kinematics& kin, double h,
                             const std::vector<std::uint64_t>& ids) {
  only_ = &ids;
  FindBetween(model, kin, h, ids);
  only_ = nullptr;
}

void ContactFinder::UpdateItems(const Kinematics& kin) {
  double fastest = 0;
  for (const int i : moving_) {
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

void ContactFinder::FindPart(const std::vector<Pair>& boxes, int first, int end, Narrow* narrow,
                             std::vector<Contact>* out) const {
  const int half_spaces = static_cast<int>(half_space_pairs_.size());
  for (int k = first; k < std::min(end, half_spaces); ++k) {
    FindOnHalfSpace(half_space_pairs_[k], narrow, out);
  }
  for (int k = std::max(first - half_spaces, 0); k < end - half_spaces; ++k) {
    FindInBoxes(bounded_[boxes[k].first], bounded_[boxes[k].second], narrow, out);
  }
}

// Each part has a list of its own; one after the other they are what one thread finds.
void ContactFinder::FindInParts(const std::vector<Pair>& boxes, WorkerPool* pool) {
  constexpr int kPartsPerThread = 8;  // pairs differ in what they take
  const long count = static_cast<long>(half_space_pairs_.size() + boxes.size());
  const long parts = std::min<long>(count, kPartsPerThread * pool->thread_count());
  if (static_cast<long>(parts_.size()) < parts) parts_.resize(parts);
  pool->Run(static_cast<int>(parts), [&](int part, int thread) {
    parts_[part].clear();
    FindPart(boxes, static_cast<int>(part * count / parts),
             static_cast<int>((part + 1) * count / parts), &narrow_[thread], &parts_[part]);
  });
  for (long part = 0; part < parts; ++part) {
    contacts_.insert(contacts_.end(), parts_[part].begin(), parts_[part].end());
  }
}

void ContactFinder::FindOnHalfSpace(const HalfSpacePair& pair, Narrow* narrow,
                                    std::vector<Contact>* out) const {
  const Item &half_space = items_[pair.half_space], &item = items_[pair.other];
  const CollisionShape& shape = shapes_[pair.other];
  double margin = margin_;
  if (half_space.turn_speed > 0) {
    const double arm = (item.X_WG.p - half_space.X_WG.p).norm() + shape.reach;
    margin += 2 * h_ * half_space.turn_speed * arm;
  }
  if (!shape.points.empty()) {
    return FindPoints(shape.is_foundation() ? kInfinity : margin, pair.half_space, pair.other,
                      narrow, out);
  }
  narrow->manifold.clear();
  narrow->phase.Collide(shapes_[pair.half_space], half_space.X_WG, shape, item.X_WG, margin,
                        &narrow->manifold);
  AddContacts(pair.half_space, pair.other, &narrow->manifold, out);
}

void ContactFinder::FindPoints(double margin, int half_space, int points, Narrow* narrow,
                               std::vector<Contact>* out) const {
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
  std::vector<double>& gaps = narrow->gaps;
  gaps.resize(count);
  double deepest = kInfinity;
  for (int k = 0; k < count; ++k) {
    gaps[k] = plane_G.n_W.dot(positions[k] - plane_G.p_W);
    if (!IsAskedFor(contact.id + k)) gaps[k] = kInfinity;
    deepest = Smaller(deepest, gaps[k]);
  }
  const auto is_near = [margin](double gap) { return gap <= margin && gap < kInfinity; };
  const size_t first = out->size();
  out->resize(first + std::count_if(gaps.begin(), gaps.end(), is_near), contact);
  const Mat3 into_plane = X_WG.R - plane.n_W * plane_G.n_W.transpose();
  const double shift = plane_G.n_W.dot(plane_G.p_W) + 0.5 * deepest;
  const Vec3 origin = X_WG.p + shift * plane.n_W;
  const double layer = layer_;
  Contact* next = out->data() + first;
  for (int k = 0; k < count; ++k) {
    const double gap = gaps[k];
    if (!is_near(gap)) continue;
    next->feature = k;
    next->id = contact.id + k;
    next->p_W = origin + into_plane * positions[k];
    next->phi = gap - layer;
    ++next;
  }
}

// The last term is for rounding.
AxisBox ContactFinder::CalcBox(int item) const {
  const AxisBox box = CalcBounds(shapes_[item], items_[item].X_WG);
  const Vec3 slack = 1e-12 * box.lower.cwiseAbs().cwiseMax(box.upper.cwiseAbs());
  return {box.lower - slack, box.upper + slack};
}

// Each box holds its shape and half of the margin.
void ContactFinder::UpdateBoxes() {
  boxes_.resize(moving_bounded_.size());
  const Vec3 reach = Vec3::Constant(0.5 * margin_);
  for (size_t k = 0; k < moving_bounded_.size(); ++k) {
    const AxisBox box = CalcBox(moving_bounded_[k]);
    boxes_[k] = {box.lower - reach, box.upper + reach};
  }
}

void ContactFinder::FindInBoxes(int a, int b, Narrow* narrow, std::vector<Contact>* out) const {
  // Neighbours across an edge or a corner have boxes that overlap, too; the last factor is for
  // rounding.
  const Item &item_A = items_[a], &item_B = items_[b];
  const double reach = item_A.radius + item_B.radius + margin_;
  const double apart_2 = (item_B.X_WG.p - item_A.X_WG.p).squaredNorm();
  if (apart_2 > reach * reach * (1 + 1e-12) || !filter_.MayTouch(a, b)) return;
  narrow->manifold.clear();
  narrow->phase.Collide(shapes_[a], item_A.X_WG, shapes_[b], item_B.X_WG, margin_,
                        &narrow->manifold);
  if (!narrow->manifold.empty()) AddContacts(a, b, &narrow->manifold, out);
}

Contact ContactFinder::StartContact(int a, int b) const {
  Contact contact;
  contact.geometry_A = std::min(a, b);
  contact.geometry_B = std::max(a, b);
  contact.body_A = items_[contact.geometry_A].body;
  contact.body_B = items_[contact.geometry_B].body;
  return contact;
}

void ContactFinder::AddContacts(int a, int b, Manifold* manifold, std::vector<Contact>* out) const {
  const bool swap = b < a;
  if (only_ != nullptr) {
    std::erase_if(*manifold, [&](const ManifoldPoint& point) {
      return !IsAskedFor(MakeContactId(std::min(a, b), std::max(a, b), point.feature));
    });
  }
  LevelManifold(manifold);
  // Most contacts come in the order of their ids, and need not be sorted in the end.
  const auto by_feature = [](const ManifoldPoint& x, const ManifoldPoint& y) {
    return x.feature < y.feature;
  };
  if (!std::is_sorted(manifold->begin(), manifold->end(), by_feature)) {
    std::sort(manifold->begin(), manifold->end(), by_feature);
  }
  for (const ManifoldPoint& point : *manifold) {
    Contact& contact = out->emplace_back(StartContact(a, b));
    contact.id = MakeContactId(contact.geometry_A, contact.geometry_B, point.feature);
    contact.feature = point.feature;
    contact.radius = point.radius;
    contact.ratio = point.ratio;
    contact.area = point.area;
    contact.p_W = point.p_W;
    contact.n_W = swap ? Vec3(-point.n_W) : point.n_W;
    contact.phi = point.phi - layer_;
  }
}

}  // namespace voigt
