#include "voigt/sim/energy.h"

#include <algorithm>

#include "voigt/dynamics/joint_springs.h"
#include "voigt/dynamics/momentum_energy.h"

namespace voigt {
namespace {

// Rows of a step of any length: φ and c do not depend on it.
constexpr double kAnyStep = 1e-3;

// A spring holds ½ K φ², but no more than its force has loaded it with, ½ λ²/K: stiff ones that a
// long step has bent are longer than they were left.
void AddRow(const RowGroup& group, const Row& row, double force, RowStorage* out) {
  if (row.c == 0 || !group.force_law.is_linear()) return;
  const double energy = std::min(0.5 * row.phi * row.phi / row.c, 0.5 * force * force * row.c);
  if (group.law == Law::kBilateral) out->springs += energy;
  if (group.law == Law::kUnilateral && row.phi < 0) out->limits += energy;
}

}  // namespace

Energy CalcEnergy(const Model& model, const State& state, Kinematics* kin) {
  UpdatePositions(model, state.q, kin);
  UpdateVelocities(model, state.v, kin);
  Energy out;
  out.kinetic = CalcKineticEnergy(model, *kin, state.v);
  out.gravity = CalcGravityEnergy(model, *kin);
  out.spring = CalcSpringEnergy(model, state.q);
  return out;
}

RowStorageFinder::RowStorageFinder(const Model& model) : constraints_(model) {}

RowStorage RowStorageFinder::Calc(const Model& model, const State& state, const Kinematics& kin) {
  RowStorage out;
  for (const ContactMemory& contact : state.contacts) out.contacts += contact.energy;
  if (constraints_.empty()) return out;
  problem_.pattern = &model.tree().pattern;
  problem_.h = kAnyStep;
  problem_.ClearRows();
  constraints_.AddRows({model, kin, state.q, state.v, state.t, kAnyStep}, &problem_);
  for (const RowGroup& group : problem_.groups) {
    const auto& constraint = *constraints_.list()[group.constraint];
    const auto line = constraint.energy_line();
    for (int i = group.first_row; i < group.first_row + group.row_count; ++i) {
      const Row& row = problem_.rows[i];
      const bool has_force = i < state.warm_start.size();
      if (!line) AddRow(group, row, has_force ? state.warm_start[i] : kInfinity, &out);
      if (line == EnergyLine::kArmatures) out.rotors += 0.5 * row.v_hat * row.v_hat / row.R;
    }
  }
  return out;
}

}  // namespace voigt
