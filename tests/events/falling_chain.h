#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

namespace voigt::testing {

// A link of 0.6 m that touches the floor with its ends, and the bearing by which it hangs on the
// one before it, with its angle and rate; of the first link these are not used.
struct Link {
  double mass, inertia_x;
  double mu = 0, radius = 0, q = 0, v = 0;
};

// Links in a vertical plane that fall onto a floor. `start`: place and rates of the first.
inline std::string MakeFallingChain(const char* material, const char* start,
                                    const std::vector<Link>& links, double until, double step) {
  std::string bodies, joints, initial;
  for (size_t i = 0; i < links.size(); ++i) {
    const Link& link = links[i];
    bodies += fmt::format(
        "  - {{name: b{}, mass: {}, inertia: [{}, 0.02, 0.02], geometry: [{{shape: points, "
        "positions: [[0, 0, -0.3], [0, 0, 0.3]]}}]}}\n",
        i, link.mass, link.inertia_x);
    if (i == 0) continue;
    joints += fmt::format(
        "  - {{name: j{0}, type: revolute, parent: b{1}, child: b{0}, axis: [0, 1, 0], frame: "
        "{{position: [0, 0, 0.3]}}, child_frame: {{position: [0, 0, -0.3]}}, friction: {{kinetic: "
        "{2}, radius: {3}}}}}\n",
        i, i - 1, link.mu, link.radius);
    initial += fmt::format(", j{}: {{q: {}, v: {}}}", i, link.q, link.v);
  }
  return fmt::format(R"(
gravity: [0, 0, -9.81]
materials: {{default: {{{}}}}}
world: {{geometry: [{{name: floor, shape: half-space}}]}}
bodies:
{}joints:
  - {{name: j0, type: planar, child: b0, frame: {{rpy: [90 deg, 0, 0]}}, child_frame: {{rpy: [90 deg, 0, 0]}}}}
{}initial: {{j0: {{{}}}{}}}
simulation: {{integrator: event-driven, formulation: working, until: {}, step: {}}}
)",
                     material, bodies, joints, start, initial, until, step);
}

}  // namespace voigt::testing
