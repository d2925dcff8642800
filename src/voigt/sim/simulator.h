#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "voigt/audit/audit.h"
#include "voigt/events/event_integrator.h"
#include "voigt/model/model.h"
#include "voigt/model/state.h"
#include "voigt/sim/actuator_report.h"
#include "voigt/sim/contact_report.h"
#include "voigt/sim/energy.h"
#include "voigt/sim/energy_books.h"
#include "voigt/sim/force_report.h"
#include "voigt/sim/guide_report.h"
#include "voigt/sim/held_reporter.h"
#include "voigt/sim/impact_energy.h"
#include "voigt/sim/reactions.h"
#include "voigt/sim/settings.h"
#include "voigt/sim/step.h"
#include "voigt/steppers/adaptive.h"
#include "voigt/steppers/runge_kutta4.h"

namespace voigt {

// Sums over steps; residuals are relative (audit/law_residual.h).
struct SolverTotals {
  long newton_iterations = 0, factorizations = 0, friction_passes = 0;
  long sweeps = 0;           // over packed beds, contact by contact
  long not_solved = 0;       // steps whose status was neither kSolved nor kRedundant
  long inaccurate = 0;       // of them, steps with a residual that is worse than kAcceptable
  long unsettled_loads = 0;  // of them, steps that lack nothing else (Solution)
  long inflated = 0;         // rows that pushed more than their law, over all steps
  long shortened = 0;        // steps that were taken in parts, or would have been
  long redundant = 0;        // steps in which rigid rows that repeat each other were shared out
  double worst_residual = 0;
  int most_rows = 0;
  // By the last attempt that an island of theirs took: how many problems, and the time that their
  // solutions took (of impacts that end steps by events, none is taken).
  struct Solved {
    long count = 0;
    double seconds = 0;
  };
  std::array<Solved, kAttemptCount> solved_by{};

  // Faces that turn contradict each other by as much: no solver does better there.
  static constexpr double kAcceptable = 1e-8;

  void Add(const VelocityProblem& problem, const Solution& solution, Attempt solved_by,
           double seconds);
  const Solved& by(Attempt attempt) const { return solved_by[static_cast<int>(attempt)]; }
  // The last attempt that any problem took.
  Attempt hardest() const;
};

// The worst of every number of the audit over all steps.
struct AuditTotals {
  long steps = 0;            // that were judged
  long failed = 0;           // that had a number beyond its tolerance
  Audit worst;               // NaN where nothing was judged
  bool is_anew = false;      // AuditKind::kAnew
  double tolerance = 1e-12;  // of the law

  void Add(const Audit& audit);
  void AddMoment(const Audit& audit);
};

// Contact points that carry force, over all steps.
struct ContactTotals {
  long sum = 0;
  int most = 0;
};

// Friction cones, where SimulationSettings::check_pointed asks for them.
struct ConeTotals {
  long not_pointed = 0;             // steps
  double first = kNaN;              // s, when the first of those began
  double least_margin = kInfinity;  // PointedCone::Result::margin
  long uncertain = 0;               // steps whose margin was not found to its last digits

  void Add(const PointedCone::Result& result, double t);
};

// A model in motion.
//
//   Scene scene = LoadScene("scenes/double_pendulum.yaml");
//   Simulator simulator(scene.model, scene.settings, scene.initial);
//   while (simulator.state().t < 10 && simulator.Step() == StepStatus::kOk) …
//
// In a control loop, inputs come before each step and measurements after it; nothing of that
// allocates memory once it is warm (examples/balance_controller.h):
//
//   const int motor = *simulator.model().FindActuator("motor");
//   while (simulator.state().t < 10) {
//     simulator.SetInput(motor, Control(simulator.state()));
//     if (simulator.Step() != StepStatus::kOk) break;
//   }
class Simulator {
 public:
  // Throws InputError if the model cannot be simulated: a rate without inertia, constraints that
  // the integrator does not know, a state of the wrong size.
  Simulator(Model model, const SimulationSettings& settings, State initial);

  // Advances by settings().step, or by h. Once a step fails, the state stays as it was before that
  // step and every further call returns the same status.
  StepStatus Step() { return Step(settings_.step); }
  StepStatus Step(double h);
  // Asked within steps that may take long (event-driven): where it returns true, the step ends with
  // kStopped, and all is as before it. Null: nobody is asked.
  void SetStop(std::function<bool()> stop) { stop_ = std::move(stop); }

  // What a controller does: actuator inputs, forces on rates, wrenches on bodies. It acts in the
  // next step and holds until it is changed. It is part of the state, and sizes must stay as they
  // are: one input per actuator, and a force for every rate or none.
  Inputs& inputs() { return state_.inputs; }
  // u of one actuator, by its place in Model::actuators() or its name; NaN gives it back to the
  // scene. Throws InputError if there is no such name.
  void SetInput(int actuator, double u);
  void SetInput(std::string_view actuator, double u);

  // Goes on from another state of the same model, with its inputs. Sums over steps go on too.
  // Throws InputError like the constructor.
  void SetState(State state);

  const Model& model() const { return *model_; }
  const State& state() const { return state_; }
  const SimulationSettings& settings() const { return settings_; }
  StepStatus status() const { return status_; }
  // Which contact, joint or constraint a step has failed at, where the integrator event-driven
  // knows: "the contact of rod and floor, point 0"; otherwise empty.
  const std::string& trouble() const { return trouble_; }
  long steps() const { return steps_; }

  Energy CalcEnergy();

  // Where the bodies are and how they move in the present state; good until the next call of
  // anything here. CalcBodyPose and CalcPointVelocity read it.
  const Kinematics& CalcKinematics();

  // The work of loads, dampers and drives since the start.
  double work() const { return work_; }

  // The same of constraints and contacts: what friction, impacts and dampers took, or what moving
  // ones brought in, and what their springs hold (Energy::InRows).
  double constraint_work() const { return constraint_work_; }

  // Both, line by line (energy_books.h), of semi-implicit Euler steps, and without what springs
  // hold now: the sum is work() + constraint_work() + CalcEnergy().InRows().
  EnergyLines CalcEnergyLines();
  // Energy that no law explains, of the same.
  UnexplainedEnergy unexplained() const { return books_.unexplained(); }

  // What solving the constraints took and left, over all steps.
  const SolverTotals& solver() const { return solver_; }

  const AuditTotals& audit() const { return audit_; }
  // With the integrator event-driven: forces and accelerations where steps end (ListMomentItems).
  // audit() has impacts there.
  const AuditTotals& moments() const { return moments_; }
  // That of the last step, or of the moment where it ended; null if it was not judged.
  const Audit* step_audit() const;

  // Energy that impacts brought in; counted where steps are audited.
  const ImpactTotals& impacts() const { return impacts_; }

  const ConeTotals& cones() const { return cones_; }
  // Of the integrator event-driven; otherwise none. The list is that of the last step.
  EventTotals events() const { return event_driven_ ? event_driven_->totals() : EventTotals(); }
  std::span<const Event> last_events() const;
  // Changes of what friction does, in the last step: all of it with the integrator event-driven; in
  // time steps friction that comes from reactions and that of contacts with μ_s > μ, at the ends of
  // steps. What it does where a run begins is a change from Stiction::kOpen.
  std::span<const Transition> last_transitions() const { return transitions_; }
  // What prescribed motion of joints of the tree takes, per rate, N or N m, zero where none is:
  // now, with the integrator event-driven, and as the mean over the last step in time steps.
  VecX prescribed_force() const;

  const ContactTotals& contacts() const { return contacts_; }
  // Of the last step.
  int contact_count() const { return contact_count_; }

  // The work that was done before the start, of a run that goes on where another one ended.
  void SetWork(double work, double constraint_work);

  // The problem and the solution of the last semi-implicit Euler step. Impulses of impacts by
  // Poisson's law are in the solution; the problem knows no such law. Before the first step, those
  // by which State::synchronous was found, if it was not known. Empty with other integrators.
  const VelocityProblem& problem() const;
  const Solution& solution() const;

  // The contact points of the last semi-implicit Euler step, foreseen ones included; of the
  // integrator event-driven those that are closed now, with the forces of this moment. None before
  // the first step.
  void ListContacts(std::vector<ContactReport>* out) const;

  // What joints transmitted in the last semi-implicit Euler step, or, event-driven and in trees
  // that are free (State::synchronous), what they do now; nothing before the first.
  void CalcReactions(Reactions* out);

  // Accelerations, forces of drives, and forces on the rows of constraints: means over the last
  // semi-implicit Euler step, or, with other integrators and in trees that are free, of this
  // moment. Of a step that was taken in parts, forces are those of the last part, as are all
  // reports of contacts and reactions.
  void CalcForces(ForceReport* out);

  // Friction of joints and guided points that comes from their reactions, in the last semi-implicit
  // Euler step, or, event-driven, now; nothing before the first.
  void ListGuides(std::vector<GuideReport>* out) const;

  // What sensors on the actuators would say now.
  void ListActuators(std::vector<ActuatorReport>* out);

  // How many pairs of shapes, summed over steps, had contacts whose last digits are not certain.
  long inexact_contacts() const { return inexact_contacts_; }

  // How often a body's spin was too fast for the step (see spin.h).
  long spin_failures() const { return spin_failures_; }

 private:
  StepStatus Advance(double h);
  StepStatus AdvanceByTimeStep(double h);
  StepStatus AdvanceInParts(double h);
  StepStatus AdvanceByEvents(double h);
  RowStorage CalcStorage();
  void NameTrouble();
  void Prepare();
  bool UpdateEquations();
  void ReplaceReactionsOfFreeTrees(Reactions* out);
  void ReplaceForcesOfFreeTrees(ForceReport* out);
  void JudgeMoment();
  bool step_is_judged() const {
    return settings_.has_audit() && workspace_->problem.row_count() > 0;
  }
  void ListTransitions();

  std::unique_ptr<const Model> model_;  // on the heap: integrators keep pointers to it
  SimulationSettings settings_;
  State state_;
  std::function<bool()> stop_;
  State next_;    // scratch of steps that may fail on their way
  State before_;  // the step, where it is judged anew
  std::vector<int> modes_before_;
  std::vector<Transition> transitions_;
  StepStatus status_ = StepStatus::kOk;
  std::string trouble_;
  long steps_ = 0;
  bool has_last_step_ = false;  // the workspace has what led to the state
  double work_ = 0, constraint_work_ = 0;
  EnergyBooks books_;
  RowStorageFinder row_storage_;
  double work_before_ = 0;  // of the adaptive integrator's sum
  long spin_failures_ = 0;
  long inexact_contacts_ = 0;
  SolverTotals solver_;
  AuditTotals audit_, moments_;
  Audit moment_;  // of the last step, event-driven
  ImpactTotals impacts_;
  ConeTotals cones_;
  ContactTotals contacts_;
  int contact_count_ = 0;
  VecX v_before_;           // StepWorkspace::v_begin of the first part of the last step
  double step_length_ = 0;  // of all of its parts, s
  Kinematics energy_scratch_;
  ReactionFinder reactions_;
  HeldReporter held_;
  ActuatorReporter actuators_;

  // Of these, the one that the settings name.
  std::optional<StepWorkspace> workspace_;
  std::optional<RungeKutta4> runge_kutta_;
  std::optional<AdaptiveIntegrator> adaptive_;
  std::optional<EventIntegrator> event_driven_;
  // Of integrators without constraints; of semi-implicit Euler where trees are free.
  std::optional<EquationsOfMotion> equations_;
  std::vector<Vec6> reactions_now_;
  VecX acceleration_now_;
};

}  // namespace voigt
