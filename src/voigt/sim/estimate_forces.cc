#include "voigt/sim/estimate_forces.h"

#include "voigt/constraints/contact_rows.h"

namespace voigt {
namespace {

// Constraints ask for the length of a step; no force that is estimated depends on it.
constexpr double kStep = 1e-3;

// With the cone as it is, the program is convex: nothing slides in terms of accelerations that are
// explained, so that friction has no direction to follow.
CompliantSettings Settings() {
  CompliantSettings settings;
  settings.friction = FrictionMode::kCone;
  settings.tolerance = settings.aim;  // forces are told, not motion
  return settings;
}

// A rigid row of forces, within its bounds if it has any.
void MakeRigid(Row* row) {
  Row rigid;
  rigid.phi = row->phi;
  rigid.lower = row->lower / kStep;
  rigid.upper = row->upper / kStep;
  rigid.angular = row->angular;
  *row = rigid;
}

// Dampers give what the rates make of them.
void PrescribeDampers(const VecX& v, RowGroup* group, VelocityProblem* problem) {
  group->law = Law::kBounded;
  for (int r = 0; r < group->row_count; ++r) {
    Row& row = problem->rows[group->first_row + r];
    double rate = row.phi_t;
    for (int k = 0; k < group->col_count; ++k) {
      rate += problem->entries(*group, r)[k] * v[problem->cols_of(*group)[k]];
    }
    const double force = -rate / (kStep * row.R);
    row = {};
    row.lower = row.upper = force;
  }
}

}  // namespace

ForceEstimator::ForceEstimator(const Model& model, double touch)
    : model_(&model),
      touch_(touch),
      configuration_(model),
      equations_(model),
      constraints_(model),
      contacts_(model),
      compliant_(Settings()),
      free_(VecX::Zero(model.nv())) {}

void ForceEstimator::AddRows(const State& state) {
  problem_.ClearRows();
  ConstraintContext at{*model_, configuration_.kin(), state.q, state.v, state.t, kStep};
  at.drive = &equations_.drive();
  constraints_.AddRows(at, &problem_);
  contacts_.Find(*model_, configuration_.kin(), kStep);
  // Memory, even of nothing, tells that a contact is closed.
  closed_.clear();
  for (const Contact& contact : contacts_.contacts()) {
    if (contact.phi <= touch_) closed_.emplace_back().id = contact.id;
  }
  AddContactRows(at, contacts_.contacts(), closed_, &problem_);
  for (RowGroup& group : problem_.groups) {
    if (group.constraint == kViscousGroup) {
      PrescribeDampers(state.v, &group, &problem_);
      continue;
    }
    group.force_law = {};
    const bool is_contact = group.law == Law::kContact, only_pushes = group.law == Law::kUnilateral;
    const bool is_open = is_contact && problem_.rows[group.first_row].phi > touch_;
    for (int r = group.first_row; r < group.first_row + group.row_count; ++r) {
      Row& row = problem_.rows[r];
      MakeRigid(&row);
      if (only_pushes) row.upper = row.phi > touch_ ? 0 : kInfinity;
    }
    // What is open has no force, and keeps its rows.
    if (is_open || only_pushes) group.law = Law::kBounded;
  }
}

bool ForceEstimator::Update(const State& state, const VecX& v_dot) {
  if (!state.IsFinite() || !v_dot.allFinite()) return false;
  if (!configuration_.Update(*model_, state.q)) return false;
  configuration_.SetRates(*model_, state.v);
  equations_.SetInputs(state.inputs, state.activation);
  equations_.CalcAcceleration(state.t, state.q, state.v, &free_);

  // Impulses are forces here and velocities accelerations, relative to v̇, in a step of unit length.
  problem_.h = 1;
  problem_.pattern = &model_->tree().pattern;
  problem_.M = &configuration_.M();
  problem_.factor = &configuration_.factor();
  problem_.v_star = free_ - v_dot;
  AddRows(state);
  compliant_.Solve(problem_, VecX(), &solution_);
  if (solution_.status == SolveStatus::kFailed) return false;
  lambda_ = solution_.gamma;
  unexplained_ = -solution_.v1;
  return true;
}

}  // namespace voigt
