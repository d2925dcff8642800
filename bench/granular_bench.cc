// Beds of spheres in several engines, alternately in one process and one thread: whole steps, from
// a grid of spheres that fall into the box and from a bed at rest. First the proof that all run the
// same scene; beside each time, what became of the bed. Times are those of the processor, so that a
// machine that is not quiet does not matter much.
// Settings, by each engine's own manual, are printed.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "bench/peers/trial.h"
#include "bench/side_by_side.h"

namespace voigt::bench {
namespace {

using peers::Engine;
using peers::Scene;
using peers::Shape;
using peers::World;

constexpr int kRounds = 3;
constexpr double kPatience = 3;  // s: what takes longer runs once
constexpr double kLimit = 20;    // s: what takes longer is stopped

double ProcessorSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// How the spheres of a bed lie, by their positions alone.
struct BedState {
  double mass = 0;
  double least_gap = kInfinity, mean_overlap = 0;  // m; the mean over those that overlap
  int near = 0;                                    // pairs, with walls, closer than 0.1 mm
  int lost = 0;                                    // spheres beyond a wall or nowhere
  double kinetic = 0, potential = 0;               // J
};

BedState Look(const Scene& scene, const World& world) {
  constexpr double kNear = 1e-4;
  BedState out;
  std::vector<Vec3> p;
  int overlaps = 0;
  const auto count_gap = [&](double gap) {
    out.least_gap = std::min(out.least_gap, gap);
    out.near += gap < kNear;
    overlaps += gap < 0;
    out.mean_overlap -= std::min(gap, 0.0);
  };
  const int count = static_cast<int>(scene.bodies.size());
  const double radius = scene.bodies[0].shapes[0].radius();
  for (int i = 0; i < count; ++i) {
    p.push_back(world.BodyPose(i).p);
    out.mass += world.Mass(i);
    out.kinetic += 0.5 * world.Mass(i) * world.Velocity(i).squaredNorm() +
                   0.5 * scene.bodies[i].inertia[0] * world.Spin(i).squaredNorm();
    out.potential -= world.Mass(i) * scene.gravity.dot(p[i]);
    bool is_lost = !p[i].allFinite();
    for (const Shape& wall : scene.ground) {
      const double height = wall.X_BS.R.col(2).dot(p[i] - wall.X_BS.p);
      is_lost |= height < 0;
      count_gap(height - radius);
    }
    out.lost += is_lost;
  }
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < i; ++j) count_gap((p[i] - p[j]).norm() - 2 * radius);
  }
  out.mean_overlap /= std::max(overlaps, 1);
  return out;
}

struct BedRun {
  BedState start, end;
  double fall = 0;  // of the highest sphere in the first step, m
  int contacts = 0;
  std::string complaint;        // what the engine says about the run
  int steps = 0;                // that were done
  std::vector<double> seconds;  // per step
};

void RunOnce(const Scene& scene, const Engine& engine, int steps, BedRun* out) {
  const std::unique_ptr<World> world = engine.make(scene);
  const bool is_first = out->seconds.empty();
  if (is_first) out->start = Look(scene, *world);
  const int top = static_cast<int>(scene.bodies.size()) - 1;
  const double before = ProcessorSeconds();
  int done = 0;
  while (done < steps && ProcessorSeconds() - before < kLimit) {
    world->Step({});
    if (done++ == 0) out->fall = scene.bodies[top].start.p[2] - world->BodyPose(top).p[2];
  }
  out->seconds.push_back((ProcessorSeconds() - before) / done);
  out->steps = done;
  if (!is_first) return;
  out->end = Look(scene, *world);
  out->contacts = world->Contacts();
  out->complaint = world->Complaint();
}

void Compare(const std::string& title, const Scene& scene, std::vector<Engine> engines, int steps) {
  fmt::print("\n{} spheres {}, {} steps of {} s\n", scene.bodies.size(), title, steps, scene.h);
  std::erase_if(engines, [&](const Engine& engine) {
    try {
      engine.make(scene);
      return false;
    } catch (const peers::NotExpressible& error) {
      fmt::print("{} cannot have it: {}.\n", engine.name, error.what());
      return true;
    }
  });
  std::vector<BedRun> runs(engines.size());
  for (int round = 0; round < kRounds; ++round) {
    for (size_t k = 0; k < engines.size(); ++k) {
      if (round > 0 && runs[k].seconds[0] * runs[k].steps > kPatience) continue;
      RunOnce(scene, engines[k], steps, &runs[k]);
    }
  }
  fmt::print("The same scene? g h² = {:.9f} m.\n", -scene.gravity[2] * scene.h * scene.h);
  fmt::print("  {:<20}{:>12}{:>16}{:>12}{:>15}{:>16}\n", "engine", "mass [kg]", "least gap [m]",
             "near pairs", "m g z [J]", "first fall [m]");
  for (size_t k = 0; k < engines.size(); ++k) {
    const BedState& s = runs[k].start;
    fmt::print("  {:<20}{:>12.6f}{:>16.9f}{:>12}{:>15.6f}{:>16.9f}\n", engines[k].name, s.mass,
               s.least_gap, s.near, s.potential, runs[k].fall);
  }
  fmt::print("  {:<20}{:>6}{:>12}{:>10}{:>14}{:>10}{:>12}{:>12}{:>12}{:>12}{:>6}\n", "engine",
             "steps", "ms per step", "min", "voigt/engine", "contacts", "deepest [m]", "mean [m]",
             "motion [J]", "m g z [J]", "lost");
  for (size_t k = 0; k < engines.size(); ++k) {
    const BedRun& run = runs[k];
    const double median = Median(run.seconds);
    fmt::print(
        "  {:<20}{:>6}{:>12.3f}{:>10.3f}{:>14.3f}{:>10}{:>12.1e}{:>12.1e}{:>12.2e}{:>12.3f}{:>6}\n",
        engines[k].name, run.steps, 1e3 * median,
        1e3 * *std::min_element(run.seconds.begin(), run.seconds.end()),
        Median(runs[0].seconds) / median, run.contacts, std::max(0.0, -run.end.least_gap),
        run.end.mean_overlap, run.end.kinetic, run.end.potential, run.end.lost);
  }
  for (size_t k = 0; k < engines.size(); ++k) {
    if (!runs[k].complaint.empty()) fmt::print("{}: {}.\n", engines[k].name, runs[k].complaint);
  }
  std::fflush(stdout);
}

// To rest, as voigt's spheres come to lie in 1.2 s of long steps, which take energy out.
void Settle(const Engine& voigt, Scene* scene) {
  Scene coarse = *scene;
  coarse.h = 0.01;
  const std::unique_ptr<World> world = voigt.make(coarse);
  for (int i = 0; i < 120; ++i) world->Step({});
  for (size_t i = 0; i < scene->bodies.size(); ++i) {
    scene->bodies[i].start.p = world->BodyPose(static_cast<int>(i)).p;
  }
}

int Main() {
  const std::vector<Engine> engines = peers::ListEnginesForBeds();
  for (const Engine& engine : engines) fmt::print("{}: {}\n", engine.name, engine.settings);
  const peers::Material material{0.3, 1e5, 25};
  for (Scene scene : {peers::MakeBed(7, 11, 13, material), peers::MakeBed(16, 25, 10, material)}) {
    const int count = static_cast<int>(scene.bodies.size());
    scene.room_for_contacts = 9 * count / 5;
    Compare("fall into a box", scene, engines, 100);
    Settle(engines[0], &scene);
    // A sphere has six neighbours or so, and a contact is one of two spheres.
    scene.room_for_contacts = 14 * count / 5;
    Compare("at rest", scene, engines, 25);
  }
  return 0;
}

}  // namespace
}  // namespace voigt::bench

int main() { return voigt::bench::Main(); }
