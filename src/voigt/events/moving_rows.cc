#include "voigt/events/moving_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "voigt/constraints/prescribed_joint.h"
#include "voigt/constraints/row_writer.h"

namespace voigt {
namespace {

// Spacings of samples, s. Each is good for functions that vary over some ten times as much, and the
// least leaves of a gap of 1 m a curvature to 1e-5 m/s². No two fit into a period of what one of
// them would take for something slower.
constexpr std::array<double, 4> kApart = {1.7e-5, 1.3e-4, 1.1e-3, 1e-2};

// Weights of f(t ± k e), k = 1 … 4, in f′ and f″ to order eight, and to order six.
constexpr std::array<double, 4> kRate = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
constexpr std::array<double, 4> kCurvature = {8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
constexpr std::array<double, 4> kRate6 = {3.0 / 4, -3.0 / 20, 1.0 / 60, 0};
constexpr std::array<double, 4> kCurvature6 = {3.0 / 2, -3.0 / 20, 1.0 / 90, 0};

// Estimated errors up to this part of what samples a spacing apart may tell.
constexpr double kClear = 1e-6;

void Write(const Constraint& constraint, const ConstraintContext& at, double t,
           VelocityProblem* out) {
  ConstraintContext then = at;
  then.t = t;
  out->pattern = &at.model.tree().pattern;
  out->ClearRows();
  RowWriter rows(at.model, at.kin, out);
  rows.SetConstraint(0);
  constraint.AddRows(then, &rows);
}

// Of a constraint on velocities, G v = v̂(t): its rows are written for the end of a step.
void WriteSpeeds(const Constraint& constraint, const ConstraintContext& at, double t,
                 VelocityProblem* out) {
  Write(constraint, at, t - at.h, out);
}

bool AsksForSpeed(const VelocityProblem& problem) {
  for (const RowGroup& group : problem.groups) {
    if (group.law != Law::kBilateral) continue;
    for (int r = 0; r < group.row_count; ++r) {
      if (problem.rows[group.first_row + r].v_hat != 0) return true;
    }
  }
  return false;
}

}  // namespace

bool MovingRows::MovesByItself(const Constraint& constraint, const ConstraintContext& at) {
  if (constraint.IsPrescribed()) return true;
  VelocityProblem now, later;
  if (!constraint.IsHolonomic()) {
    for (double t : {0.0, 0.37, 1.71}) {
      WriteSpeeds(constraint, at, t, &now);
      if (AsksForSpeed(now)) return true;
    }
    return false;
  }
  Write(constraint, at, 0, &now);
  for (double t : {0.37, 1.71}) {
    Write(constraint, at, t, &later);
    if (now.row_count() != later.row_count()) return true;
    for (int i = 0; i < now.row_count(); ++i) {
      // Gaps that are not defined at this configuration do not count.
      const bool moves = std::fabs(now.rows[i].phi - later.rows[i].phi) > 0;
      if (moves || std::fabs(now.rows[i].phi_t) > 0) return true;
    }
  }
  return false;
}

MovingRows::MovingRows(const Model& model) {
  const ConstraintSet constraints(model);
  const VecX q = model.NeutralCoordinates(), v = VecX::Zero(model.nv());
  Kinematics kin(model);
  UpdatePositions(model, q, &kin);
  UpdateVelocities(model, v, &kin);
  const VecX drive = VecX::Zero(model.actuator_count());
  ConstraintContext at{model, kin, q, v, 0, 1};
  at.drive = &drive;
  for (int c = 0; c < static_cast<int>(constraints.list().size()); ++c) {
    const Constraint& constraint = *constraints.list()[c];
    if (IsPrescribedInTree(model, constraint)) continue;
    if (MovesByItself(constraint, at)) moving_.push_back(c);
  }
}

// f′ and f″ of what was sampled with one spacing, if that is better than what is known. Errors are
// those of order six.
void MovingRows::Samples::Improve(double apart, RateEstimate* first, RateEstimate* second) const {
  constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
  double rate = 0, rate6 = 0, curvature = 0, curvature6 = 0, size = std::fabs(now), slope = 0;
  for (int k = 0; k < 4; ++k) {
    const double up = after[k] - now, down = before[k] - now;
    rate += kRate[k] * (up - down);
    rate6 += kRate6[k] * (up - down);
    curvature += kCurvature[k] * (up + down);
    curvature6 += kCurvature6[k] * (up + down);
    size = std::max({size, std::fabs(after[k]), std::fabs(before[k])});
    slope = std::max({slope, std::fabs(up) / (k + 1), std::fabs(down) / (k + 1)});
  }
  slope /= apart;
  const double noise = kRounding * size / apart;
  first->Take(rate / apart, std::fabs(rate - rate6) / apart + noise, kClear * slope + noise);
  const double apart2 = apart * apart;
  second->Take(curvature / apart2, std::fabs(curvature - curvature6) / apart2 + 2 * noise / apart,
               kClear * slope / (8 * apart) + 2 * noise / apart);
}

// By differences, of a constraint whose rows at a moment `write` gives: the best spacing for each.
void MovingRows::TakeDifferences(const Constraint& constraint, const ConstraintContext& at) {
  const bool has_gaps = constraint.IsHolonomic();
  const auto write = has_gaps ? Write : WriteSpeeds;
  const auto value = [has_gaps](const Row& row) { return has_gaps ? row.phi : -row.v_hat; };
  write(constraint, at, at.t, &now_);
  const int count = now_.row_count();
  estimates_.assign(count, {});
  for (const double apart : kApart) {
    samples_.assign(count, {});
    for (int i = 0; i < count; ++i) samples_[i].now = value(now_.rows[i]);
    // Rows that are not there at some moment leave NaN.
    const auto sample = [&](double t, int i) {
      if (i == 0) write(constraint, at, t, &there_);
      return there_.row_count() == count ? value(there_.rows[i]) : kNaN;
    };
    for (int k = 0; k < 4; ++k) {
      const double away = (k + 1) * apart;
      for (int i = 0; i < count; ++i) samples_[i].after[k] = sample(at.t + away, i);
      for (int i = 0; i < count; ++i) samples_[i].before[k] = sample(at.t - away, i);
    }
    for (int i = 0; i < count; ++i) {
      samples_[i].Improve(apart, &estimates_[i].first, &estimates_[i].second);
    }
  }
  for (int i = 0; i < count; ++i) {
    const auto& [first, second] = estimates_[i];
    if (has_gaps) {
      rates_.push_back({first.Get(), second.Get()});
    } else {
      rates_.push_back({value(now_.rows[i]), first.Get()});
    }
  }
}

void MovingRows::Update(const ConstraintSet& constraints, const ConstraintContext& at,
                        VelocityProblem* problem, VecX* phi_tt) {
  phi_tt->setZero(problem->row_count());
  unclear_ = 0;
  for (int c : moving_) {
    rates_.clear();
    if (!constraints.list()[c]->AddTimeRates(at, &rates_)) {
      TakeDifferences(*constraints.list()[c], at);
    }
    size_t i = 0;
    for (const RowGroup& group : problem->groups) {
      if (group.constraint != c) continue;
      // Its friction may follow.
      const size_t left = rates_.size() - i;
      const int count = std::min(group.row_count, static_cast<int>(left));
      for (int r = group.first_row; r < group.first_row + count; ++r, ++i) {
        problem->rows[r].phi_t = rates_[i].first;
        (*phi_tt)[r] = rates_[i].second;
        if (!std::isfinite(rates_[i].first + rates_[i].second)) unclear_ = group.id;
      }
    }
  }
}

}  // namespace voigt
