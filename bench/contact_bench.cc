// Contact in several engines, alternately in one process and one thread: a stack of spheres and a
// cube on an elastic foundation; and how voigt's time grows with the number of contacts. First the
// proof that all run the same scene.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/growth.h"
#include "bench/peers/peer.h"
#include "bench/side_by_side.h"
#include "voigt/base/stopwatch.h"

namespace voigt::bench {
namespace {

constexpr int kRounds = 5;
constexpr double kPatience = 5;  // s: what takes longer runs once
constexpr int kStackSteps = 500, kFoundationSteps = 100;

using MakeWorld = std::function<std::unique_ptr<World>()>;

// Runs every world from its start, in turn.
std::vector<Times> MeasureInTurn(const std::vector<MakeWorld>& worlds, int steps, int rounds) {
  std::vector<Times> out(worlds.size());
  for (int round = 0; round < rounds; ++round) {
    for (size_t k = 0; k < worlds.size(); ++k) {
      if (round > 0 && out[k].seconds[0] > kPatience) continue;
      const std::unique_ptr<World> world = worlds[k]();
      const Stopwatch stopwatch;
      for (int i = 0; i < steps; ++i) world->Step();
      out[k].seconds.push_back(stopwatch.Seconds());
    }
  }
  return out;
}

// What became of a stack.
struct StackResult {
  double deepest = 0;    // overlap at the end of any step, m
  double top_error = 0;  // of the top sphere's height at the end, m
  bool fell = false;     // some sphere left the axis, or the top its place, by more than a radius
  int contacts = 0;      // at the end
};

StackResult WatchStack(const StackSpec& spec, World* world) {
  StackResult out;
  for (int step = 0; step < kStackSteps; ++step) {
    world->Step();
    Vec3 below(0, 0, -spec.radius);  // mirror image of a sphere that touches the ground
    for (int i = 0; i < spec.count; ++i) {
      const Vec3 p = world->Position(i);
      const double distance = i == 0 ? p[2] + spec.radius : (p - below).norm();
      out.deepest = std::max(out.deepest, 2 * spec.radius - distance);
      below = p;
    }
  }
  const int top = spec.count - 1;
  out.top_error = world->Position(top)[2] - spec.RestHeight(top);
  for (int i = 0; i < spec.count; ++i) {
    const Vec3 p = world->Position(i);
    out.fell |= p.head<2>().norm() > spec.radius || !p.allFinite();
  }
  out.fell |= std::abs(out.top_error) > spec.radius;
  out.contacts = world->Contacts();
  return out;
}

// Masses, gaps, and the fall of the top sphere over five steps: g h² (1 + 2 + … + 5).
void ProveSameStack(const StackSpec& spec, const std::vector<Engine>& engines,
                    const std::vector<StackResult>& results) {
  fmt::print("The same scene? Expected: {} kg, gaps of {} m, fall {:.12f} m, {} contacts.\n",
             spec.count * spec.mass, spec.gap, 15 * spec.gravity * spec.h * spec.h, spec.count);
  fmt::print("  {:<20}{:>12}{:>15}{:>15}{:>17}{:>18}\n", "engine", "mass [kg]", "least gap [m]",
             "largest [m]", "fall [m]", "contacts at rest");
  for (size_t k = 0; k < engines.size(); ++k) {
    const std::unique_ptr<World> world = engines[k].stack(spec);
    double mass = 0, least = kInfinity, largest = 0, below = -spec.radius;
    for (int i = 0; i < spec.count; ++i) {
      const double z = world->Position(i)[2], gap = z - below - 2 * spec.radius;
      mass += world->Mass(i);
      least = std::min(least, gap);
      largest = std::max(largest, gap);
      below = z;
    }
    for (int step = 0; step < 5; ++step) world->Step();
    fmt::print("  {:<20}{:>12.6f}{:>15.12f}{:>15.12f}{:>17.12f}{:>18}\n", engines[k].name, mass,
               least, largest, below - world->Position(spec.count - 1)[2], results[k].contacts);
  }
}

void CompareStacks(const std::vector<Engine>& engines) {
  const StackSpec spec;
  fmt::print("\nStack of {} spheres, {} steps of {} s\n", spec.count, kStackSteps, spec.h);
  std::vector<MakeWorld> worlds;
  std::vector<StackResult> results;
  for (const Engine& engine : engines) {
    worlds.push_back([&] { return engine.stack(spec); });
    results.push_back(WatchStack(spec, engine.stack(spec).get()));
  }
  ProveSameStack(spec, engines, results);
  const std::vector<Times> times = MeasureInTurn(worlds, kStackSteps, kRounds);
  const double ours = Median(times[0].seconds);
  fmt::print("  {:<20}{:>13}{:>11}{:>15}{:>14}{:>14}{:>7}\n", "engine", "median [ms]", "min [ms]",
             "voigt/engine", "z_top error", "overlap [m]", "fell");
  for (size_t k = 0; k < engines.size(); ++k) {
    const double median = Median(times[k].seconds);
    fmt::print("  {:<20}{:>13.1f}{:>11.1f}{:>15.3f}{:>14.1e}{:>14.1e}{:>7}\n", engines[k].name,
               1e3 * median, 1e3 * times[k].Minimum(), ours / median, results[k].top_error,
               results[k].deepest, results[k].fell ? "yes" : "no");
  }
}

// What became of the cube, beside what the springs would do if the load ran slowly.
struct FoundationResult {
  double sink_error = 0, tilt_error = 0;  // largest over the run after the first tenth: m, rad
  int contacts = 0;
};

FoundationResult WatchFoundation(const FoundationSpec& spec, World* world) {
  const double weight = spec.mass * spec.gravity + spec.load;
  const double sink = weight / (spec.stiffness() * spec.points());
  const double rotational = spec.modulus * std::pow(spec.side, 4) / 12 * (1 - 1.0 / spec.points());
  const double tilt = spec.load * spec.side / 2 / rotational;
  FoundationResult out;
  for (int step = 0; step < kFoundationSteps; ++step) {
    world->Step();
    if (step < kFoundationSteps / 10) continue;
    const double z = world->Position(0)[2], angle = world->Up(0).head<2>().norm();
    out.sink_error = std::max(out.sink_error, std::abs(spec.side / 2 - z - sink));
    out.tilt_error = std::max(out.tilt_error, std::abs(angle - tilt));
  }
  out.contacts = world->Contacts();
  return out;
}

void CompareFoundations(const std::vector<Engine>& engines) {
  const FoundationSpec spec;
  fmt::print(
      "\nCube on {} springs, {} steps of {} s, load {} N; {} kg at z = {} m in all engines?\n",
      spec.points(), kFoundationSteps, spec.h, spec.load, spec.mass, spec.side / 2);
  std::vector<MakeWorld> worlds;
  std::vector<FoundationResult> results;
  for (const Engine& engine : engines) {
    worlds.push_back([&] { return engine.foundation(spec); });
    results.push_back(WatchFoundation(spec, engine.foundation(spec).get()));
  }
  const std::vector<Times> times = MeasureInTurn(worlds, kFoundationSteps, kRounds);
  const double ours = Median(times[0].seconds);
  fmt::print("  {:<20}{:>6}{:>7}{:>10}{:>13}{:>11}{:>15}{:>14}{:>16}\n", "engine", "kg", "z [m]",
             "contacts", "median [ms]", "min [ms]", "voigt/engine", "sink err [m]",
             "tilt err [rad]");
  for (size_t k = 0; k < engines.size(); ++k) {
    const std::unique_ptr<World> world = worlds[k]();
    const double median = Median(times[k].seconds);
    fmt::print("  {:<20}{:>6.2f}{:>7.3f}{:>10}{:>13.2f}{:>11.2f}{:>15.3f}{:>14.1e}{:>16.1e}\n",
               engines[k].name, world->Mass(0), world->Position(0)[2], results[k].contacts,
               1e3 * median, 1e3 * times[k].Minimum(), ours / median, results[k].sink_error,
               results[k].tilt_error);
  }
}

void MeasureGrowth(const char* title, const std::vector<int>& sizes,
                   const std::vector<MakeWorld>& worlds, int steps) {
  PrintGrowth(title, sizes, MeasureInTurn(worlds, steps, kRounds), steps);
}

void MeasureStackGrowth(const Engine& voigt) {
  std::vector<int> sizes = {100, 200, 500, 1000};
  std::vector<MakeWorld> worlds;
  for (int size : sizes) {
    worlds.push_back([=] {
      StackSpec spec;
      spec.count = size;
      return voigt.stack(spec);
    });
  }
  MeasureGrowth("voigt: spheres in the stack, 500 steps", sizes, worlds, kStackSteps);
}

void MeasureFoundationGrowth(const Engine& voigt) {
  std::vector<int> sizes;
  std::vector<MakeWorld> worlds;
  for (int per_side : {10, 20, 30, 40}) {
    sizes.push_back(per_side * per_side);
    worlds.push_back([=] {
      FoundationSpec spec;
      spec.per_side = per_side;
      return voigt.foundation(spec);
    });
  }
  MeasureGrowth("voigt: springs under the cube, 100 steps", sizes, worlds, kFoundationSteps);
}

int Main() {
  std::vector<Engine> engines = MakeEngines();
  std::erase_if(engines, [](const Engine& engine) { return !engine.stack || !engine.foundation; });
  CompareStacks(engines);
  CompareFoundations(engines);
  MeasureStackGrowth(engines[0]);
  MeasureFoundationGrowth(engines[0]);
  return 0;
}

}  // namespace
}  // namespace voigt::bench

int main() { return voigt::bench::Main(); }
