// [Drumwright 2019, table 1]: how long a second of the cube on its elastic foundation takes, by
// constraints and by the integrators of the paper.

#include "reproduce/experiment_list.h"
#include "reproduce/foundation_ode.h"
#include "voigt/base/stopwatch.h"

namespace voigt::reproduce {
namespace {

struct TimedRun {
  double wall_time = 0;  // s
  double evaluations = 0;
};

TimedRun TimeMethod(const Trial& trial, OdeMethod method, const FoundationCase& c, double until) {
  const Stopwatch stopwatch;
  const OdeRun run = IntegrateFoundation(trial, method, c, until);
  return {stopwatch.Seconds(), static_cast<double>(run.evaluations)};
}

// Quantities of one stiffness and number of elements.
struct LoadPair {
  double light = 0, heavy = 0;
};

}  // namespace

void Run000Table1(Trial* trial) {
  std::map<std::string, LoadPair> evaluations;
  for (const FoundationCase& c : ListFoundationCases()) {
    RunFoundation(*trial, c, 0.01);  // warms caches up
    const double ours = RunFoundation(*trial, c, 0.01).wall_time;
    trial->Set("time_" + c.name(), ours);
    const TimedRun explicit_run = TimeMethod(*trial, IntegrateExplicitly, c, 1);
    trial->Set("ode45_" + c.name(), explicit_run.wall_time);
    const TimedRun implicit_run = TimeMethod(*trial, IntegrateImplicitly, c, 1);
    trial->Set("ode15s_" + c.name(), implicit_run.wall_time);

    const std::string foundation = fmt::format("{}_{}", c.per_side * c.per_side, c.E);
    const bool is_light = std::string(c.load) == "5";
    LoadPair& pair = evaluations[foundation];
    (is_light ? pair.light : pair.heavy) = implicit_run.evaluations;
    if (is_light) {
      const double longer = TimeMethod(*trial, IntegrateImplicitly, c, 2).evaluations;
      trial->Set("steady_" + foundation, longer / implicit_run.evaluations - 1);
    }
    if (std::string(c.E) == "1e11") trial->Set("gain_" + c.name(), explicit_run.wall_time / ours);
  }
  for (const auto& [foundation, pair] : evaluations) {
    trial->Set("rocking_" + foundation, pair.heavy / pair.light);
  }
}

}  // namespace voigt::reproduce
