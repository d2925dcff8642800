// A cube on an elastic foundation for one second [Drumwright 2019, Table 1], in one process and one
// thread: steps of the library, backward differentiation (SUNDIALS, where it is installed) and
// explicit Runge–Kutta methods (Boost.Odeint) on equations written down by hand. Errors are those
// of sink and tilt at the end beside the same springs integrated tightly.

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "bench/side_by_side.h"
#include "tests/support/foundation_scene.h"
#include "voigt/base/stopwatch.h"
#ifdef VOIGT_BENCH_SUNDIALS
#include "tests/sundials/bdf.h"
#endif

namespace voigt::bench {
namespace {

using testing::FoundationCase;
using testing::FoundationOde;
using testing::PoseVector;

constexpr double kUntil = 1;
constexpr int kRounds = 5;
constexpr double kOnce = 1;       // s: what takes longer runs once
constexpr double kPatience = 10;  // s: what takes longer is ended

struct Outcome {
  double seconds = 0;
  bool finished = false;
  long steps = 0;
  PoseVector pose;
};

struct Method {
  std::string name, setting;
  std::function<Outcome(const FoundationCase&)> run;
};

// Tolerances in SI units, as an integrator takes them by default, or in units of the static depth
// and the springs' frequency, in which they mean something.
struct Tolerance {
  bool natural = true;
  double relative = 1e-3, absolute = 1e-3;

  FoundationOde::Units Units(const FoundationCase& c) const {
    return natural ? FoundationOde::NaturalUnits(c) : FoundationOde::Units{};
  }
  std::string ToString() const {
    return natural ? fmt::format("{:.0e} of the depth", relative)
                   : fmt::format("{:.0e}, {:.0e} m", relative, absolute);
  }
};

Method MakeVoigt(double h) {
  return {"voigt", fmt::format("h = {} s", h), [=](const FoundationCase& c) {
            const Scene scene = testing::LoadFoundationScene(c);
            Simulator simulator = testing::MakeSimulator(scene);
            Outcome out;
            const Stopwatch stopwatch;
            for (out.steps = 0; out.steps < std::lround(kUntil / h); ++out.steps) simulator.Step(h);
            out.seconds = stopwatch.Seconds();
            out.finished =
                simulator.status() == StepStatus::kOk && simulator.solver().not_solved == 0;
            out.pose = simulator.state().q;
            return out;
          }};
}

Method MakeExplicit(int order, const Tolerance& tolerance) {
  return {order == 5 ? "Dormand-Prince 5(4)" : "Fehlberg 8(7)", tolerance.ToString(),
          [=](const FoundationCase& c) {
            const FoundationOde ode(c, tolerance.Units(c));
            const Stopwatch stopwatch;
            const testing::ExplicitRun run = IntegrateExplicitly(
                ode, kUntil, {order, tolerance.relative, tolerance.absolute, kPatience});
            return Outcome{stopwatch.Seconds(), run.finished, run.steps, ode.PoseOf(run.x.data())};
          }};
}

#ifdef VOIGT_BENCH_SUNDIALS
Method MakeBdf(int order, const Tolerance& tolerance) {
  return {order == 1 ? "CVODE, order 1" : fmt::format("CVODE, orders 1 to {}", order),
          tolerance.ToString(), [=](const FoundationCase& c) {
            const FoundationOde ode(c, tolerance.Units(c));
            testing::BdfSettings settings;
            settings.relative = tolerance.relative;
            settings.absolute = tolerance.absolute;
            settings.largest_order = order;
            settings.largest_step = 0.01;
            settings.patience = kPatience;
            const std::vector<double> start(FoundationOde::State{}.size());
            const auto rate = [&](double t, const double* x, double* dx) {
              ode.CalcRate(t, x, dx);
            };
            const Stopwatch stopwatch;
            const testing::BdfRun run = testing::IntegrateByBdf(rate, start, kUntil, settings);
            return Outcome{stopwatch.Seconds(), run.finished, run.steps, ode.PoseOf(run.x.data())};
          }};
}
#endif

std::vector<Method> MakeMethods() {
  const Tolerance si{false, 1e-3, 1e-6}, loose{true, 1e-3, 1e-3}, tight{true, 1e-6, 1e-6};
  std::vector<Method> out = {MakeVoigt(0.01), MakeVoigt(0.001)};
#ifdef VOIGT_BENCH_SUNDIALS
  out.push_back(MakeBdf(1, si));
  out.push_back(MakeBdf(1, loose));
  out.push_back(MakeBdf(5, si));
  out.push_back(MakeBdf(5, loose));
  out.push_back(MakeBdf(5, tight));
#endif
  out.push_back(MakeExplicit(5, si));
  out.push_back(MakeExplicit(5, loose));
  out.push_back(MakeExplicit(5, tight));
  out.push_back(MakeExplicit(8, tight));
  return out;
}

// Two directions of the quaternion's vector part, doubled, are the tilt.
double TiltError(const PoseVector& a, const PoseVector& b) {
  return 2 * (a - b).segment<2>(4).norm();
}

double SinkError(const PoseVector& a, const PoseVector& b) { return std::abs(a[2] - b[2]); }

void PrintLine(const Method& method, const Outcome& outcome, double seconds, double ours,
               const PoseVector& reference) {
  fmt::print("  {:<22}{:<20}{:>9}", method.name, method.setting, outcome.steps);
  if (!outcome.finished) {
    const std::string late = fmt::format("> {:.0f}", 1e3 * kPatience);
    fmt::print("{:>13}\n", outcome.seconds > kPatience ? late : "failed");
    return;
  }
  fmt::print("{:>13.2f}{:>14.4f}{:>15.1e}{:>16.1e}\n", 1e3 * seconds, ours / seconds,
             SinkError(outcome.pose, reference), TiltError(outcome.pose, reference));
}

void Compare(const FoundationCase& c, const std::vector<Method>& methods) {
  const PoseVector reference = IntegrateFoundation(c, kUntil, 1e-9);
  const PoseVector looser = IntegrateFoundation(c, kUntil, 1e-8);
  fmt::print("\n{} elements, E = {:.0e} Pa, {} N; reference known to {:.0e} m, {:.0e} rad\n",
             c.count(), c.E, c.load, SinkError(reference, looser), TiltError(reference, looser));
  fmt::print("  {:<22}{:<20}{:>9}{:>13}{:>14}{:>15}{:>16}\n", "method", "step or tolerance",
             "steps", "median [ms]", "voigt/method", "sink err [m]", "tilt err [rad]");
  std::vector<Outcome> outcomes(methods.size());
  std::vector<std::vector<double>> seconds(methods.size());
  for (int round = 0; round < kRounds; ++round) {
    for (size_t k = 0; k < methods.size(); ++k) {
      if (round > 0 && seconds[k][0] > kOnce) continue;
      outcomes[k] = methods[k].run(c);
      seconds[k].push_back(outcomes[k].seconds);
    }
  }
  for (size_t k = 0; k < methods.size(); ++k) {
    PrintLine(methods[k], outcomes[k], Median(seconds[k]), Median(seconds[0]), reference);
  }
}

int Main() {
  fmt::print("Cube on an elastic foundation, {} s of motion.\n", kUntil);
#ifndef VOIGT_BENCH_SUNDIALS
  fmt::print("libsundials-dev is not installed: no stiff integrator in these tables.\n");
#endif
  const std::vector<Method> methods = MakeMethods();
  for (double E : {1e7, 1e11}) {
    for (int per_side : {10, 30}) {
      for (double load : {5.0, 50.0}) Compare({per_side, E, load}, methods);
    }
  }
  return 0;
}

}  // namespace
}  // namespace voigt::bench

int main() { return voigt::bench::Main(); }
