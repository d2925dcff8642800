// What can be read off a simulator between its steps.

#include <algorithm>

#include "voigt/constraints/prescribed_joint.h"
#include "voigt/sim/simulator.h"

namespace voigt {

std::span<const Event> Simulator::last_events() const {
  if (!event_driven_) return {};
  return event_driven_->events();
}

VecX Simulator::prescribed_force() const {
  if (event_driven_) return event_driven_->prescribed_force();
  VecX out = VecX::Zero(model_->nv());
  if (!has_last_step_) return out;
  const VelocityProblem& problem = workspace_->problem;
  for (const RowGroup& group : problem.groups) {
    if (group.constraint < 0) continue;
    const Constraint& constraint = *workspace_->constraints.list()[group.constraint];
    if (!IsPrescribedInTree(*model_, constraint)) continue;
    for (int r = 0; r < group.row_count; ++r) {
      const double force = workspace_->gamma[group.first_row + r] / problem.h;
      for (int c = 0; c < group.col_count; ++c) {
        out[problem.cols_of(group)[c]] += force * problem.entries(group, r)[c];
      }
    }
  }
  return out;
}

const Audit* Simulator::step_audit() const {
  if (event_driven_) return steps_ > 0 && settings_.has_audit() ? &moment_ : nullptr;
  return workspace_ && steps_ > 0 && step_is_judged() ? &workspace_->audit : nullptr;
}

const VelocityProblem& Simulator::problem() const {
  static const VelocityProblem kNone;
  return workspace_ ? workspace_->problem : kNone;
}

const Solution& Simulator::solution() const {
  static const Solution kNone;
  return workspace_ ? workspace_->solution : kNone;
}

const Kinematics& Simulator::CalcKinematics() {
  UpdatePositions(*model_, state_.q, &energy_scratch_);
  UpdateVelocities(*model_, state_.v, &energy_scratch_);
  return energy_scratch_;
}

Energy Simulator::CalcEnergy() {
  Energy out = voigt::CalcEnergy(*model_, state_, &energy_scratch_);
  const RowStorage rows = row_storage_.Calc(*model_, state_, energy_scratch_);
  out.rotors = rows.rotors;
  out.contacts = rows.contacts;
  out.constraints = rows.springs + rows.limits;
  return out;
}

RowStorage Simulator::CalcStorage() { return row_storage_.Calc(*model_, state_, CalcKinematics()); }

// Springs give back what they hold: only what they have lost is gone.
EnergyLines Simulator::CalcEnergyLines() {
  const RowStorage now = CalcStorage();
  EnergyLines lines = books_.lines();
  const auto add = [&](EnergyLine line, double change) {
    lines[static_cast<size_t>(line)] += change;
  };
  add(EnergyLine::kContacts, now.contacts);
  add(EnergyLine::kSprings, now.springs);
  add(EnergyLine::kLimits, now.limits);
  add(EnergyLine::kArmatures, now.rotors);
  return lines;
}

void Simulator::ListContacts(std::vector<ContactReport>* out) const {
  out->clear();
  if (event_driven_) {
    if (const HeldForces* const forces = event_driven_->CalcForces(state_)) {
      HeldReporter::ListContacts(*model_, *forces, out);
    }
    return;
  }
  if (!has_last_step_) return;
  // `end` is where the step came from, with the rates that it ended with.
  voigt::ListContacts(*model_, workspace_->contacts.contacts(), workspace_->problem,
                      workspace_->solution.gamma, workspace_->end.kin(), out);
}

// Where nothing but forces acts, the equations of motion say what joints transmit at this moment.
void Simulator::ReplaceReactionsOfFreeTrees(Reactions* out) {
  if (!UpdateEquations()) return;
  equations_->CalcReactions(state_.t, state_.q, state_.v, &reactions_now_);
  for (int b = 1; b < model_->nb(); ++b) {
    if (state_.synchronous[model_->tree().root[b]] != 0) out->joints[b] = reactions_now_[b];
  }
}

void Simulator::ReplaceForcesOfFreeTrees(ForceReport* out) {
  if (!UpdateEquations()) return;
  const Tree& tree = model_->tree();
  equations_->CalcAcceleration(state_.t, state_.q, state_.v, &acceleration_now_);
  for (int k = 0; k < tree.nv; ++k) {
    if (state_.synchronous[tree.root[tree.dof_body[k]]] == 0) continue;
    out->acceleration[k] = acceleration_now_[k];
    out->drive_force[k] = equations_->drive_force()[k];
  }
}

// False where no tree is free.
bool Simulator::UpdateEquations() {
  const auto& list = state_.synchronous;
  if (std::find(list.begin(), list.end(), 1) == list.end()) return false;
  if (!equations_) equations_.emplace(*model_);
  equations_->SetInputs(state_.inputs, state_.activation);
  acceleration_now_.resize(model_->nv());
  return true;
}

void Simulator::CalcReactions(Reactions* out) {
  out->joints.clear();
  out->loops.clear();
  if (has_last_step_) {
    reactions_.Calc(*model_, state_, *workspace_, out);
    ReplaceReactionsOfFreeTrees(out);
  }
  if (!event_driven_) return;
  if (const HeldForces* const forces = event_driven_->CalcForces(state_)) {
    held_.CalcReactions(*model_, state_, *forces, out);
  }
}

void Simulator::CalcForces(ForceReport* out) {
  out->Clear(*model_);
  if (event_driven_) {
    const HeldForces* const forces = event_driven_->CalcForces(state_);
    if (forces != nullptr) voigt::CalcForces(*forces, out);
  } else if (!workspace_) {
    voigt::CalcForces(state_, &*equations_, out);
  } else if (has_last_step_) {
    voigt::CalcForces(*workspace_, out);
    out->acceleration = (workspace_->v_end - v_before_) / step_length_;
    ReplaceForcesOfFreeTrees(out);
  }
}

void Simulator::ListGuides(std::vector<GuideReport>* out) const {
  out->clear();
  if (event_driven_) {
    const HeldForces* const forces = event_driven_->CalcForces(state_);
    if (forces != nullptr) voigt::ListGuides(*forces, out);
    return;
  }
  if (!has_last_step_ || !workspace_->constraints.has_reaction_friction()) return;
  voigt::ListGuides(workspace_->constraints, workspace_->reaction_passes, workspace_->problem,
                    workspace_->solution, state_.modes, out);
}

void Simulator::ListActuators(std::vector<ActuatorReport>* out) {
  actuators_.Calc(*model_, CalcKinematics(), state_, out);
}

}  // namespace voigt
