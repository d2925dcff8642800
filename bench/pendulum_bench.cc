// The twelve-link pendulum of scenes/twelve_link_pendulum.yaml: steps without contact beside
// MuJoCo's, whole runs by every formulation, and minimal beside maximal coordinates.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "bench/side_by_side.h"
#include "tests/support/scenes.h"
#include "voigt/base/stopwatch.h"
#include "voigt/model/maximal.h"
#include "voigt/sim/run.h"

#ifdef VOIGT_BENCH_MUJOCO
#include "tests/mujoco/mujoco_model.h"
#endif

namespace voigt::bench {
namespace {

Scene LoadPendulumWith(const std::string& formulation, const std::string& until,
                       const std::string& coordinates = "minimal", bool audit = false) {
  return testing::LoadNamedScene("twelve_link_pendulum",
                                 {{"simulation.formulation", formulation},
                                  {"simulation.until", until},
                                  {"simulation.coordinates", coordinates},
                                  {"simulation.audit", audit ? "true" : "false"}});
}

#ifdef VOIGT_BENCH_MUJOCO
// The same bodies, hinges, shapes and start; contacts as MuJoCo has them.
std::string MakePendulumXml() {
  std::string xml =
      "<mujoco><option timestep='0.001' gravity='0 0 -9.81' cone='elliptic'/><worldbody>"
      "<geom type='box' size='30 5 0.1'/><geom type='box' size='0.1 5 6' pos='4.1 0 6.1'/>";
  for (int i = 0; i < 12; ++i) {
    xml += fmt::format(
        "<body pos='0 0 {}'><joint type='hinge' axis='0 -1 0'/>"
        "<inertial pos='0 0 -1' mass='1' diaginertia='0.025 0.025 0.025'/>"
        "<geom type='sphere' size='0.25' pos='0 0 -1' friction='0.5'/>",
        i == 0 ? 10 : -1);
  }
  for (int i = 0; i < 12; ++i) xml += "</body>";
  return xml + "</worldbody></mujoco>";
}

// Rounds of steps from the start, all before the first contact.
void CompareFreeSteps() {
  constexpr int kSteps = 120;  // the chain hits the floor after 143
  testing::MujocoModel mujoco = testing::MujocoModel::FromText(MakePendulumXml());
  fmt::print("steps without contact, us per step of 1 ms (median of 51 rounds of {})\n", kSteps);
  for (const char* formulation : {"compliant", "mlcp-lemke", "mncp-plm"}) {
    for (const bool audit : {false, true}) {
      const Scene scene = LoadPendulumWith(formulation, "20", "minimal", audit);
      Simulator simulator = testing::MakeSimulator(scene);
      const SideBySide result = Measure(
          51, 1,
          [&] {
            simulator.SetState(scene.initial);
            for (int i = 0; i < kSteps; ++i) simulator.Step();
          },
          [&] {
            mujoco.SetState(scene.initial.q, scene.initial.v);
            for (int i = 0; i < kSteps; ++i) mj_step(mujoco.model(), mujoco.data());
          });
      double distance = 0;
      for (int k = 0; k < 12; ++k) {
        distance = std::max(distance, std::abs(simulator.state().q[k] - mujoco.data()->qpos[k]));
      }
      fmt::print(
          "  {:<12}{:<10}{:>8.2f}   MuJoCo {:>8.2f}   ratio {:>5.2f}   apart by {:.1e} rad\n",
          formulation, audit ? "audited" : "", 1e6 * result.ours / kSteps,
          1e6 * result.theirs / kSteps, result.Ratio(), distance);
    }
  }
}
#endif

// Which part of a run's time goes into anything else than solving its constraint problems: each is
// solved once more beside its step.
double CalcShareOfSetUp(const Scene& scene, double until) {
  Simulator simulator = testing::MakeSimulator(scene);
  const auto formulation = MakeFormulation(scene.settings.formulation);
  Solution solution;
  VecX guess;
  double solving = 0, steps = 0;
  while (simulator.state().t < until) {
    const Stopwatch step;
    if (simulator.Step() != StepStatus::kOk) break;
    steps += step.Seconds();
    const VelocityProblem& problem = simulator.problem();
    if (problem.row_count() == 0) continue;
    guess.resize(problem.row_count());
    for (int i = 0; i < problem.row_count(); ++i) guess[i] = problem.rows[i].guess;
    const Stopwatch stopwatch;
    formulation->Solve(problem, guess, &solution);
    solving += stopwatch.Seconds();
  }
  return 1 - solving / steps;
}

void CompareRuns() {
  fmt::print("\nwhole runs of 20 s, 20 000 steps\n");
  fmt::print("  {:<16}{:>9}{:>13}{:>15}{:>12}{:>12}{:>13}\n", "", "s", "/ compliant",
             "with contact", "not solved", "worst", "set-up, %");
  double compliant = kNaN;
  for (FormulationKind kind : ListFormulationKinds()) {
    if (kind == FormulationKind::kCompliantQcqp) continue;  // for study: it would take minutes
    const Scene scene = LoadPendulumWith(std::string(ToString(kind)), "20");
    Simulator simulator = testing::MakeSimulator(scene);
    long with_contact = 0;
    const RunSummary run =
        Run(&simulator, nullptr, [&](double) { with_contact += simulator.contact_count() > 0; });
    if (kind == FormulationKind::kCompliant) compliant = run.wall_time;
    fmt::print("  {:<16}{:>9.3f}{:>13.2f}{:>15}{:>12}{:>12.1e}{:>13.1f}\n", ToString(kind),
               run.wall_time, run.wall_time / compliant, with_contact, run.solver.not_solved,
               run.solver.worst_residual, 100 * CalcShareOfSetUp(scene, 20));
  }
}

// Up to 0.3 s the chain has hit the floor, and runs are still together.
void CompareCoordinates() {
  fmt::print("\nminimal and maximal coordinates, the first 0.3 s\n");
  fmt::print("  {:<16}{:<10}{:>6}{:>7}{:>12}{:>13}{:>22}\n", "", "", "dofs", "rows", "us/step",
             "not solved", "joints apart, m");
  for (const char* formulation : {"compliant", "mlcp-lemke", "mncp-plm"}) {
    const Scene minimal = LoadPendulumWith(formulation, "0.3");
    const Scene maximal = LoadPendulumWith(formulation, "0.3", "maximal");
    Simulator joints = testing::MakeSimulator(minimal), bodies = testing::MakeSimulator(maximal);
    for (Simulator* simulator : {&joints, &bodies}) {
      const RunSummary run = Run(simulator, nullptr);
      const bool is_minimal = simulator == &joints;
      const MinimalState found =
          is_minimal ? MinimalState{}
                     : ToMinimalState(maximal.model, bodies.state(), minimal.model, joints.state());
      fmt::print("  {:<16}{:<10}{:>6}{:>7}{:>12.1f}{:>13}{:>22.1e}\n", formulation,
                 is_minimal ? "minimal" : "maximal", simulator->model().nv(), run.solver.most_rows,
                 1e6 * run.wall_time / static_cast<double>(run.steps), run.solver.not_solved,
                 found.position_error);
      if (is_minimal) continue;
      fmt::print("  {:<16}angles of both apart by {:.1e} rad at the end\n", "",
                 (found.state.q - joints.state().q).cwiseAbs().maxCoeff());
    }
  }
}

}  // namespace
}  // namespace voigt::bench

int main() {
#ifdef VOIGT_BENCH_MUJOCO
  voigt::bench::CompareFreeSteps();
#else
  fmt::print("MuJoCo is not installed: steps without contact are not compared.\n");
#endif
  voigt::bench::CompareRuns();
  voigt::bench::CompareCoordinates();
}
