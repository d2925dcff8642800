#pragma once

#include <cmath>

#include "voigt/math/types.h"

// Scenes without settings whose constraints are on velocities, and where they are after t.
namespace voigt::testing {

// A skate on a slope of 30° spins with ω and slides along its blade: u̇ = g sin 30° cos ωt, so that
// it goes down by (g/(4 ω²)) sin² ωt and never further, and aside by (g/(4 ω²)) (ωt − ½ sin 2ωt).
inline constexpr char kSkate[] = R"(
gravity: [9.81 * sin(30 deg), 0, -9.81 * cos(30 deg)]
bodies: [{name: skate, mass: 0.7, inertia: [0.2, 0.3, 0.1]}]
joints: [{name: plane, type: planar, child: skate}]
constraints: [{type: knife-edge, body: skate, direction: [0, 1, 0]}]
initial: {plane: {v: [0, 0, 3]}}
)";
// Down, aside, and its angle.
inline Vec3 SkateAfter(double t) {
  const double w = 3, c = 9.81 / (4 * w * w);
  return {c * std::pow(std::sin(w * t), 2), c * (w * t - 0.5 * std::sin(2 * w * t)), w * t};
}

// A ball that rolls without slip on a plane that is given by a constraint: 5/7 of g sin 30°.
inline constexpr char kRollingBall[] = R"(
gravity: [9.81 * sin(30 deg), 0, -9.81 * cos(30 deg)]
bodies: [{name: ball, mass: 2, inertia: [0.008, 0.008, 0.008]}]
joints: [{name: free, type: free, child: ball}]
constraints: [{type: rolling, body: ball, radius: 0.1}]
initial: {free: {position: [0, 0, 0.1]}}
)";
inline constexpr double kRollingAcceleration = 9.81 * 0.5 * 5 / 7;

// Two wheels of 1 and 3 kg m² whose speeds add up to s(t) = 3 − cos 5t, beside a torque of 0.6 N m
// on the first: λ + 0.6 = ω̇₁, λ = 3 ω̇₂, ω̇₁ + ω̇₂ = ṡ, so that λ = (ṡ − 0.6) 3/4.
inline constexpr char kTwoWheels[] = R"(
gravity: [0, 0, 0]
bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [3, 3, 3]}]
joints: [{name: first, type: revolute, child: a}, {name: second, type: revolute, child: b}]
constraints:
  - {type: constant-speed, terms: [{joint: first, factor: 1}, {joint: second, factor: 1}],
     speed: 3 - cos(5 * t)}
loads: [{body: a, torque: [0, 0, 0.6]}]
initial: {first: {v: 1.5}, second: {v: 0.5}}
)";
// Their speeds.
inline Vec2 TwoWheelsAfter(double t) {
  const double s = 3 - std::cos(5 * t), first = 1.5 + 0.75 * (s - 2 - 0.6 * t) + 0.6 * t;
  return {first, s - first};
}

}  // namespace voigt::testing
