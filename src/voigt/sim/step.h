#pragma once

#include <memory>
#include <string>

#include "voigt/audit/audit.h"
#include "voigt/base/worker_pool.h"
#include "voigt/collision/contact_finder.h"
#include "voigt/constraints/build_problem.h"
#include "voigt/constraints/curvature.h"
#include "voigt/dynamics/actuation.h"
#include "voigt/dynamics/configuration.h"
#include "voigt/dynamics/free_velocity.h"
#include "voigt/dynamics/mean_velocity.h"
#include "voigt/dynamics/momentum_transport.h"
#include "voigt/formulations/formulation.h"
#include "voigt/formulations/impulse_space/pointed_cone.h"
#include "voigt/model/state.h"
#include "voigt/sim/constraint_kick.h"
#include "voigt/sim/contact_stiction.h"
#include "voigt/sim/free_trees.h"
#include "voigt/sim/impact_energy.h"
#include "voigt/sim/impact_phases.h"
#include "voigt/sim/reaction_passes.h"
#include "voigt/sim/stuck_joints.h"
#include "voigt/sim/surplus_limit.h"
#include "voigt/sim/tied_trees.h"

namespace voigt {

enum class StepStatus {
  kOk,
  kSingularMassMatrix,   // the mass matrix lost positive definiteness
  kNotFinite,            // NaN or infinity in the new state
  kToleranceNotReached,  // the adaptive integrator gave up
  kConstraintsFailed,    // the constraint problem could not be solved at all
  kFarFromLaws,          // it was, but not nearly, where that is refused
  kTooLong,              // the step would end with energy from nowhere, where that is refused
  kTooInfeasible,        // constraints are violated by more than the user allows
  kEventsWithoutEnd,     // events follow each other and no time passes
  kStopped,              // by Simulator::SetStop, in the middle; the state is as before the step
  kContradiction,        // bilateral constraints and prescribed motion ask for different motions
  kFrictionLocks,        // no accelerations agree with friction, and no impulse resolves it
};

// A sentence for the user, with likely causes.
const char* Explain(StepStatus status);
// With where that was, if it is known: "the contact of rod and floor, point 0: no accelerations …".
std::string Explain(StepStatus status, const std::string& where);

// Everything a step computes on its way. One per caller; reused from step to step, so that a step
// allocates nothing. It holds no state: any workspace made for the same model gives the same step.
struct StepWorkspace {
  explicit StepWorkspace(const Model& model, const FormulationSettings& settings = {},
                         CurvatureTerm term = CurvatureTerm::kNone, bool with_audit = true,
                         int threads = 1)
      : pool(threads > 1 ? std::make_unique<WorkerPool>(threads) : nullptr),
        has_audit(with_audit),
        start(model),
        end(model),
        actuation(model),
        free(model),
        contacts(model),
        constraints(model),
        curvature_term(term),
        curvature(model),
        formulation(MakeFormulation(settings)),
        reaction_passes(model),
        stiction(model),
        tied(model),
        mean(model),
        transport(model),
        stuck(model),
        free_trees(model),
        surplus(model) {
    formulation->UseThreads(pool.get());
  }

  void SetRestitution(RestitutionLaw law);

  std::unique_ptr<WorkerPool> pool;  // null where one thread does all
  bool has_audit;
  Configuration start, end;
  Actuation actuation;
  FreeVelocity free;
  ContactFinder contacts;
  ConstraintSet constraints;
  Stabilization stabilization;
  bool viscous_in_cone = false;          // of contacts (ConstraintContext)
  double max_infeasibility = kInfinity;  // of where a step may begin, see CalcInfeasibility
  bool has_half_kicks = true;            // of trees that are free
  bool refuses_long = false;             // kFarFromLaws and kTooLong in place of such steps
  CurvatureTerm curvature_term;
  Curvature curvature;  // unless the term is kNone
  VelocityProblem problem;
  RowInertiaScratch row_inertia;
  std::unique_ptr<Formulation> formulation;
  ReactionPasses reaction_passes;  // where joints have friction from their reactions
  ContactStiction stiction;        // where contacts have more friction at rest
  VecX guess, impulse;
  Solution solution;         // where there were impacts in phases, with their impulses
  double solve_seconds = 0;  // of wall time that it took
  std::vector<ImpactRow> impacts;
  std::vector<double> rates;  // scratch
  std::vector<int> modes;     // scratch
  RestitutionLaw restitution = RestitutionLaw::kNewton;
  std::unique_ptr<ImpactPhases> phases;  // of the law; null for Newton's
  bool has_phases = false;               // the step began with them
  ImpactEnergy impact_energy;
  bool check_pointed = false;
  PointedCone pointed_cone;
  PointedCone::Result pointed;  // of the last step, if that was to be checked
  TiedTrees tied;
  MeanVelocity mean;
  VecX held;  // per row: what constraints answer to inertia, N, N m
  ConstraintKick kick;
  VecX gamma;  // of the whole step: those of the solution and of the kick at its end
  MomentumTransport transport;
  StuckJoints stuck;
  FreeTrees free_trees;
  SurplusLimit surplus;
  bool has_kick = false;
  VecX kick_gamma, v_kick;  // of the kick, and v₁ with it; zero and v₁ where there is none
  VecX q1, v_mean, v_end, carried;
  VecX q0, v0;             // where the step came from, as a user saw it (StuckJoints, FreeTrees)
  VecX v_begin;            // v₀, of trees that are free half a step before
  VecX half_kick;          // of trees that have become free in the step
  VecX v_from, kick_time;  // v₀ or v_begin and what forces made of it, with their time
  Auditor auditor;
  Audit audit;
  ForceWork work;             // of the step
  double impact_work = kNaN;  // of contacts in a step with impacts (impact_energy.h), if audited
  // Friction of joints that stick: what the end of the step takes, and what was carried over, J.
  double stuck_work = 0;
  // Of constraints and contacts, friction and their own springs included.
  double constraint_work = 0;
};

// Fills in what a state does not know of itself before its first step, State::synchronous, by the
// impulses that a step of length h would have. Leaves it out where there is no such step.
void PrepareState(const Model& model, double h, State* state, StepWorkspace* workspace);

// One time step of length h. If the status is not kOk, the state is as before.
StepStatus Step(const Model& model, double h, State* state, StepWorkspace* workspace);

}  // namespace voigt
