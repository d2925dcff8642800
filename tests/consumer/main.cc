#include <voigt/voigt.h>

#include <cmath>
#include <cstdio>

// Simulates the scene named on the command line for one second.
int main(int, char** argv) {
  const voigt::Scene scene = voigt::LoadScene(argv[1]);
  voigt::Simulator simulator(scene.model, scene.settings, scene.initial);
  while (simulator.state().t < 1) {
    if (simulator.Step() != voigt::StepStatus::kOk) return 1;
  }
  std::printf("%s after %g s: q = %g\n", scene.model.name().c_str(), simulator.state().t,
              simulator.state().q[0]);
  return std::isfinite(simulator.state().q[0]) ? 0 : 1;
}
