#pragma once

#include <string>

namespace voigt::testing {

// A block of 1 kg in all, pressed on a plane with 20 N and drawn over it by a spring of 50 N/m
// whose other end goes at 0.1 m/s: friction holds 10 N at rest and 6 N when it slides, so that it
// begins to slide at 1 s.
inline std::string PressedBlock(const std::string& simulation) {
  return R"(
gravity: [0, 0, -20]
materials: {default: {friction: 0.3, static_friction: 0.5}}
world: {geometry: [{name: floor, shape: half-space}]}
bodies:
  - {name: carrier, mass: 0.5, inertia: [1, 1, 1]}
  - {name: block, mass: 0.5, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1}]}
joints:
  - {name: along, type: prismatic, axis: [1, 0, 0], child: carrier, frame: {position: [0, 0, 0.1]}}
  - {name: up, type: prismatic, axis: [0, 0, 1], parent: carrier, child: block}
drives: [{type: servo, joint: along, stiffness: 50, target: 0.1 * t}]
simulation: {)" +
         simulation + "}\n";
}

}  // namespace voigt::testing
