#include "reproduce/engine_run.h"

#include <algorithm>
#include <ctime>

#include "voigt/events/event_integrator.h"

namespace voigt::reproduce {
namespace {

constexpr double kEventInterval = 5e-4;  // s, between two outputs
// Of time stepping, s: so long that contacts which may close within it are as many as in the paper.
constexpr double kEngineStep = 2.5e-4;

// Of the processor, so that other programs do not count.
double ReadProcessorTime() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Solves problems of a run again, by both models in turn.
class BothModels {
 public:
  explicit BothModels(FormulationSettings settings) {
    settings.kind = FormulationKind::kMaxDissipation;
    dissipation_ = MakeFormulation(settings);
    settings.kind = FormulationKind::kStabilizedLcp;
    settings.impulse_space.directions = 4;
    lcp_ = MakeFormulation(settings);
  }

  void Solve(const VelocityProblem& problem, double t, EngineRun* out) {
    const double start = ReadProcessorTime();
    Time(problem, t, dissipation_.get(), &first_, &out->dissipation);
    Time(problem, t, lcp_.get(), &second_, &out->lcp);
    const double size = std::max(first_.v1.lpNorm<Eigen::Infinity>(), 1e-300);
    const double difference = (first_.v1 - second_.v1).lpNorm<Eigen::Infinity>() / size;
    out->difference = std::max(out->difference, difference);
    seconds_ += ReadProcessorTime() - start;
  }

  double seconds() const { return seconds_; }

 private:
  static void Time(const VelocityProblem& problem, double t, Formulation* formulation,
                   Solution* solution, SolveTimes* out) {
    const double start = ReadProcessorTime();
    formulation->Solve(problem, VecX(), solution);
    const double seconds = ReadProcessorTime() - start;
    out->points.emplace_back(t, 1e3 * seconds);
    out->sum += seconds;
    ++out->solves;
    out->failures +=
        solution->status != SolveStatus::kSolved && solution->status != SolveStatus::kRedundant;
  }

  std::unique_ptr<Formulation> dissipation_, lcp_;
  Solution first_, second_;
  double seconds_ = 0;
};

}  // namespace

EngineRun RunEngineByEvents(const Trial& trial, const std::string& name, FormulationKind kind,
                            double until) {
  const Scene scene =
      trial.LoadScene(name, {{"simulation.integrator", "event-driven"},
                             {"simulation.formulation", std::string(ToString(kind))}});
  EngineRun out;
  BothModels both(scene.settings.formulation);
  EventIntegrator integrator(scene.model, scene.settings.formulation, false);
  State state = scene.initial;
  long touching = 0, impacts = 0;
  integrator.SetImpactListener([&](const Impact& impact) {
    touching += impact.touch_count();
    ++impacts;
    both.Solve(impact.problem(), state.t, &out);
    trial.Tick();
  });
  const double start = ReadProcessorTime();
  for (int k = 1; state.t < until; ++k) {
    if (integrator.AdvanceTo(std::min(k * kEventInterval, until), &state) != EventStatus::kOk)
      break;
    out.reached = state.t;
    out.work += integrator.work();
    out.loss -= integrator.contact_work();
    out.least_loss = std::min(out.least_loss, -integrator.contact_work());
  }
  out.seconds = ReadProcessorTime() - start - both.seconds();
  out.events = integrator.totals().events();
  out.most_touching = integrator.totals().most_simultaneous;
  out.contacts = static_cast<double>(touching) / static_cast<double>(std::max(impacts, 1L));
  return out;
}

EngineRun RunEngineBySteps(const Trial& trial, const std::string& name, FormulationKind kind,
                           double until, int every) {
  Scene scene = trial.LoadScene(name, {{"simulation.formulation", std::string(ToString(kind))}});
  scene.settings.step = kEngineStep;
  scene.settings.audit = AuditKind::kOff;
  scene.settings.formulation.impulse_space.directions = 4;
  Simulator simulator = MakeSimulator(scene);
  EngineRun out;
  BothModels both(scene.settings.formulation);
  double lost = 0;
  const double start = ReadProcessorTime();
  trial.Step(&simulator, scene.settings.step, until, [&] {
    out.least_loss = std::min(out.least_loss, lost - simulator.constraint_work());
    lost = simulator.constraint_work();
    const double contacts = static_cast<double>(simulator.problem().groups.size());
    out.most_contacts = std::max(out.most_contacts, contacts);
    if (simulator.steps() % every != 0) return;
    out.contacts += contacts;
    both.Solve(simulator.problem(), simulator.state().t, &out);
  });
  out.seconds = ReadProcessorTime() - start - both.seconds();
  out.contacts /= static_cast<double>(std::max(out.lcp.solves, 1L));
  out.reached = simulator.state().t;
  out.loss = -simulator.constraint_work();
  out.work = simulator.work();
  out.not_solved = simulator.solver().not_solved;
  return out;
}

}  // namespace voigt::reproduce
