#include "voigt/sim/simulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "voigt/base/check.h"
#include "voigt/base/errors.h"
#include "voigt/constraints/contact_rows.h"
#include "voigt/sim/fresh_audit.h"
#include "voigt/sim/friction_element.h"
#include "voigt/sim/simulation_checks.h"

namespace voigt {
namespace {

// Lists that are not given.
void FillInputs(const Model& model, State* state) {
  if (state->activation.size() == 0) state->activation = model.StartingActivation();
  if (state->inputs.actuators.size() == 0) {
    state->inputs.actuators.setConstant(model.actuator_count(), kNaN);
  }
}

// Of the groups that are contacts, the points that press.
int CountPressingContacts(const VelocityProblem& problem, const VecX& gamma) {
  const PressingContacts pressing(problem);
  int count = 0;
  for (const RowGroup& group : problem.groups) {
    if (group.constraint != kContactGroup) continue;
    const int points = group.law == Law::kContact ? 1 : group.row_count;
    for (int i = group.first_row; i < group.first_row + points; ++i) {
      count += pressing.Has(i, gamma[i]);
    }
  }
  return count;
}

// What of a step's impulses can be held against the laws of their rows.
EnergyBooks::Claim ClaimOf(const StepWorkspace& ws) {
  if (ws.has_phases) return EnergyBooks::Claim::kNone;
  const FrictionMode mode = RuleOf(ws.solution).mode;
  const bool is_by_program =
      mode == FrictionMode::kMaxDissipation || mode == FrictionMode::kMinimumNorm;
  return is_by_program ? EnergyBooks::Claim::kSum : EnergyBooks::Claim::kEachRow;
}

bool IsTooLong(StepStatus status) {
  return status == StepStatus::kFarFromLaws || status == StepStatus::kTooLong;
}

// Of a step in parts, however many of them were not solved, one step was not.
void CountPartsAsOne(const SolverTotals& before, SolverTotals* now) {
  for (long SolverTotals::* const count :
       {&SolverTotals::not_solved, &SolverTotals::inaccurate, &SolverTotals::unsettled_loads,
        &SolverTotals::redundant}) {
    now->*count = std::min(now->*count, before.*count + 1);
  }
}

bool AllPass(std::span<const AuditItem> items) {
  return std::all_of(items.begin(), items.end(), [](const auto& item) { return item.passes(); });
}

}  // namespace

void SolverTotals::Add(const VelocityProblem& problem, const Solution& solution, Attempt attempt,
                       double seconds) {
  Solved& solved = solved_by[static_cast<int>(attempt)];
  ++solved.count;
  solved.seconds += seconds;
  newton_iterations += solution.stats.newton_iterations;
  factorizations += solution.stats.factorizations;
  sweeps += solution.stats.sweeps;
  friction_passes += solution.stats.friction_passes;
  inflated += solution.stats.inflated;
  redundant += solution.status == SolveStatus::kRedundant;
  not_solved += !IsSolved(solution.status);
  inaccurate += !IsSolved(solution.status) && !(solution.residual <= kAcceptable);
  unsettled_loads += solution.has_unsettled_loads;
  worst_residual = std::max(worst_residual, solution.residual);
  most_rows = std::max(most_rows, problem.row_count());
}

Attempt SolverTotals::hardest() const {
  int last = kAttemptCount - 1;
  while (last > 0 && solved_by[last].count == 0) --last;
  return static_cast<Attempt>(last);
}

void AuditTotals::Add(const Audit& audit) {
  ++steps;
  failed += !AllPass(ListItems(audit, tolerance));
  TakeWorse(audit, &worst);
}

void AuditTotals::AddMoment(const Audit& audit) {
  ++steps;
  failed += !AllPass(ListMomentItems(audit));
  TakeWorse(audit, &worst);
}

void ConeTotals::Add(const PointedCone::Result& result, double t) {
  uncertain += !result.is_certain;
  least_margin = std::min(least_margin, result.margin);
  if (result.is_pointed()) return;
  if (not_pointed == 0) first = t;
  ++not_pointed;
}

Simulator::Simulator(Model model, const SimulationSettings& settings, State initial)
    : model_(std::make_unique<const Model>(std::move(model))),
      settings_(settings),
      state_(std::move(initial)),
      books_(ConstraintSet(*model_)),
      row_storage_(*model_),
      energy_scratch_(*model_),
      reactions_(*model_),
      held_(*model_),
      actuators_(*model_) {
  CheckCanRun(*model_, settings_, state_);
  FillInputs(*model_, &state_);
  v_before_ = state_.v;  // no step allocates
  audit_.is_anew = settings_.audit == AuditKind::kAnew;
  audit_.tolerance = settings_.formulation.tolerance();
  switch (settings_.integrator) {
    case Integrator::kSemiImplicitEuler:
      workspace_.emplace(*model_, settings_.formulation, settings_.curvature, settings_.has_audit(),
                         settings_.threads);
      workspace_->stabilization = settings_.stabilization;
      workspace_->max_infeasibility = settings_.max_infeasibility;
      workspace_->has_half_kicks = settings_.half_kicks;
      workspace_->SetRestitution(settings_.restitution);
      workspace_->viscous_in_cone = HasViscousInCone(settings_.formulation);
      workspace_->check_pointed = settings_.check_pointed;
      break;
    case Integrator::kRungeKutta4:
      runge_kutta_.emplace(*model_);
      equations_.emplace(*model_);
      break;
    case Integrator::kAdaptive:
      adaptive_.emplace(*model_);
      equations_.emplace(*model_);
      break;
    case Integrator::kEventDriven:
      event_driven_.emplace(*model_, settings_.formulation, settings_.has_audit());
      break;
  }
  Prepare();
}

// One time step, with all that is counted of it.
StepStatus Simulator::AdvanceByTimeStep(double h) {
  modes_before_ = state_.modes;
  if (audit_.is_anew) before_ = state_;
  const bool is_first = state_.recovery_time == 0;
  const StepStatus status = voigt::Step(*model_, h, &state_, &*workspace_);
  if (status != StepStatus::kOk) return status;
  if (audit_.is_anew) {
    workspace_->audit = JudgeAnew(*model_, settings_, before_, h, workspace_->solution);
  }
  ListTransitions();
  work_ += workspace_->work.Total();
  constraint_work_ += workspace_->constraint_work;
  if (is_first) books_.AddOverlap(workspace_->problem);
  constraint_work_ += workspace_->stuck_work;
  books_.AddForces(workspace_->work);
  books_.AddStuck(workspace_->stuck_work);
  books_.AddRows(workspace_->problem, workspace_->solution.gamma, workspace_->v_begin,
                 workspace_->solution.v1, state_.t - h, ClaimOf(*workspace_),
                 settings_.formulation.tolerance());
  if (workspace_->has_kick) {
    constraint_work_ += books_.AddKick(workspace_->problem, workspace_->kick_gamma,
                                       workspace_->solution.v1, workspace_->v_kick);
  }
  spin_failures_ += workspace_->transport.spin_failures();
  inexact_contacts_ += workspace_->contacts.inexact_count();
  solver_.Add(workspace_->problem, workspace_->solution, workspace_->solution.stats.solved_by,
              workspace_->solve_seconds);
  if (step_is_judged()) audit_.Add(workspace_->audit);
  impacts_.Add(workspace_->impact_work);
  if (settings_.check_pointed) cones_.Add(workspace_->pointed, state_.t - h);
  contact_count_ = CountPressingContacts(workspace_->problem, workspace_->solution.gamma);
  contacts_.sum += contact_count_;
  contacts_.most = std::max(contacts_.most, contact_count_);
  return StepStatus::kOk;
}

// A step that is too long for what moves is taken in parts. Where even the shortest of them ends
// far from the laws, it is not the step that is at fault: then it is taken as it is, and its status
// says so. The shortest one is refused only where its energy could not be paid for.
StepStatus Simulator::AdvanceInParts(double h) {
  constexpr int kMostHalvings = 8, kMostForLaws = 4;
  double left = h;
  while (true) {
    workspace_->refuses_long = true;
    double part = left;
    StepStatus status = AdvanceByTimeStep(part);
    if (IsTooLong(status) && left == h) {
      ++solver_.shortened;
      next_ = state_;
    }
    while (IsTooLong(status) && workspace_->refuses_long) {
      const bool is_by_laws = status == StepStatus::kFarFromLaws;
      const double least = std::ldexp(h, is_by_laws ? -kMostForLaws : -kMostHalvings);
      workspace_->refuses_long = part > least;
      if (part > least)
        part *= 0.5;
      else if (is_by_laws)
        part = left;
      status = AdvanceByTimeStep(part);
    }
    if (status != StepStatus::kOk) {
      if (left < h) std::swap(state_, next_);
      return status;
    }
    if (left == h) v_before_ = workspace_->v_begin;
    if (part == left) return status;
    left -= part;
  }
}

StepStatus Simulator::Advance(double h) {
  switch (settings_.integrator) {
    case Integrator::kSemiImplicitEuler: {
      const SolverTotals before = solver_;
      const StepStatus status = AdvanceInParts(h);
      CountPartsAsOne(before, &solver_);
      return status;
    }
    case Integrator::kRungeKutta4: {
      next_ = state_;
      const double work = runge_kutta_->Step(h, &next_);
      if (!next_.IsFinite()) return StepStatus::kNotFinite;
      std::swap(state_, next_);
      work_ += work;
      return StepStatus::kOk;
    }
    case Integrator::kAdaptive: {
      next_ = state_;
      if (!adaptive_->AdvanceTo(state_.t + h, &next_)) return StepStatus::kToleranceNotReached;
      std::swap(state_, next_);
      work_ = work_before_ + adaptive_->work();
      return StepStatus::kOk;
    }
    case Integrator::kEventDriven:
      return AdvanceByEvents(h);
  }
  return StepStatus::kOk;
}

void Simulator::NameTrouble() {
  if (event_driven_->trouble() == 0) return;
  trouble_ = FrictionNames(*model_).Describe(*model_, event_driven_->trouble());
}

StepStatus Simulator::AdvanceByEvents(double h) {
  event_driven_->SetImpactListener([this](const Impact& impact) {
    // `working` has found no impulses of its own there.
    const bool is_by_another = settings_.formulation.kind == FormulationKind::kWorking;
    const Attempt attempt = is_by_another ? Attempt::kOtherWays : impact.solution().stats.solved_by;
    solver_.Add(impact.problem(), impact.solution(), attempt, 0);
    if (impact.audit() != nullptr) audit_.Add(*impact.audit());
  });
  next_ = state_;
  const SolverTotals solver_before = solver_;
  const AuditTotals audit_before = audit_;
  switch (event_driven_->AdvanceTo(state_.t + h, &next_, stop_)) {
    case EventStatus::kOk:
      break;
    case EventStatus::kToleranceNotReached:
      NameTrouble();
      return StepStatus::kToleranceNotReached;
    case EventStatus::kNoForces:
      return StepStatus::kConstraintsFailed;
    case EventStatus::kImpactFailed:
      NameTrouble();
      return StepStatus::kConstraintsFailed;
    case EventStatus::kEventsWithoutEnd:
      return StepStatus::kEventsWithoutEnd;
    case EventStatus::kStopped:
      solver_ = solver_before;
      audit_ = audit_before;
      return StepStatus::kStopped;
    case EventStatus::kContradiction:
      NameTrouble();
      return StepStatus::kContradiction;
    case EventStatus::kFrictionLocks:
      NameTrouble();
      return StepStatus::kFrictionLocks;
  }
  std::swap(state_, next_);
  JudgeMoment();
  transitions_ = event_driven_->transitions();
  work_ += event_driven_->work();
  constraint_work_ += event_driven_->contact_work();
  inexact_contacts_ = event_driven_->inexact_contacts();
  contact_count_ = event_driven_->pressing_count();
  contacts_.sum += contact_count_;
  contacts_.most = std::max(contacts_.most, contact_count_);
  return StepStatus::kOk;
}

// What has no forces at all has no accelerations to be judged by.
void Simulator::JudgeMoment() {
  moment_ = {};
  if (!settings_.has_audit()) return;
  if (const HeldForces* const forces = event_driven_->CalcForces(state_)) moment_ = forces->audit();
  moments_.AddMoment(moment_);
}

// Of a time step, by what State::modes says before and after it.
void Simulator::ListTransitions() {
  for (const ContactStiction::Change& change : workspace_->stiction.changes()) {
    transitions_.push_back({state_.t, change.id, change.from, change.to});
  }
  if (!workspace_->constraints.has_reaction_friction()) return;
  // Those of contacts come behind them.
  const size_t count = workspace_->reaction_passes.rows()->friction.size();
  const bool is_known =
      workspace_->stiction.any() ? modes_before_.size() >= count : modes_before_.size() == count;
  for (size_t k = 0; k < count; ++k) {
    const int before = is_known ? modes_before_[k] : static_cast<int>(Stiction::kOpen);
    if (before == state_.modes[k]) continue;
    const std::uint64_t id =
        workspace_->reaction_passes.ElementGroup(static_cast<int>(k), workspace_->problem).id;
    transitions_.push_back(
        {state_.t, id, static_cast<Stiction>(before), static_cast<Stiction>(state_.modes[k])});
  }
}

StepStatus Simulator::Step(double h) {
  VOIGT_CHECK(h > 0);
  if (status_ != StepStatus::kOk) return status_;
  transitions_.clear();
  const StepStatus status = Advance(h);
  if (status == StepStatus::kStopped) return status;
  status_ = status;
  has_last_step_ = workspace_ && status_ == StepStatus::kOk;
  if (status_ == StepStatus::kOk) ++steps_;
  step_length_ = h;
  return status_;
}

// Whoever looks at the state before the first step finds it as the step will.
void Simulator::Prepare() {
  if (!workspace_ || !state_.synchronous.empty()) return;
  PrepareState(*model_, settings_.step, &state_, &*workspace_);
}

void Simulator::SetWork(double work, double constraint_work) {
  work_ = work_before_ = work;
  constraint_work_ = constraint_work;
}

void Simulator::SetInput(int actuator, double u) {
  VOIGT_CHECK(actuator >= 0 && actuator < model_->actuator_count());
  state_.inputs.actuators[actuator] = u;
}

void Simulator::SetInput(std::string_view actuator, double u) {
  const auto index = model_->FindActuator(actuator);
  if (!index) throw InputError({}, fmt::format("actuator '{}'", actuator), "does not exist");
  SetInput(*index, u);
}

void Simulator::SetState(State state) {
  ProblemList problems;
  CheckState(*model_, state, &problems);
  problems.ThrowIfAny();
  state_ = std::move(state);
  FillInputs(*model_, &state_);
  Prepare();
  status_ = StepStatus::kOk;
  has_last_step_ = false;
}

}  // namespace voigt
