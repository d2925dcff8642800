// How the time of voigt's steps grows with the number of contacts: a stack of spheres, and a cube
// on an elastic foundation. Beside other engines both are scenes of bench_peers.

#include <cmath>
#include <functional>

#include "bench/growth.h"
#include "tests/support/scenes.h"
#include "voigt/base/stopwatch.h"

namespace voigt::bench {
namespace {

constexpr int kRounds = 5;

// Runs every size from its start, in turn, and prints what it took.
void MeasureGrowth(const char* title, const char* scene_name, const std::vector<int>& parameters,
                   const std::vector<int>& sizes, int steps) {
  std::vector<Scene> scenes;
  for (int n : parameters) {
    scenes.push_back(testing::LoadNamedScene(scene_name, {{"parameters.n", std::to_string(n)}}));
  }
  std::vector<Times> times(sizes.size());
  for (int round = 0; round < kRounds; ++round) {
    for (size_t k = 0; k < scenes.size(); ++k) {
      Simulator simulator = testing::MakeSimulator(scenes[k]);
      const Stopwatch stopwatch;
      for (int i = 0; i < steps; ++i) simulator.Step();
      times[k].seconds.push_back(stopwatch.Seconds());
    }
  }
  PrintGrowth(title, sizes, times, steps);
}

int Main() {
  const std::vector<int> spheres = {100, 200, 500, 1000};
  MeasureGrowth("voigt: spheres in the stack, 500 steps", "sphere_stack", spheres, spheres, 500);
  MeasureGrowth("voigt: springs under the cube, 100 steps", "foundation", {10, 20, 30, 40},
                {100, 400, 900, 1600}, 100);
  return 0;
}

}  // namespace
}  // namespace voigt::bench

int main() { return voigt::bench::Main(); }
