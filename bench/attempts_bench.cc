// What each attempt of `compliant` is worth: problems from steps of scenes, robots and random
// passive scenes, solved by the whole plan, by every attempt alone, and by the plan without it.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "tests/support/data.h"
#include "tests/support/random_passive_scene.h"
#include "tests/support/scenes.h"
#include "voigt/base/stopwatch.h"
#include "voigt/formulations/compliant/compliant.h"

namespace voigt::bench {
namespace {

constexpr Attempt kAttempts[] = {
    Attempt::kSweeps,        Attempt::kLastImpulses,  Attempt::kLocalSweeps,
    Attempt::kConvexProgram, Attempt::kInteriorPoint, Attempt::kImplicit,
    Attempt::kCarefulSteps,  Attempt::kPivots,        Attempt::kProximalSteps,
    Attempt::kCones,         Attempt::kLeastSquares};

// One way to solve, over all problems.
struct Way {
  explicit Way(const CompliantSettings& settings) : compliant(settings) {}

  double Solve(const VelocityProblem& problem, const VecX& guess) {
    const Stopwatch stopwatch;
    compliant.Solve(problem, guess, &solution);
    return stopwatch.Seconds();
  }

  Compliant compliant;
  Solution solution;
};

// Of one attempt.
struct Worth {
  long solves = 0;        // problems that the whole plan ends with it
  double solve_time = 0;  // s
  long alone = 0;         // problems that it solves alone
  double alone_time = 0;
  long lost = 0;           // problems that are not solved without it and are with it
  double longer_time = 0;  // s that these and others take more without it
};

struct Table {
  long problems = 0, not_solved = 0;
  double time = 0;
  Worth worth[kAttemptCount];
};

class Corpus {
 public:
  explicit Corpus(double tolerance) {
    CompliantSettings settings;
    settings.tolerance = tolerance;
    settings.aim = std::min(settings.aim, tolerance);
    for (Attempt attempt : kAttempts) {
      settings.attempts = AttemptSet::Only(attempt);
      settings.attempts.Add(Attempt::kNothing);
      alone_.emplace_back(settings);
      settings.attempts = AttemptSet::All();
      settings.attempts.Remove(attempt);
      without_.emplace_back(settings);
    }
    settings.attempts = AttemptSet::All();
    whole_.emplace_back(settings);
  }

  // Every `every`th step of a run.
  void AddRun(Scene scene, int steps, int every) {
    if (scene.settings.integrator != Integrator::kSemiImplicitEuler ||
        scene.settings.formulation.kind != FormulationKind::kCompliant ||
        scene.settings.formulation.compliant.friction != FrictionMode::kCoulomb) {
      return;
    }
    scene.settings.audit = AuditKind::kOff;
    Simulator simulator = testing::MakeSimulator(scene);
    const Stopwatch stopwatch;
    for (int i = 0; i < steps && stopwatch.Seconds() < kMostSeconds; ++i) {
      if (simulator.Step() != StepStatus::kOk) return;
      if (i % every == 0) AddProblem(simulator.problem());
    }
  }

  const Table& table() const { return table_; }

 private:
  static constexpr double kMostSeconds = 4;  // of a run with its problems

  void AddProblem(const VelocityProblem& problem) {
    guess_.resize(problem.row_count());
    for (int i = 0; i < problem.row_count(); ++i) guess_[i] = problem.rows[i].guess;
    Way& whole = whole_.front();
    const double time = whole.Solve(problem, guess_);
    const Attempt by = whole.solution.stats.solved_by;
    if (by == Attempt::kNothing) return;
    const bool is_solved = IsSolved(whole.solution.status);
    ++table_.problems;
    table_.not_solved += !is_solved;
    table_.time += time;
    Worth& ending = table_.worth[static_cast<int>(by)];
    ++ending.solves;
    ending.solve_time += time;
    for (size_t k = 0; k < std::size(kAttempts); ++k) {
      Worth& worth = table_.worth[static_cast<int>(kAttempts[k])];
      const double alone_time = alone_[k].Solve(problem, guess_);
      if (IsSolved(alone_[k].solution.status)) {
        ++worth.alone;
        worth.alone_time += alone_time;
      }
      if (kAttempts[k] > by) continue;  // it was not made
      worth.longer_time += without_[k].Solve(problem, guess_) - time;
      worth.lost += is_solved && !IsSolved(without_[k].solution.status);
    }
  }

  std::vector<Way> whole_, alone_, without_;
  VecX guess_;
  Table table_;
};

void AddScenes(Corpus* corpus) {
  constexpr int kSteps = 200, kEvery = 5;
  for (const std::string& name : testing::ListNamedScenes()) {
    for (const char* step : {"", "0.001", "0.005", "0.01"}) {
      std::vector<Override> overrides;
      if (*step != '\0') overrides.push_back({"simulation.step", step});
      corpus->AddRun(testing::LoadNamedScene(name, overrides), kSteps, kEvery);
    }
  }
}

// In their keyframes, as their users have them.
void AddRobots(Corpus* corpus) {
  constexpr int kSteps = 500, kEvery = 5;
  if (!testing::HasReferenceData()) {
    printf("robots are skipped: no reference data\n");
    return;
  }
  for (const char* robot : {"go1", "go2", "h1"}) {
    const std::string file =
        testing::ReferenceData(fmt::format("models/menagerie/unitree_{}/scene.xml", robot));
    for (const char* step : {"0.002", "0.005"}) {
      corpus->AddRun(ParseScene(fmt::format("include: [{{file: {}, keyframe: home}}]\n"
                                            "simulation: {{step: {}}}\n",
                                            file, step),
                                robot),
                     kSteps, kEvery);
    }
  }
}

void AddRandomScenes(Corpus* corpus) {
  using testing::PassiveKind;
  constexpr int kScenes = 60, kSteps = 200, kEvery = 5;
  for (PassiveKind kind : {PassiveKind::kSolids, PassiveKind::kTree, PassiveKind::kLoop}) {
    for (int seed = 0; seed < kScenes; ++seed) {
      const auto passive = testing::MakePassiveScene(seed, kind, "compliant");
      corpus->AddRun(ParseScene(passive.text, "random"), kSteps, kEvery);
    }
  }
}

// Beds that fall and jam: soft, stiff and rigid, with friction against rolling and without.
void AddBeds(Corpus* corpus) {
  constexpr int kSteps = 300, kEvery = 10;
  for (const char* n : {"2", "3", "4", "6"}) {
    for (const char* stiffness : {"stiffness: 1e5, ", "stiffness: 1e8, ", ""}) {
      for (const char* rolling : {"", ", rolling_friction: 1e-3"}) {
        const std::string material = fmt::format("{{{}friction: 0.3{}}}", stiffness, rolling);
        corpus->AddRun(testing::LoadNamedScene("spheres_in_box", {{"parameters.nx", n},
                                                                  {"parameters.ny", n},
                                                                  {"parameters.layers", n},
                                                                  {"parameters.stagger", "0.5"},
                                                                  {"materials.default", material}}),
                       kSteps, kEvery);
      }
    }
  }
}

void Print(const Table& table, double tolerance) {
  printf("\n%ld problems in which something pushes, tolerance %g: %.2f s, %ld not solved\n\n",
         table.problems, tolerance, table.time, table.not_solved);
  printf("%-16s %28s %28s %28s\n", "", "the plan ends with it", "solves alone", "without it");
  printf("%-16s %14s %13s %14s %13s %14s %13s\n", "attempt", "problems", "us each", "problems",
         "us each", "not solved", "time");
  for (int i = 0; i < kAttemptCount; ++i) {
    const Worth& w = table.worth[i];
    const auto each = [](double time, long count) { return count > 0 ? 1e6 * time / count : 0; };
    if (w.solves == 0 && w.alone == 0) continue;
    const std::string name(ToString(static_cast<Attempt>(i)));
    printf("%-16s %14ld %13.1f %14ld %13.1f %14ld %12.0f%%\n", name.c_str(), w.solves,
           each(w.solve_time, w.solves), w.alone, each(w.alone_time, w.alone), w.lost,
           100 * (1 + w.longer_time / table.time));
  }
}

int Main() {
  for (double tolerance : {1e-8, 1e-12}) {
    Corpus corpus(tolerance);
    AddScenes(&corpus);
    AddRobots(&corpus);
    AddRandomScenes(&corpus);
    AddBeds(&corpus);
    Print(corpus.table(), tolerance);
  }
  return 0;
}

}  // namespace
}  // namespace voigt::bench

int main() { return voigt::bench::Main(); }
