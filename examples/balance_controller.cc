// Keeps a robot on two wheels upright, and lets somebody push it:
//
//   balance_controller scenes/balancing_robot.yaml
//
// Prints what the robot does. Exit status: 0 if it stands at the end, 1 if it fell or a step
// failed, 2 if the scene was bad.

#include "examples/balance_controller.h"

#include <fmt/format.h>

#include <exception>

#include "voigt/io/scene.h"

namespace voigt::examples {
namespace {

int Balance(const char* path) {
  const Scene scene = LoadScene(path);
  Simulator simulator(scene.model, scene.settings, scene.initial);
  BalanceController controller(simulator);
  const int body = *scene.model.FindBody("body");

  const int steps_per_line = static_cast<int>(std::lround(0.5 / scene.settings.step));
  for (int i = 0; simulator.state().t < 10; ++i) {
    // A push at the head after three seconds, for a tenth of a second.
    const double t = simulator.state().t;
    simulator.inputs().wrenches.clear();
    if (t >= 3 && t < 3.1) {
      simulator.inputs().wrenches.push_back({body, {0, 0, 0.35}, {8, 0, 0}, Vec3::Zero()});
    }
    if (controller.Step(&simulator) != StepStatus::kOk) {
      fmt::print(stderr, "{}\n", Explain(simulator.status()));
      return 1;
    }
    if (i % steps_per_line != 0) continue;
    fmt::print("t {:5.2f} s   x {:7.3f} m   tilt {:7.4f} rad\n", simulator.state().t,
               controller.position(), controller.tilt());
  }
  controller.Measure(&simulator);
  const bool stands = std::abs(controller.tilt()) < 0.01 && std::abs(controller.position()) < 0.1;
  fmt::print("{} at x = {:.3f} m, tilt {:.4f} rad\n", stands ? "stands" : "does not stand",
             controller.position(), controller.tilt());
  return stands ? 0 : 1;
}

}  // namespace
}  // namespace voigt::examples

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: balance_controller SCENE\n");
    return 2;
  }
  try {
    return voigt::examples::Balance(argv[1]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
