// A drum with a load on it, held by a belt brake (belt_brake.h): with how much force the lever has
// to be pulled down so that the load stays, in both senses, found by trying and by the formula of
// Euler and Eytelwein, T₂ = T₁ exp(μφ).

#include <fmt/format.h>

#include <cmath>

#include "examples/belt_brake_model.h"
#include "voigt/sim/simulator.h"

namespace {

using voigt::examples::BeltBrakeModel;

// Whether the drum is at rest after a while.
bool Holds(const BeltBrakeModel& brake) {
  voigt::SimulationSettings settings;
  settings.step = 1e-3;
  voigt::Simulator simulator(brake.Build(), settings, brake.MakeState());
  for (int k = 0; k < 20; ++k) simulator.Step();
  return std::fabs(simulator.state().v[0]) < 1e-9;
}

}  // namespace

int main() {
  BeltBrakeModel brake;
  fmt::print("{:>8}{:>8}{:>16}{:>16}\n", "mu", "sense", "pull found [N]", "by formula [N]");
  for (double mu : {0.1, 0.2, 0.4}) {
    for (double sense : {1.0, -1.0}) {
      brake.mu = mu;
      brake.torque = sense * 10;
      double low = 0, high = 1e4;
      for (int k = 0; k < 40; ++k) {
        brake.pull = 0.5 * (low + high);
        (Holds(brake) ? high : low) = brake.pull;
      }
      fmt::print("{:>8}{:>8}{:>16.6f}{:>16.6f}\n", mu, sense > 0 ? "eased" : "taut", high,
                 brake.CalcLeastPull());
    }
  }
  return 0;
}
