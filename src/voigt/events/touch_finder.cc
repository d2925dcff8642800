#include "voigt/events/touch_finder.h"

#include <algorithm>
#include <cmath>

#include "voigt/constraints/contact_rows.h"
#include "voigt/constraints/row_writer.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

// Whether N is the multiplier of the constraint's one row, with a force of one.
bool IsNormalOfRow(const FrictionRows& rows) {
  return rows.P.isIdentity(0) && rows.P_m.isZero(0) && rows.of_row.isZero(0) && rows.own.isZero(0);
}

}  // namespace

TouchFinder::TouchFinder(const Model& model)
    : model_(&model), kin_(model), contacts_(model), constraints_(model), moving_(model) {}

void TouchFinder::Update(double t, const VecX& q, const VecX& v, double h,
                         const std::vector<std::uint64_t>* only) {
  UpdatePositions(*model_, q, &kin_);
  UpdateVelocities(*model_, v, &kin_);
  problem_.h = 1;
  problem_.pattern = &model_->tree().pattern;
  problem_.ClearRows();
  touches_.clear();
  bilateral_.clear();
  guides_.clear();
  known_guides_.clear();
  known_.clear();
  known_limits_.clear();
  wrenches_.clear();
  const ConstraintContext at{*model_, kin_, q, v, t, 1};
  constraints_.AddRows(at, &problem_, wrench_list());
  ListConstraints();
  AddGuides(at);
  if (only == nullptr) {
    contacts_.Find(*model_, kin_, h);
  } else {
    contacts_.FindOnly(*model_, kin_, h, *only);
  }
  inexact_ += contacts_.inexact_count();
  AddContacts();
  if (moving_.any()) {
    phi_tt_.setZero(problem_.row_count());
    for (Row& row : problem_.rows) row.phi_t = 0;
    if (!is_still_) moving_.Update(constraints_, at, &problem_, &phi_tt_);
  }
  SetRates(v);
}

// Motions that are prescribed are known, and hold of themselves.
bool TouchFinder::IsPrescribed(const RowGroup& group) const {
  if (prescribed_.empty() || group.col_count == 0) return false;
  const auto cols = problem_.cols_of(group);
  return std::all_of(cols.begin(), cols.end(), [&](int col) { return prescribed_[col] != 0; });
}

// What constraints ask for in time stepping is forgotten: here they hold.
void TouchFinder::ListConstraints() {
  for (const RowGroup& group : problem_.groups) {
    const bool is_known = IsPrescribed(group);
    for (int i = group.first_row; i < group.first_row + group.row_count; ++i) {
      if (is_known && group.law == Law::kBilateral) known_.push_back(i);
      if (is_known && group.law == Law::kUnilateral) known_limits_.push_back(i);
      if (is_known) continue;
      Row& row = problem_.rows[i];
      row.v_hat = row.v_hat_slope = row.R = 0;
      if (group.law == Law::kBilateral) {
        bilateral_.push_back(i);
      } else if (group.law == Law::kUnilateral) {
        Touch& touch = touches_.emplace_back();
        touch.id = group.id;
        touch.phi = row.phi;
        touch.normal = i;
      }
    }
  }
}

void TouchFinder::TakePrescribed(const VecX& v) {
  if (prescribed_.empty()) return;
  for (RowGroup& group : problem_.groups) {
    if (IsPrescribed(group)) {
      group.col_count = 0;
      for (int r = 0; r < group.row_count; ++r) problem_.rows[group.first_row + r].phi_t = 0;
      continue;
    }
    const auto cols = problem_.cols_of(group);
    for (int i = 0; i < group.row_count * group.col_count; ++i) {
      const int col = cols[i % group.col_count];
      if (!prescribed_[col]) continue;
      double& entry = problem_.G[group.first_entry + i];
      problem_.rows[group.first_row + i / group.col_count].phi_t += entry * v[col];
      entry = 0;
    }
  }
}

void TouchFinder::AddGuides(const ConstraintContext& at) {
  if (!constraints_.has_reaction_friction()) return;
  const size_t first = problem_.groups.size();
  friction_.clear();
  constraints_.AddFriction(at, &problem_, &wrenches_, &friction_);
  for (size_t k = 0; k < friction_.size(); ++k) {
    const RowGroup& group = problem_.groups[first + k];
    Guide& guide = (IsPrescribed(group) ? known_guides_ : guides_).emplace_back();
    guide.id = group.id;
    guide.rows = friction_[k];
    const std::uint64_t normal = group.id & ~ConstraintSet::kFrictionId;
    if (friction_[k].body < 0 && friction_[k].loop < 0 && Find(normal) != nullptr) {
      guide.normal_touch = normal;
      guide.is_of_row = IsNormalOfRow(friction_[k]);
    }
  }
}

void TouchFinder::AddContacts() {
  RowWriter rows(*model_, kin_, &problem_, wrench_list());
  rows.SetConstraint(kContactGroup);
  for (const Contact& contact : contacts_.contacts()) {
    const SurfacePair pair = CombineSides(*model_, contact);
    const bool has_tangents = pair.static_friction > 0 || pair.viscous_friction > 0;
    RowGroup& group = rows.BeginOnBodies(has_tangents ? Law::kContact : Law::kUnilateral,
                                         contact.body_A, contact.body_B);
    group.id = contact.id;
    group.mu = pair.friction;
    Touch& touch = touches_.emplace_back();
    touch.id = contact.id;
    touch.is_known = IsPrescribed(group);
    touch.phi = contact.phi;
    touch.normal = problem_.row_count();
    touch.group = static_cast<int>(problem_.groups.size()) - 1;
    touch.mu = touch.mu_kinetic = pair.friction;
    touch.drop_speed = pair.drop_speed;
    touch.mu_static = pair.static_friction;
    touch.viscous = pair.viscous_friction;
    touch.restitution = pair.restitution;
    touch.soft = SoftNormal::Make(pair);
    // Bodies that fall side by side touch and part by rounding: those that yield are closed from an
    // overlap on that is none.
    constexpr double kRounding = 1e-15;
    if (touch.is_soft()) touch.phi += kRounding * (1 + contact.p_W.norm());
    rows.AddWrench(contact.phi, contact.p_W, Vec3::Zero(), contact.n_W);
    if (!has_tangents) continue;
    touch.tangent = problem_.row_count();
    const Mat3 frame = RotationWithZ(contact.n_W);
    touch.t1 = frame.col(0);
    touch.t2 = frame.col(1);
    rows.AddWrench(0, contact.p_W, Vec3::Zero(), touch.t1);
    rows.AddWrench(0, contact.p_W, Vec3::Zero(), touch.t2);
  }
}

void TouchFinder::ListContacts(std::vector<Contact>* out) const {
  out->clear();
  for (const Contact& contact : contacts_.contacts()) {
    if (Find(contact.id) != nullptr) out->push_back(contact);
  }
}

void TouchFinder::SetRates(const VecX& v) {
  problem_.Multiply(v, &rates_);
  if (moving_.any()) {
    for (int i = 0; i < problem_.row_count(); ++i) rates_[i] += problem_.rows[i].phi_t;
  }
  for (Touch& touch : touches_) {
    touch.phi_dot = rates_[touch.normal];
    if (touch.is_soft()) touch.push = touch.soft.CalcForce(touch.phi, touch.phi_dot);
    if (touch.tangent < 0) continue;
    touch.slip = rates_[touch.tangent] * touch.t1 + rates_[touch.tangent + 1] * touch.t2;
    if (touch.drop_speed == 0) continue;
    touch.mu =
        CalcSlidingFriction(touch.mu_kinetic, touch.mu_static, touch.drop_speed, touch.slip.norm());
    problem_.groups[touch.group].mu = touch.mu;
  }
  SetGuideRates(&guides_);
  SetGuideRates(&known_guides_);
}

void TouchFinder::SetGuideRates(std::vector<Guide>* guides) const {
  for (Guide& guide : *guides) {
    const FrictionRows& rows = guide.rows;
    guide.rate.head(rows.row_count) = rates_.segment(rows.first_row, rows.row_count);
    guide.mu_static = rows.lever * rows.law.mu_static;
    guide.mu_sliding = rows.lever * rows.law.CalcSliding(rows.lever * guide.rate.norm());
  }
}

double TouchFinder::CalcContradiction(std::uint64_t* id, bool of_all) const {
  double worst = 0;
  const auto consider = [&](int row, double size) {
    if (!(size > worst)) return;
    worst = size;
    for (const RowGroup& group : problem_.groups) {
      if (row >= group.first_row && row < group.first_row + group.row_count) *id = group.id;
    }
  };
  for (int row : known_) consider(row, std::fabs(problem_.rows[row].phi));
  if (of_all) {
    for (int row : bilateral_) consider(row, std::fabs(problem_.rows[row].phi));
  }
  for (int row : known_limits_) consider(row, -problem_.rows[row].phi);
  return worst;
}

const Guide* TouchFinder::FindGuide(std::uint64_t id) const {
  const auto at =
      std::lower_bound(guides_.begin(), guides_.end(), id,
                       [](const Guide& guide, std::uint64_t x) { return guide.id < x; });
  return at != guides_.end() && at->id == id ? &*at : nullptr;
}

const Touch* TouchFinder::Find(std::uint64_t id) const {
  // Ids of limits ascend with their constraints, and those of contacts are larger.
  const auto at =
      std::lower_bound(touches_.begin(), touches_.end(), id,
                       [](const Touch& touch, std::uint64_t x) { return touch.id < x; });
  return at != touches_.end() && at->id == id ? &*at : nullptr;
}

}  // namespace voigt
