// Many loops: the time of a step of the row of four-bar mechanisms [González et al. 2006], and how
// it grows with their number.

#include <fmt/format.h>

#include "bench/growth.h"
#include "voigt/voigt.h"

namespace voigt::bench {
namespace {

constexpr int kRounds = 7, kSteps = 200;

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
  return 0;
}

}  // namespace
}  // namespace voigt::bench

int main() { return voigt::bench::Main(); }
