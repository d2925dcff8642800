#include "tests/support/random_passive_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace voigt::testing {
namespace {

// The same numbers on every machine: distributions of the standard library need not be.
class Dice {
 public:
  explicit Dice(int seed) : engine_(static_cast<unsigned>(seed) * 2654435761u + 17u) {}

  double Uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_()) / 4294967296.0);
  }
  // Evenly over decades.
  double Decades(double low, double high) {
    return std::pow(10, Uniform(std::log10(low), std::log10(high)));
  }
  int Pick(int count) { return std::min(static_cast<int>(Uniform(0, count)), count - 1); }
  bool Chance(double probability) { return Uniform(0, 1) < probability; }

 private:
  std::mt19937 engine_;
};

std::string Triple(double x, double y, double z) {
  return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", x, y, z);
}

std::string RandomDirection(Dice* dice, double size) {
  return Triple(dice->Uniform(-size, size), dice->Uniform(-size, size), dice->Uniform(-size, size));
}

std::string RandomTurn(Dice* dice) {
  return fmt::format("[{:.6g}, {:.6g}, {:.6g}, {:.6g}]", dice->Uniform(-1, 1), dice->Uniform(-1, 1),
                     dice->Uniform(-1, 1), dice->Uniform(0.1, 1));
}

std::string RandomMaterial(Dice* dice) {
  const double mu[] = {0, 0.3, 0.5, 1};
  const std::string friction = fmt::format("friction: {}", mu[dice->Pick(4)]);
  switch (dice->Pick(6)) {
    case 0:
      return fmt::format("{{{}}}", friction);
    case 1:
      return fmt::format("{{{}, stiffness: {:.3g}}}", friction, dice->Decades(1e3, 1e9));
    case 2:
      return fmt::format("{{{}, stiffness: {:.3g}, damping: {:.3g}}}", friction,
                         dice->Decades(1e3, 1e9), dice->Decades(1, 1e4));
    case 3:
      return fmt::format("{{{}, hertz_stiffness: {:.3g}}}", friction, dice->Decades(1e5, 1e11));
    case 4:
      return fmt::format("{{{}, law: hunt_crossley, hertz_stiffness: {:.3g}, dissipation: {:.3g}}}",
                         friction, dice->Decades(1e5, 1e11), dice->Uniform(0, 1));
    default:
      return fmt::format("{{{}, youngs_modulus: {:.3g}, stiffness: {:.3g}}}", friction,
                         dice->Decades(1e5, 2e11), dice->Decades(1e3, 1e9));
  }
}

// Half of its longest side is its reach.
struct Solid {
  std::string shape;
  double reach = 0, volume = 0;
};

std::string BoxMesh(double x, double y, double z) {
  std::string vertices;
  for (int i = 0; i < 8; ++i) {
    vertices += (i > 0 ? ", " : "") + Triple((i & 1 ? x : -x), (i & 2 ? y : -y), (i & 4 ? z : -z));
  }
  return fmt::format(
      "{{shape: mesh, vertices: [{}], triangles: [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], "
      "[0, 1, 4], [1, 5, 4], [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]]}}",
      vertices);
}

Solid RandomSolid(Dice* dice) {
  const double size = dice->Decades(5e-3, 0.5);
  const double thinness = dice->Chance(0.2) ? dice->Decades(1e-4, 0.1) : 1;
  double r[3];
  for (double& side : r) side = size * dice->Uniform(0.3, 1);
  r[dice->Pick(3)] *= thinness;
  const double reach = std::hypot(r[0], r[1], r[2]), box = 8 * r[0] * r[1] * r[2];
  switch (dice->Pick(7)) {
    case 0:
      return {fmt::format("{{shape: sphere, radius: {:.6g}}}", r[0]), r[0],
              4.2 * r[0] * r[0] * r[0]};
    case 1:
      return {fmt::format("{{shape: capsule, radius: {:.6g}, length: {:.6g}}}", r[0], 2 * r[2]),
              r[0] + r[2], 6.3 * r[0] * r[0] * (r[2] + r[0])};
    case 2:
      return {fmt::format("{{shape: cylinder, radius: {:.6g}, length: {:.6g}}}", r[0], 2 * r[2]),
              std::hypot(r[0], r[2]), 6.3 * r[0] * r[0] * r[2]};
    case 3:
      return {fmt::format("{{shape: ellipsoid, radii: {}}}", Triple(r[0], r[1], r[2])), reach,
              0.52 * box};
    case 4:
      return {BoxMesh(r[0], r[1], r[2]), reach, box};
    default:
      return {fmt::format("{{shape: box, size: {}}}", Triple(2 * r[0], 2 * r[1], 2 * r[2])), reach,
              box};
  }
}

std::string RandomGround(Dice* dice) {
  if (dice->Chance(0.6)) return "{shape: half-space}";
  return "{shape: box, size: [20, 20, 1], position: [0, 0, -0.5]}";
}

struct Parts {
  std::string bodies, joints, initial;
};

// One above the other.
void AddSolids(Dice* dice, Parts* parts) {
  const int count = 1 + dice->Pick(5);
  const bool has_ratio = dice->Chance(0.2);
  // Some overlap at the start, the ground or each other.
  const bool overlaps = dice->Chance(0.15);
  double z = overlaps ? 0 : dice->Decades(1e-3, 0.3);
  for (int i = 0; i < count; ++i) {
    const Solid solid = RandomSolid(dice);
    const double density = has_ratio ? dice->Decades(1, 1e6) : 1000;
    const double mass = std::max(density * solid.volume, 1e-9);
    z += (overlaps ? 0.5 : 1.01) * solid.reach;
    parts->bodies +=
        fmt::format("  - {{name: b{}, mass: {:.6g}, geometry: [{}]}}\n", i, mass, solid.shape);
    parts->joints += fmt::format("  - {{name: f{}, type: free, child: b{}}}\n", i, i);
    const double speed = dice->Chance(0.5) ? dice->Decades(0.1, 10) : 0;
    parts->initial += fmt::format(
        "  f{}: {{position: {}, quaternion: {}, velocity: {}, angular_velocity: {}}}\n", i,
        Triple(dice->Uniform(-0.3, 0.3) * solid.reach, dice->Uniform(-0.3, 0.3) * solid.reach, z),
        RandomTurn(dice), RandomDirection(dice, 0.5 * speed), RandomDirection(dice, speed));
    z += 1.01 * solid.reach + dice->Decades(1e-3, 0.1);
  }
}

// Links of length l, one at the end of another; of a tree on any of those before.
void AddLinks(Dice* dice, bool is_tree, bool has_springs, int count, double l, Parts* parts) {
  const char* const types[] = {"revolute", "revolute", "ball", "universal", "prismatic"};
  const bool has_ratio = dice->Chance(0.3), is_planar = !is_tree || dice->Chance(0.5);
  const bool floats = is_tree && dice->Chance(0.2);
  for (int i = 0; i < count; ++i) {
    const double mass = has_ratio ? dice->Decades(1e-3, 1e3) : dice->Uniform(0.5, 2);
    const double across = mass * l * l / 12;
    const bool swings = i > 0 && !is_planar && dice->Chance(0.5);
    parts->bodies +=
        fmt::format("  - {{name: k{}, mass: {:.6g}, com: [0, 0, {:.6g}], inertia: {}}}\n", i, mass,
                    -l / 2, Triple(across, across, 0.1 * across));
    const int parent = i == 0 ? -1 : is_tree && dice->Chance(0.3) ? dice->Pick(i) : i - 1;
    std::string joint = fmt::format("name: j{}, child: k{}", i, i);
    if (parent >= 0) {
      joint += fmt::format(", parent: k{}, frame: {{position: [0, 0, {:.17g}]}}", parent, -l);
    }
    const char* const type = i == 0 && floats ? "free" : swings ? types[dice->Pick(5)] : "revolute";
    joint += fmt::format(", type: {}", type);
    if (std::string(type) == "revolute") joint += ", axis: [0, 1, 0]";
    if (std::string(type) == "prismatic") joint += ", axis: [1, 0, 0]";
    if (has_springs && std::string(type) != "free" && dice->Chance(0.5)) {
      joint += fmt::format(", spring: {{stiffness: {:.3g}}}", dice->Decades(1, 1e6));
    }
    parts->joints += fmt::format("  - {{{}}}\n", joint);
  }
}

void AddTree(Dice* dice, bool has_springs, Parts* parts) {
  const int count = 1 + dice->Pick(30);
  AddLinks(dice, true, has_springs, count, dice->Decades(0.02, 1), parts);
  if (parts->joints.find("type: free") == std::string::npos) {
    parts->initial += fmt::format("  j0: {:.6g}\n", dice->Uniform(-3, 3));
  } else {
    parts->initial += fmt::format("  j0: {{angular_velocity: {}}}\n", RandomDirection(dice, 5));
  }
}

// A chain between two pins, as far apart as it spans in its start: all links but the first one in
// line with those before, or bent by one angle.
void AddLoop(Dice* dice, bool has_springs, Parts* parts) {
  const int count = 3 + dice->Pick(20);
  const double l = dice->Decades(0.02, 0.5);
  AddLinks(dice, false, has_springs, count, l, parts);
  const double first = dice->Uniform(1, 3), bend = dice->Uniform(0.02, 0.3);
  double x = 0, z = 0, angle = 0;
  for (int i = 0; i < count; ++i) {
    angle += i == 0 ? first : bend;
    x -= l * std::sin(angle);
    z -= l * std::cos(angle);
    parts->initial += fmt::format("  j{}: {:.17g}\n", i, i == 0 ? first : bend);
  }
  parts->joints += fmt::format(
      "  - {{name: end, type: revolute, child: k{}, axis: [0, 1, 0], frame: {{position: [{:.17g}, "
      "0, "
      "{:.17g}]}}, child_frame: {{position: [0, 0, {:.17g}]}}, tree: loop}}\n",
      count - 1, x, z, -l);
}

}  // namespace

PassiveScene MakePassiveScene(int seed, PassiveKind kind, const std::string& formulation,
                              int steps) {
  Dice dice(seed * 3 + static_cast<int>(kind));
  Parts parts;
  const std::string material = RandomMaterial(&dice);
  const bool is_maximal = kind != PassiveKind::kSolids && dice.Chance(0.2);
  const bool has_springs = dice.Chance(0.2);
  switch (kind) {
    case PassiveKind::kSolids:
      AddSolids(&dice, &parts);
      break;
    case PassiveKind::kTree:
      AddTree(&dice, has_springs, &parts);
      break;
    case PassiveKind::kLoop:
      AddLoop(&dice, has_springs, &parts);
      break;
  }
  const double step = dice.Decades(1e-5, 0.1);
  PassiveScene scene;
  scene.description =
      fmt::format("seed {}, {}{}{}, step {:.3g} s, {}", seed, formulation,
                  is_maximal ? ", maximal" : "", has_springs ? ", springs" : "", step, material);
  scene.text = fmt::format("name: Passive {}\nmaterials: {{default: {}}}\n", seed, material);
  if (kind == PassiveKind::kSolids) {
    scene.text += fmt::format("world: {{geometry: [{}]}}\n", RandomGround(&dice));
  }
  scene.text += fmt::format(
      "bodies:\n{}joints:\n{}initial:\n{}simulation: {{step: {:.6g}, until: {:.6g}, formulation: "
      "{}, "
      "coordinates: {}}}\n",
      parts.bodies, parts.joints, parts.initial, step, steps * step, formulation,
      is_maximal ? "maximal" : "minimal");
  return scene;
}

}  // namespace voigt::testing
