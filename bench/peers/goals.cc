#include "bench/peers/goals.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <thread>

namespace voigt::peers {
namespace {

bool StartsWith(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

void Check(bool ok, const std::string& miss, Goal* goal) {
  ++goal->checked;
  if (!ok) goal->misses.push_back(miss);
}

// A peer that failed or was stopped early is no measure of speed; one that was stopped is slower
// than what it had time for, so its time per simulated second still counts.
bool HasTime(const Row& row) { return row.first.ok() && !row.seconds.empty(); }

std::string Times(const Result& result, const Row& peer) {
  return fmt::format("{}: voigt {:.3g} s/s, {} {:.3g} s/s, ratio {:.2f}", result.trial.scene.name,
                     result.rows[0].Median(), peer.engine, peer.Median(),
                     result.rows[0].Median() / peer.Median());
}

// voigt's time is at most `share` of that of every engine whose name starts so.
Goal JudgeSpeed(const std::string& text, const std::vector<Result>& results,
                const std::vector<const char*>& names, double share, const char* scene = "") {
  Goal out{text, false, 0, {}};
  for (const Result& result : results) {
    if (!StartsWith(result.trial.scene.name, scene)) continue;
    for (const Row& row : result.rows) {
      const bool is_meant = std::any_of(names.begin(), names.end(), [&](const char* name) {
        return StartsWith(row.engine, name);
      });
      if (!is_meant || !HasTime(row)) continue;
      Check(result.rows[0].counts() && result.rows[0].Median() <= share * row.Median(),
            Times(result, row), &out);
    }
  }
  return out;
}

Goal JudgeGranular(const std::vector<Result>& results) {
  Goal out{"granular: at most a tenth of the overlap of MuJoCo", false, 0, {}};
  for (const Result& result : results) {
    if (!StartsWith(result.trial.scene.name, "granular")) continue;
    for (const Row& row : result.rows) {
      if (!StartsWith(row.engine, "MuJoCo") || !row.first.ok()) continue;
      const double ours = result.rows[0].first.penetration, theirs = row.first.penetration;
      Check(ours <= 0.1 * theirs,
            fmt::format("{}: voigt {:.1e} m, {} {:.1e} m", result.trial.scene.name, ours,
                        row.engine, theirs),
            &out);
    }
  }
  return out;
}

Goal JudgeFront(const std::vector<Result>& results) {
  Goal out{"no peer is both faster and more accurate on any scene", false, 0, {}};
  for (const Result& result : results) {
    std::string names;
    for (const std::string& name : result.ListBetter(result.rows[0])) {
      names += (names.empty() ? "" : ", ") + name;
    }
    Check(names.empty(), result.trial.scene.name + ": " + names, &out);
  }
  return out;
}

Goal JudgeRamp(const std::vector<Result>& results) {
  Goal out{"ramp of 1 s: distances those of the scalar recursion to 1e-9 m", false, 0, {}};
  for (const Result& result : results) {
    if (!StartsWith(result.trial.scene.name, "ramp-")) continue;
    const double error = result.rows[0].first.error;
    Check(error <= 1e-9, fmt::format("{}: {:.1e} m", result.trial.scene.name, error), &out);
  }
  return out;
}

Goal JudgeCreep(const std::vector<Result>& results) {
  Goal out{"creep on the ramp at most 1e-12 m/s", false, 0, {}};
  for (const Result& result : results) {
    const double creep = result.rows[0].first.creep;
    if (!StartsWith(result.trial.scene.name, "ramp") || std::isnan(creep)) continue;
    Check(creep <= 1e-12, fmt::format("{}: {:.1e} m/s", result.trial.scene.name, creep), &out);
  }
  return out;
}

Goal JudgeRuns(const std::vector<Result>& results) {
  Goal out{"voigt runs every scene to its end without failure", false, 0, {}};
  for (const Result& result : results) {
    const Row& row = result.rows[0];
    Check(row.counts(), result.trial.scene.name + ": " + DescribeStatus(row), &out);
  }
  return out;
}

}  // namespace

std::vector<Goal> JudgeGoals(const std::vector<Result>& results) {
  std::vector<Goal> out = {
      JudgeRuns(results),
      JudgeSpeed("no scene slower than MuJoCo (every solver)", results, {"MuJoCo"}, 1),
      JudgeSpeed("granular no slower than MuJoCo (every solver)", results, {"MuJoCo"}, 1,
                 "granular"),
      JudgeGranular(results),
      JudgeSpeed("humanoid no slower than MuJoCo", results, {"MuJoCo"}, 1, "humanoid"),
      JudgeSpeed("three times faster than DART, ODE's exact stepper and Simbody on every scene",
                 results, {"DART", "ODE Step", "Simbody"}, 1.0 / 3),
      JudgeFront(results),
      JudgeCreep(results),
      JudgeRamp(results)};
  for (Goal& goal : out) goal.met = goal.checked > 0 && goal.misses.empty();
  return out;
}

std::string FormatGoals(const std::vector<Goal>& goals) {
  std::string out = "\n== Goals\n";
  for (const Goal& goal : goals) {
    out +=
        fmt::format("  {:<12}{} ({} of {})\n",
                    goal.checked == 0 ? "not checked"
                    : goal.met        ? "met"
                                      : "NOT MET",
                    goal.text, goal.checked - static_cast<int>(goal.misses.size()), goal.checked);
    for (const std::string& miss : goal.misses) out += fmt::format("                {}\n", miss);
  }
  return out;
}

std::string DescribeMachine() {
  std::string cpu = "unknown processor";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (StartsWith(line, "model name")) cpu = line.substr(line.find(':') + 2);
  }
  utsname names = {};
  uname(&names);
  return fmt::format("{:%Y-%m-%d}, {}, {}, {} cores, gcc {}; times are those of the processor",
                     fmt::gmtime(std::time(nullptr)), names.machine, cpu,
                     std::thread::hardware_concurrency(), __VERSION__);
}

}  // namespace voigt::peers
