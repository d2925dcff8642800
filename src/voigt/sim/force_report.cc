#include "voigt/sim/force_report.h"

#include <utility>

#include "voigt/constraints/rows_at.h"

namespace voigt {
namespace {

bool IsDrive(const Constraint& constraint) {
  const auto line = constraint.energy_line();
  return line == EnergyLine::kMotors || line == EnergyLine::kServos ||
         line == EnergyLine::kActuators;
}

// Calls visit(group, the number of the group's first row among those of its constraint).
template <typename Visit>
void ForEachGroup(const VelocityProblem& problem, Visit visit) {
  int constraint = -1, row = 0;
  for (const RowGroup& group : problem.groups) {
    if (group.constraint < 0 || (group.id & ConstraintSet::kFrictionId) != 0) continue;
    if (group.constraint != constraint) row = 0;
    constraint = group.constraint;
    visit(group, row);
    row += group.row_count;
  }
}

// `force` is per row of the problem, h times what it is called.
void ReadRows(const ConstraintSet& constraints, const VelocityProblem& problem, const VecX& force,
              double h, ForceReport* out) {
  out->constraints.clear();
  ForEachGroup(problem, [&](const RowGroup& group, int row) {
    const bool is_drive = IsDrive(*constraints.list()[group.constraint]);
    const auto cols = problem.cols_of(group);
    for (int r = 0; r < group.row_count; ++r) {
      const int i = group.first_row + r;
      const double f = force[i] / h;
      out->constraints.push_back({group.constraint, row + r, problem.rows[i].angular, f});
      if (!is_drive) continue;
      const double* const G = problem.entries(group, r);
      for (int c = 0; c < group.col_count; ++c) out->drive_force[cols[c]] += f * G[c];
    }
  });
}

}  // namespace

void ForceReport::Clear(const Model& model) {
  is_known = false;
  acceleration.setConstant(model.nv(), kNaN);
  drive_force.setConstant(model.nv(), kNaN);
  constraints.clear();
}

std::vector<ConstraintForce> ListConstraintRows(const Model& model,
                                                const ConstraintSet& constraints) {
  const VelocityProblem problem = ListRowsAt(model, constraints, model.NeutralCoordinates());
  const auto end =
      static_cast<int>(constraints.list().size() - model.spec().user_constraints.size());
  std::vector<ConstraintForce> out;
  ForEachGroup(problem, [&](const RowGroup& group, int row) {
    if (group.constraint >= end) return;
    for (int r = 0; r < group.row_count; ++r) {
      out.push_back({group.constraint, row + r, problem.rows[group.first_row + r].angular, kNaN});
    }
  });
  return out;
}

void ReadForces(const std::vector<ConstraintForce>& rows, const std::vector<ConstraintForce>& known,
                std::vector<double>* out) {
  const auto place = [](const ConstraintForce& row) { return std::pair(row.constraint, row.row); };
  out->clear();
  auto next = known.begin();
  for (const ConstraintForce& row : rows) {
    while (next != known.end() && place(*next) < place(row)) ++next;
    const bool is_known = next != known.end() && place(*next) == place(row);
    out->push_back(is_known ? next->force : kNaN);
  }
}

std::vector<char> FindDrivenRates(const Model& model, const ConstraintSet& constraints) {
  std::vector<char> out(model.nv(), 0);
  const DriveForces drives(model);
  for (int dof : drives.dofs()) out[dof] = 1;
  const VelocityProblem problem = ListRowsAt(model, constraints, model.NeutralCoordinates());
  ForEachGroup(problem, [&](const RowGroup& group, int) {
    if (!IsDrive(*constraints.list()[group.constraint])) return;
    for (int dof : problem.cols_of(group)) out[dof] = 1;
  });
  return out;
}

void CalcForces(const StepWorkspace& step, ForceReport* out) {
  const double h = step.problem.h;
  out->is_known = true;
  step.free.CalcDriveForces(step.q0, step.solution.v1, h, &out->drive_force);
  ReadRows(step.constraints, step.problem, step.gamma, h, out);
}

void CalcForces(const HeldForces& forces, ForceReport* out) {
  const HeldMotion& motion = forces.motion();
  out->is_known = true;
  out->acceleration = forces.v_dot();
  out->drive_force = motion.drive_force();
  // The rows are those of a problem with h = 1: its impulses are forces.
  const VelocityProblem& problem = motion.finder().problem();
  ReadRows(motion.finder().constraints(), problem, motion.row_force(), 1, out);
  size_t i = 0;
  ForEachGroup(problem, [&](const RowGroup& group, int) {
    for (int r = 0; r < group.row_count; ++r, ++i) {
      if (group.col_count == 0) out->constraints[i].force = kNaN;
    }
  });
}

void CalcForces(const State& state, EquationsOfMotion* equations, ForceReport* out) {
  out->is_known = true;
  equations->SetInputs(state.inputs, state.activation);
  equations->CalcAcceleration(state.t, state.q, state.v, &out->acceleration);
  out->drive_force = equations->drive_force();
  out->constraints.clear();
}

}  // namespace voigt
