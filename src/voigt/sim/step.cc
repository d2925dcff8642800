#include "voigt/sim/step.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "voigt/constraints/contact_rows.h"
#include "voigt/math/tree_product.h"
#include "voigt/sim/impact_sequence.h"
#include "voigt/sim/poisson_impact.h"
#include "voigt/steppers/integrate.h"

namespace voigt {
namespace {

// The impulses that the last step lets expect.
void ReadGuess(const VelocityProblem& problem, VecX* guess) {
  guess->resize(problem.row_count());
  for (int i = 0; i < problem.row_count(); ++i) (*guess)[i] = problem.rows[i].guess;
}

// Of studies only (constraints/curvature.h).
bool AddCurvatureToRows(const Model& model, const State& state, double h, StepWorkspace* ws) {
  if (ws->curvature_term == CurvatureTerm::kNone) return true;
  ConstraintContext at{model, ws->start.kin(), state.q, state.v, state.t, h};
  at.drive = &ws->actuation.drive();
  if (!ws->curvature.Update(ws->constraints, at, ws->problem)) return false;
  if (ws->curvature_term == CurvatureTerm::kPredictor) ws->curvature.AddToRows(&ws->problem);
  return true;
}

// Where friction did not settle, or rows ask for what cannot be, impulses may be of any size: no
// place to start from.
bool IsPlaceToStartFrom(const Solution& solution) {
  constexpr double kFarOff = 1e-3;
  return IsSolved(solution.status) ||
         (solution.status != SolveStatus::kNoFixedPoint && solution.residual < kFarOff);
}

// Whatever impulses do that are so far from their laws, it is not what these would do.
bool IsFarFromLaws(const Solution& solution) {
  constexpr double kFarOff = 1e-2;
  return !IsSolved(solution.status) && !(solution.residual < kFarOff);
}

// Impulses that are far from their laws and bring in more energy than recovery may.
bool RunsAway(const Model& model, const VelocityProblem& problem, const Solution& solution,
              VecX* scratch) {
  constexpr double kFactor = 10, kSpeed = 2;  // m/s
  if (!IsFarFromLaws(solution)) return false;
  const auto twice_kinetic = [&](const VecX& v) {
    MultiplyPacked(*problem.pattern, *problem.M, v, scratch);
    return v.dot(*scratch);
  };
  const double most = kFactor * twice_kinetic(problem.v_star) + model.TotalMass() * kSpeed * kSpeed;
  return !(twice_kinetic(solution.v1) <= most);
}

void ForgetImpulses(State* state) {
  state->warm_start.setZero();
  state->contacts.clear();
}

// Impacts that come before the forces of the step. False if they could not be solved.
bool StartWithImpacts(const Model& model, const State& state, StepWorkspace* ws) {
  ws->has_phases =
      ws->phases && ws->phases->Update(model, ws->contacts.contacts(), ws->impacts, ws->problem,
                                       ws->start, state.v, ws->has_audit, ws->formulation.get());
  if (!ws->has_phases) return true;
  if (ws->phases->status() == SolveStatus::kFailed) return false;
  ws->problem.CalcVelocity(ws->phases->gamma(), &ws->impulse);
  ws->problem.v_star = ws->impulse;
  ws->phases->KeepRebounds(&ws->problem);
  return true;
}

// The solution and its audit become those of the whole step.
void AddImpactsToSolution(StepWorkspace* ws) {
  if (!ws->has_phases) return;
  const ImpactPhases& impact = *ws->phases;
  ws->problem.v_star = ws->free.v_star();
  ws->solution.gamma += impact.gamma();
  ws->solution.status = std::max(ws->solution.status, impact.status());
  ws->solution.has_unsettled_loads &= IsSolved(impact.status());
  ws->solution.residual = std::max(ws->solution.residual, impact.residual());
  ws->solution.stats += impact.stats();
  if (ws->has_audit) TakeWorse(impact.audit(), &ws->audit);
}

double CalcImpactWork(const VecX& v0, StepWorkspace* ws) {
  if (!ws->has_audit) return kNaN;
  if (ws->has_phases) {
    return ws->impact_energy.CalcWork(ws->problem, ws->impacts, ws->phases->gamma(), v0, v0,
                                      ws->phases->v(), false);
  }
  return ws->impact_energy.CalcWork(ws->problem, ws->impacts, ws->solution.gamma, v0,
                                    ws->problem.v_star, ws->solution.v1, true);
}

// Friction that comes from reactions takes passes.
void SolveOnce(const Model& model, const State& state, StepWorkspace* ws) {
  if (!ws->constraints.has_reaction_friction()) {
    ws->formulation->Solve(ws->problem, ws->guess, &ws->solution);
    return;
  }
  const VecX& v0 = ws->has_phases ? ws->phases->v() : state.v;
  const std::vector<int>& modes = ws->stiction.any() ? ws->stiction.element_modes() : state.modes;
  ws->reaction_passes.Solve(model, ws->constraints, ws->start, ws->free.loads().F_ext(), v0, modes,
                            ws->guess, ws->formulation.get(), &ws->problem, &ws->solution);
}

// Again where contacts begin to slide: each time there are fewer that stick.
void LetSlip(const Model& model, const State& state, StepWorkspace* ws) {
  SolveStats stats = ws->solution.stats;
  while (ws->solution.status != SolveStatus::kFailed &&
         ws->stiction.LetSlip(ws->solution, &ws->problem)) {
    if (ws->constraints.has_reaction_friction()) {
      ws->reaction_passes.Finish(&ws->problem, &ws->solution, &ws->modes);
    }
    ws->guess = ws->solution.gamma;
    SolveOnce(model, state, ws);
    stats += ws->solution.stats;
  }
  ws->solution.stats = stats;
}

void SolveProblem(const Model& model, const State& state, StepWorkspace* ws) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  SolveOnce(model, state, ws);
  if (ws->stiction.any()) LetSlip(model, state, ws);
  ws->solve_seconds = std::chrono::duration<double>(Clock::now() - start).count();
}

// At the mean of v₀ and v₁, as for loads.
double CalcConstraintWork(const Solution& solution, const VecX& v0, StepWorkspace* ws) {
  const bool is_known = ws->has_audit && !ws->has_phases;
  if (!is_known) {
    ws->impulse.setZero(ws->problem.nv());
    ws->problem.AddTransposed(solution.gamma, &ws->impulse);
  }
  const VecX& impulse = is_known ? ws->auditor.law().impulse() : ws->impulse;
  return 0.5 * impulse.dot(v0 + solution.v1);
}

// What friction of joints that stick does besides the impulses of its rows.
double CalcStuckWork(const State& state, const VecX& v0, const VecX& v1, const StuckJoints& stuck) {
  const bool has_carried = state.carried.size() == v1.size();
  return (has_carried ? 0.5 * state.carried.dot(v0 + v1) : 0) - stuck.energy().sum();
}

// The rates at q₁; the impulses of the whole step.
void Transport(const Model& model, double h, StepWorkspace* ws) {
  const VecX& v1 = ws->solution.v1;
  ws->gamma = ws->solution.gamma;
  ws->v_kick = v1;
  ws->kick_gamma.setZero(ws->gamma.size());
  // Friction that comes from reactions reads them off the step's impulses: no part of them may be
  // elsewhere.
  ws->has_kick = !ws->constraints.has_reaction_friction() &&
                 ws->kick.Update(model, ws->problem, ws->start, v1, ws->held, ws->tied.sets());
  if (!ws->has_kick) return ws->transport.Update(model, v1, h, ws->start, &ws->end);
  ws->kick_gamma = ws->kick.gamma();
  ws->gamma += ws->kick_gamma;
  ws->v_kick = ws->kick.v();
  ws->start.SetRates(model, ws->v_kick);
  ws->transport.Update(model, ws->v_kick, h, ws->start, &ws->end);
  ws->start.SetRates(model, v1);
}

// What the step solves: the state's rates become those that it starts from.
StepStatus MakeProblem(const Model& model, double h, State* state, StepWorkspace* workspace) {
  StepWorkspace& ws = *workspace;

  // Where the bodies are: poses, inertias, M (kept from the end of the last step).
  if (!ws.start.Update(model, state->q)) return StepStatus::kSingularMassMatrix;
  AddCarried(model, ws.start, state, &ws.impulse);

  // Actuation: inputs → activations. Forces: loads, gravity, implicit springs and drives → the
  // rates without constraints.
  ws.actuation.Update(model, state->inputs, state->activation, state->t, h);
  const VecX& drive = ws.actuation.drive();
  if (!drive.allFinite()) return StepStatus::kNotFinite;
  if (!ws.free.Update(model, ws.start, *state, drive, h)) return StepStatus::kSingularMassMatrix;
  if (!ws.free.v_star().allFinite()) return StepStatus::kNotFinite;
  ws.v_begin = ws.v0 - ws.free.taken_back();
  state->v -= ws.free.taken_back();
  ws.start.SetRates(model, state->v);

  // Constraints: what joints, limits and contacts allow → the impulses and the rates with them.
  ws.contacts.Find(model, ws.start.kin(), h, ws.pool.get());
  if (!ws.stabilization.predictive) ws.contacts.KeepTouching();
  BuildProblem(model, ws.constraints, ws.contacts.contacts(), ws.start, ws.free, *state, drive, h,
               ws.stabilization, ws.restitution, ws.viscous_in_cone, &ws.problem,
               ws.reaction_passes.rows());
  if (ws.max_infeasibility < kInfinity &&
      !(CalcInfeasibility(ws.problem) <= ws.max_infeasibility)) {
    return StepStatus::kTooInfeasible;
  }
  SetRowInertia(&ws.row_inertia, &ws.problem);
  LimitRecovery(model, ws.contacts.contacts(), &ws.problem);
  ReadGuess(ws.problem, &ws.guess);
  if (ws.stiction.any()) {
    ws.stiction.Start(model, ws.contacts.contacts(), *state,
                      ws.reaction_passes.rows()->friction.size(), &ws.problem);
  }
  return StepStatus::kOk;
}

// Energies before and after the step are told from each other by like rates: those of the ends
// where a tree was free before the step and is now, and those of the middle of steps elsewhere.
void AddHalfKickToFree(const Model& model, const State& state, StepWorkspace* ws) {
  const Tree& tree = model.tree();
  ws->half_kick = ws->free.half_kick();
  ws->v_from = ws->has_phases ? ws->phases->v() : ws->v_begin;
  ws->kick_time.setConstant(tree.nv, ws->problem.h);
  for (int k = 0; k < tree.nv; ++k) {
    const int root = tree.root[tree.dof_body[k]];
    const bool stays_free = !state.synchronous.empty() && state.synchronous[root] != 0 &&
                            ws->free_trees.list()[root] != 0;
    if (!stays_free) continue;
    ws->v_from[k] = ws->v0[k];
    ws->kick_time[k] *= 0.5;
    ws->v_end[k] += ws->half_kick[k];
    ws->half_kick[k] = 0;
  }
}

StepStatus TakeStep(const Model& model, double h, State* state, StepWorkspace* workspace) {
  StepWorkspace& ws = *workspace;

  const StepStatus status = MakeProblem(model, h, state, workspace);
  if (status != StepStatus::kOk) return status;
  if (ws.has_audit || ws.phases) {
    ListImpacts(model, ws.contacts.contacts(), ws.problem, state->v, &ws.rates, &ws.impacts);
  }
  if (!StartWithImpacts(model, *state, workspace)) return StepStatus::kConstraintsFailed;
  if (!AddCurvatureToRows(model, *state, h, workspace)) return StepStatus::kConstraintsFailed;
  SolveProblem(model, *state, workspace);
  if (ws.refuses_long && IsFarFromLaws(ws.solution)) return StepStatus::kFarFromLaws;
  if (ws.solution.status == SolveStatus::kFailed ||
      RunsAway(model, ws.problem, ws.solution, &ws.impulse)) {
    return StepStatus::kConstraintsFailed;
  }
  if (ws.curvature_term == CurvatureTerm::kPrinted) {
    ws.curvature.AddToSolution(ws.problem, &ws.solution);
  }
  const VecX& v1 = ws.solution.v1;
  if (!v1.allFinite()) return StepStatus::kConstraintsFailed;

  if (ws.has_audit) {
    const VecX& v0 = ws.has_phases ? ws.phases->v() : state->v;
    ws.auditor.Calc(ws.problem, ws.solution.gamma, v1, &v0, RuleOf(ws.solution), &ws.audit);
  }
  AddImpactsToSolution(workspace);
  ws.impact_work = CalcImpactWork(state->v, workspace);
  if (ws.check_pointed) ws.pointed = ws.pointed_cone.Calc(ws.problem, ws.solution.gamma);

  // Motion: the bodies go where the new rates take them, on paths that inertia bends.
  ws.start.SetRates(model, v1);
  ws.held.setZero(ws.problem.row_count());
  ws.tied.Update(model, ws.problem);
  ws.mean.Update(
      model, ws.start, v1, h, [&](VecX* x) { ws.formulation->SolveHeld(ws.problem, x, &ws.held); },
      ws.tied.sets());
  ws.stuck.Find(ws.constraints, ws.problem, ws.solution);
  ws.v_mean = ws.mean.v();
  ws.stuck.KeepStill(&ws.v_mean);
  ws.q1 = state->q;
  IntegratePositions(model, ws.v_mean, h, &ws.q1);
  if (!ws.q1.allFinite()) return StepStatus::kNotFinite;
  if (!ws.end.Update(model, ws.q1)) return StepStatus::kSingularMassMatrix;

  // Inertia: they keep their momenta, and the joints' rates follow.
  ws.work = ws.free.CalcWork(model, state->q, ws.v0, v1, h);
  ws.constraint_work = CalcConstraintWork(ws.solution, ws.v_begin, workspace);
  Transport(model, h, workspace);
  ws.v_end = ws.transport.v();
  if (!ws.v_end.allFinite()) return StepStatus::kNotFinite;

  // Joints that friction holds are at rest.
  ws.stuck.Stop(model, ws.end, &ws.v_end);
  ws.carried = ws.stuck.carried();
  ws.stuck_work = CalcStuckWork(*state, ws.v_begin, v1, ws.stuck);

  // What nothing holds has rates of the end of the step, and not of its middle.
  if (ws.has_half_kicks) ws.free_trees.Find(model, ws.problem, ws.gamma);
  ws.work += ws.free.CalcHalfKick(model, ws.end, state->inputs, state->t + h, h,
                                  ws.free_trees.list(), ws.q1, ws.v_end);
  if (!ws.free.half_kick().allFinite()) return StepStatus::kNotFinite;
  AddHalfKickToFree(model, *state, workspace);

  // No more energy than there was.
  const bool is_short_enough = ws.surplus.Update(
      model,
      {ws.problem, ws.solution.gamma, ws.kick_gamma, state->q, ws.q1, ws.v_from, v1, ws.v_kick,
       ws.kick_time, ws.start, ws.tied, ws.free, ws.stuck.energy()},
      ws.refuses_long, &ws.end, &ws.v_end, &ws.carried, state);
  if (!is_short_enough) return StepStatus::kTooLong;

  ws.q0.swap(state->q);
  state->q = ws.q1;
  state->v = ws.v_end + ws.half_kick;
  state->synchronous = ws.free_trees.list();
  state->carried = ws.carried;
  state->activation = ws.actuation.activation();
  state->t += h;
  if (ws.constraints.has_reaction_friction()) {
    ws.reaction_passes.Finish(&ws.problem, &ws.solution, &state->modes);
  } else if (ws.stiction.any()) {
    state->modes.clear();
  }
  RememberImpulses(ws.problem, ws.solution.gamma, v1, ws.contacts.contacts(), state);
  if (!IsPlaceToStartFrom(ws.solution)) ForgetImpulses(state);
  if (ws.stiction.any()) ws.stiction.Finish(model, ws.problem, ws.solution, state);
  // `end` keeps where the step came from, with its last rates; so does the problem.
  std::swap(ws.start, ws.end);
  ws.problem.M = &ws.free.M(ws.end);
  ws.problem.factor = &ws.free.factor(ws.end);
  return StepStatus::kOk;
}

}  // namespace

void StepWorkspace::SetRestitution(RestitutionLaw law) {
  restitution = law;
  phases = nullptr;
  if (law == RestitutionLaw::kPoisson) phases = std::make_unique<PoissonImpact>();
  if (law == RestitutionLaw::kSequence) phases = std::make_unique<ImpactSequence>();
}

void PrepareState(const Model& model, double h, State* state, StepWorkspace* workspace) {
  StepWorkspace& ws = *workspace;
  if (ws.has_half_kicks) {
    State first = *state;
    ws.v0 = first.v;
    if (MakeProblem(model, h, &first, workspace) != StepStatus::kOk) return;
    SolveProblem(model, first, workspace);
    if (ws.solution.status == SolveStatus::kFailed) return;
    ws.free_trees.Find(model, ws.problem, ws.solution.gamma);
  }
  state->synchronous = ws.free_trees.list();
}

StepStatus Step(const Model& model, double h, State* state, StepWorkspace* workspace) {
  if (state->synchronous.empty()) PrepareState(model, h, state, workspace);
  workspace->v0 = state->v;
  const StepStatus status = TakeStep(model, h, state, workspace);
  if (status != StepStatus::kOk) state->v = workspace->v0;
  return status;
}

const char* Explain(StepStatus status) {
  switch (status) {
    case StepStatus::kOk:
      return "fine";
    case StepStatus::kSingularMassMatrix:
      return "the mass matrix is not positive definite: a joint moves no inertia in this "
             "configuration, or masses differ by more than double precision holds";
    case StepStatus::kNotFinite:
      return "a velocity became infinite or undefined: look for loads that grow without bound or "
             "are undefined at this time (1/0, sqrt of a negative number), or a step too long for "
             "rk4";
    case StepStatus::kToleranceNotReached:
      return "the integrator could not meet its tolerance: the motion is singular here, "
             "a load is undefined at this time, or the rates of a constraint that moves by itself "
             "cannot be told (Constraint::AddTimeRates)";
    case StepStatus::kConstraintsFailed:
      return "the constraint problem could not be solved: look for masses or stiffnesses that "
             "differ "
             "by more than double precision holds, or constraints that are not finite";
    case StepStatus::kFarFromLaws:
      return "the constraint problem was not solved, not even nearly: a shorter step may do";
    case StepStatus::kTooLong:
      return "the step is too long for what moves: it would end with energy from nowhere";
    case StepStatus::kTooInfeasible:
      return "rigid constraints or contacts are violated by more than simulation.max_infeasibility "
             "allows: look for shapes that overlap at the start, a stabilization that is too small "
             "or a step that is too long";
    case StepStatus::kEventsWithoutEnd:
      return "events follow each other without end at this time: contacts close and open, or stick "
             "and slip, faster than they can be told apart; semi-implicit-euler steps over them";
    case StepStatus::kStopped:
      return "stopped within a step";
    case StepStatus::kContradiction:
      return "rigid constraints contradict each other here, or the motion that is prescribed: no "
             "accelerations meet them all";
    case StepStatus::kFrictionLocks:
      return "no accelerations and forces agree with friction here, and no impulse that stops the "
             "sliding is within it: Painlevé's paradox, or a mechanism that jams; "
             "semi-implicit-euler with compliant contacts or less friction goes on";
  }
  return "";
}

std::string Explain(StepStatus status, const std::string& where) {
  return where.empty() ? Explain(status) : where + ": " + Explain(status);
}

}  // namespace voigt
