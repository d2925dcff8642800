// Many loops: the time of a step of the row of four-bar mechanisms [González et al. 2006], and how
// it grows with their number; and what judging every step (audit/audit.h) adds to it, here and in
// scenes with contacts.

#include <fmt/format.h>

#include "bench/growth.h"
#include "bench/side_by_side.h"
#include "voigt/voigt.h"

namespace voigt::bench {
namespace {

constexpr int kRounds = 7, kSteps = 200;

// The same steps from the start, alternately with the audit and without.
void CompareAudit() {
  constexpr int kAuditRounds = 15, kAuditSteps = 100;
  fmt::print("\nsteps with the audit and without, alternately, median of {} rounds of {} steps\n",
             kAuditRounds, kAuditSteps);
  fmt::print("  {:<18}{:>6}{:>14}{:>14}{:>9}\n", "scene", "rows", "audited, us", "not, us",
             "ratio");
  for (const char* name : {"n_four_bar", "slider_crank", "hand_and_glass", "humanoid", "box_stack",
                           "card_house", "sphere_stack", "foundation"}) {
    Scene scene = LoadScene(fmt::format("{}/scenes/{}.yaml", VOIGT_SOURCE_DIR, name));
    const auto make = [&](bool audit) {
      scene.settings.audit = audit ? AuditKind::kStep : AuditKind::kOff;
      return Simulator(scene.model, scene.settings, scene.initial);
    };
    Simulator audited = make(true), plain = make(false);
    const auto run = [&](Simulator* simulator) {
      simulator->SetState(scene.initial);
      for (int i = 0; i < kAuditSteps; ++i) simulator->Step();
    };
    const SideBySide result =
        Measure(kAuditRounds, 1, [&] { run(&audited); }, [&] { run(&plain); });
    fmt::print("  {:<18}{:>6}{:>14.2f}{:>14.2f}{:>9.3f}\n", name, plain.solver().most_rows,
               1e6 * result.ours / kAuditSteps, 1e6 * result.theirs / kAuditSteps, result.Ratio());
  }
}

int Main() {
  const std::vector<int> sizes = {10, 20, 50, 100, 200};
  std::vector<Scene> scenes;
  for (int size : sizes) {
    scenes.push_back(LoadScene(std::string(VOIGT_SOURCE_DIR) + "/scenes/n_four_bar.yaml",
                               {Override{"parameters.n", std::to_string(size)}}));
  }
  std::vector<Times> times(sizes.size());
  for (int round = 0; round < kRounds; ++round) {
    for (size_t k = 0; k < sizes.size(); ++k) {
      Simulator simulator(scenes[k].model, scenes[k].settings, scenes[k].initial);
      simulator.Step();  // finds its memory
      const Stopwatch stopwatch;
      for (int i = 0; i < kSteps; ++i) simulator.Step();
      times[k].seconds.push_back(stopwatch.Seconds());
      if (simulator.status() != StepStatus::kOk || simulator.solver().not_solved > 0) {
        fmt::print("{} loops: {}\n", sizes[k], Explain(simulator.status()));
        return 1;
      }
    }
  }
  PrintGrowth(
      fmt::format("voigt: loops in the row, {} steps of {} s", kSteps, scenes[0].settings.step)
          .c_str(),
      sizes, times, kSteps);
  CompareAudit();
  return 0;
}

}  // namespace
}  // namespace voigt::bench

int main() { return voigt::bench::Main(); }
