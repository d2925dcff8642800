#include "voigt/events/moving_rows.h"

#include <array>
#include <cmath>

#include "voigt/constraints/prescribed_joint.h"
#include "voigt/constraints/row_writer.h"

namespace voigt {
namespace {

constexpr double kApart = 0.01;  // s

// Weights of f(t ± k kApart), k = 1 … 4, in f′ and f″.
constexpr std::array<double, 4> kRate = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
constexpr std::array<double, 4> kCurvature = {8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};

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

void MovingRows::Update(const ConstraintSet& constraints, const ConstraintContext& at,
                        VelocityProblem* problem, VecX* phi_tt) {
  phi_tt->setZero(problem->row_count());
  for (int c : moving_) {
    const Constraint& constraint = *constraints.list()[c];
    // φ_t of gaps, or −v̂ of rows on velocities.
    const bool has_gaps = constraint.IsHolonomic();
    const auto write = has_gaps ? Write : WriteSpeeds;
    write(constraint, at, at.t, &now_);
    const int count = now_.row_count();
    sums_.assign(count, {0, 0});
    for (int k = 1; k <= 4; ++k) {
      for (const int side : {-1, 1}) {
        write(constraint, at, at.t + side * k * kApart, &there_);
        for (int i = 0; i < count; ++i) {
          if (!has_gaps) {
            const double change = there_.rows[i].v_hat - now_.rows[i].v_hat;
            sums_[i].second -= side * kRate[k - 1] * kApart * change;
            continue;
          }
          const double change = there_.rows[i].phi - now_.rows[i].phi;
          sums_[i].first += side * kRate[k - 1] * change;
          sums_[i].second += kCurvature[k - 1] * change;
        }
      }
    }
    int i = 0;
    for (const RowGroup& group : problem->groups) {
      if (group.constraint != c) continue;
      for (int r = group.first_row; r < group.first_row + group.row_count && i < count; ++r, ++i) {
        problem->rows[r].phi_t = has_gaps ? sums_[i].first / kApart : -now_.rows[i].v_hat;
        (*phi_tt)[r] = sums_[i].second / (kApart * kApart);
      }
    }
  }
}

}  // namespace voigt
