// One step's contacts of a bed of rigid spheres, solved by maximum dissipation, by Lemke's method
// and by `compliant`: time against the number of contacts. The problem is the same for all, that of
// a bed which has fallen for half a second; all start from zero. Times are those of the processor.

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <string>

#include "tests/support/scenes.h"
#include "voigt/sim/run.h"

namespace voigt::bench {
namespace {

constexpr double kPatience = 20;  // s: a method that takes longer is left out from there on

struct Timed {
  double seconds = kNaN;
  double residual = kNaN;
  SolveStatus status = SolveStatus::kFailed;
};

Timed TimeSolve(FormulationKind kind, const VelocityProblem& problem) {
  FormulationSettings settings;
  settings.kind = kind;
  const auto formulation = MakeFormulation(settings);
  Solution solution;
  Timed out;
  const std::clock_t start = std::clock();
  formulation->Solve(problem, VecX(), &solution);
  out.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  out.residual = solution.residual;
  out.status = solution.status;
  return out;
}

// A bed of n × n spheres in layers, rigid, half a second after they were let go.
Simulator MakeBed(int n, int layers) {
  const std::string count = std::to_string(n);
  Scene scene =
      testing::LoadNamedScene("spheres_in_box", {{"parameters.nx", count},
                                                 {"parameters.ny", count},
                                                 {"parameters.layers", std::to_string(layers)},
                                                 {"materials.default", "{friction: 0.3}"},
                                                 {"simulation.step", "0.005"},
                                                 {"simulation.until", "0.5"}});
  Simulator simulator = testing::MakeSimulator(scene);
  voigt::Run(&simulator, nullptr);
  return simulator;
}

void RunAll() {
  constexpr FormulationKind kKinds[] = {
      FormulationKind::kCompliant, FormulationKind::kMaxDissipation, FormulationKind::kMlcpLemke,
      FormulationKind::kStabilizedLcp};
  bool is_out[std::size(kKinds)] = {};
  fmt::print("{:>9}{:>9}", "spheres", "contacts");
  for (FormulationKind kind : kKinds) fmt::print("{:>18}{:>10}", ToString(kind), "residual");
  fmt::print("\n");
  for (const auto& [n, layers] :
       {std::pair{2, 1}, {2, 2}, {3, 2}, {3, 4}, {4, 4}, {4, 7}, {5, 8}}) {
    const Simulator bed = MakeBed(n, layers);
    const VelocityProblem& problem = bed.problem();
    const auto contacts = std::count_if(problem.groups.begin(), problem.groups.end(),
                                        [](auto& g) { return g.law == Law::kContact; });
    fmt::print("{:>9}{:>9}", n * n * layers, contacts);
    for (size_t k = 0; k < std::size(kKinds); ++k) {
      if (is_out[k]) {
        fmt::print("{:>18}{:>10}", "-", "-");
        continue;
      }
      const Timed timed = TimeSolve(kKinds[k], problem);
      is_out[k] = timed.seconds > kPatience;
      fmt::print("{:>15.4f} s{}{:>10.1e}", timed.seconds,
                 timed.status == SolveStatus::kSolved ? ' ' : '!', timed.residual);
      std::fflush(stdout);
    }
    fmt::print("\n");
  }
  fmt::print("!: not solved to 1e-12. -: would take longer than {} s.\n", kPatience);
}

}  // namespace
}  // namespace voigt::bench

int main() { voigt::bench::RunAll(); }
