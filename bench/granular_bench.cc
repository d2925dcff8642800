// Beds of spheres in several engines, alternately in one process and one thread: whole steps, from
// a grid of spheres that fall into the box and from a bed at rest. First the proof that all run the
// same scene; beside each time, what became of the bed. Times are those of the processor, so that a
// machine that is not quiet does not matter much.
//
// Settings, by each engine's own manual:
//   voigt     as it comes
//   MuJoCo    elliptic cones, the sparse Jacobian that is advised for many bodies, contacts of the
//             least time constant that is allowed, 2h, and conjugate gradients, which are advised
//             for large systems (Newton's matrix is dense in this version); otherwise as it comes
//   ODE       QuickStep with the ERP and CFM of the scene's springs and dampers; 20 iterations, as
//             it comes, and 100
//   Bullet    the scene's springs and dampers, no deactivation; 10 sweeps, as it comes, and 100
//   DART      projected Gauss–Seidel and the error reduction of rigid contacts, as they come

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "bench/peers/peer.h"
#include "bench/side_by_side.h"

namespace voigt::bench {
namespace {

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

BedState Look(const BedSpec& spec, const World& world) {
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
  const std::vector<BedSpec::Wall> walls = spec.Walls();
  for (int i = 0; i < spec.count(); ++i) {
    p.push_back(world.Position(i));
    out.mass += world.Mass(i);
    out.kinetic += 0.5 * world.Mass(i) * world.Velocity(i).squaredNorm() +
                   0.5 * spec.inertia() * world.Spin(i).squaredNorm();
    out.potential += world.Mass(i) * spec.gravity * p[i][2];
    bool is_lost = !p[i].allFinite();
    for (const BedSpec::Wall& wall : walls) {
      const double height = wall.n.dot(p[i]) - wall.offset;
      is_lost |= height < 0;
      count_gap(height - spec.radius);
    }
    out.lost += is_lost;
  }
  for (int i = 0; i < spec.count(); ++i) {
    for (int j = 0; j < i; ++j) count_gap((p[i] - p[j]).norm() - 2 * spec.radius);
  }
  out.mean_overlap /= std::max(overlaps, 1);
  return out;
}

struct BedRun {
  BedState start, end;
  double fall = 0;  // of the highest sphere in the first step, m
  int contacts = 0;
  bool is_crowded = false;      // whether it ended as there was no room for contacts
  int steps = 0;                // that were done
  std::vector<double> seconds;  // per step
};

void RunOnce(const BedSpec& spec, const MakeBed& make, int steps, BedRun* out) {
  const std::unique_ptr<World> world = make(spec);
  const bool is_first = out->seconds.empty();
  if (is_first) out->start = Look(spec, *world);
  const int top = spec.count() - 1;
  const double before = ProcessorSeconds();
  int done = 0;
  while (done < steps && ProcessorSeconds() - before < kLimit) {
    world->Step();
    if (world->CrowdedSteps() > 0) break;
    if (done++ == 0) out->fall = spec.start[top][2] - world->Position(top)[2];
  }
  out->seconds.push_back((ProcessorSeconds() - before) / done);
  out->steps = done;
  if (!is_first) return;
  out->end = Look(spec, *world);
  out->contacts = world->Contacts();
  out->is_crowded = world->CrowdedSteps() > 0;
}

void Compare(const std::string& title, const BedSpec& spec, std::vector<Engine> engines,
             int steps) {
  fmt::print("\n{} spheres {}, {} steps of {} s\n", spec.count(), title, steps, spec.h);
  std::erase_if(engines, [&](const Engine& engine) {
    const bool has_no_room = engine.bed(spec) == nullptr;
    if (has_no_room) fmt::print("{} has no room for so many contacts.\n", engine.name);
    return has_no_room;
  });
  std::vector<BedRun> runs(engines.size());
  for (int round = 0; round < kRounds; ++round) {
    for (size_t k = 0; k < engines.size(); ++k) {
      if (round > 0 && runs[k].seconds[0] * runs[k].steps > kPatience) continue;
      RunOnce(spec, engines[k].bed, steps, &runs[k]);
    }
  }
  fmt::print("The same scene? g h² = {:.9f} m.\n", spec.gravity * spec.h * spec.h);
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
    if (!runs[k].is_crowded) continue;
    fmt::print("{} had no room for the contacts after {} steps.\n", engines[k].name, runs[k].steps);
  }
  std::fflush(stdout);
}

// A bed at rest, as voigt's spheres come to lie in 1.2 s of long steps, which take energy out.
std::vector<Vec3> Settle(BedSpec spec, const Engine& voigt) {
  spec.h = 0.01;
  const std::unique_ptr<World> world = voigt.bed(spec);
  for (int i = 0; i < 120; ++i) world->Step();
  std::vector<Vec3> out;
  for (int i = 0; i < spec.count(); ++i) out.push_back(world->Position(i));
  return out;
}

int Main() {
  std::vector<Engine> engines = MakeEngines();
  std::erase_if(engines, [](const Engine& engine) { return !engine.bed; });
  BedSpec small, large;
  large.nx = 16, large.ny = 25, large.layers = 10;
  for (BedSpec spec : {small, large}) {
    spec.start = spec.StartOnGrid();
    Compare("fall into a box", spec, engines, 100);
    spec.start = Settle(spec, engines[0]);
    Compare("at rest", spec, engines, 25);
  }
  return 0;
}

}  // namespace
}  // namespace voigt::bench

int main() { return voigt::bench::Main(); }
