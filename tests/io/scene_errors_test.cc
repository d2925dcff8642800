// One slip per scene, in the scene as a whole, its bodies and its shapes: where it is reported and
// what is said. Most scenes are a valid one with one line put in or replaced.

#include <gtest/gtest.h>

#include <string>

#include "tests/io/scene_problems.h"

namespace voigt {
namespace {

using testing::ExpectProblemsOf;

TEST(BadScenes, AtTheTop) {
  ExpectProblemsOf({
      {"", {{"s: ", "is empty, expected a scene"}}},
      {"[1, 2]", {{"s:1:1: ", "a list of 2, expected keys with values"}}},
      {"just text", {{"s:1:1: ", "'just text', expected keys with values"}}},
      {"grvity: [0, 0, 0]", {{"s:1:1: ", "unknown key 'grvity': did you mean 'gravity'?"}}},
      {"settings: []", {{"s:1:1: ", "unknown key 'settings', expected one of name, "}}},
      {"name: [a]", {{"s:1:7: name: ", "a list of 1, expected a text"}}},
      {"gravity: 9.81", {{"s:1:10: gravity: ", "'9.81', expected three numbers"}}},
      {"gravity: [0, 0, -9,81]", {{"s:1:10: gravity: ", "a list of 4, expected three numbers"}}},
      {"gravity: [0, 0, fast]", {{"s:1:17: gravity: ", "'fast', expected a number"}}},
      {"gravity: [0, 0, inf]", {{"s:1:10: gravity: ", "is not finite"}}},
      {"gravity:", {{"s:1:1: gravity: ", "nothing, expected three numbers"}}},
      {"bodies: 3", {{"s:1:9: bodies: ", "'3', expected a list"}}},
      {"bodies: {name: a}", {{"s:1:9: bodies: ", "a map, expected a list"}}},
      {"bodies: [a]", {{"s:1:10: bodies[0]: ", "'a', expected keys with values"}}},
      {"joints: yes", {{"s:1:9: joints: ", "'yes', expected a list"}}},
      {"initial: 3", {{"s:1:10: initial: ", "'3', expected keys with values"}}},
      {"world: ground", {{"s:1:8: world: ", "'ground', expected keys with values"}}},
      {"world: {color: 3}", {{"s:1:9: world: ", "unknown key 'color', expected one of geometry"}}},
      {"world: {geometry: [{shape: sphere, radius: 1, density: 1}]}",
       {{"s:1:20: world: ", "the world has no mass: leave out 'density'"}}},
      {"world: {geometry: [{shape: sphere, radius: -1}]}",
       {{"s:1:20: world, sphere: ", "radius = -1"}}},
  });
}

TEST(BadScenes, Simulation) {
  ExpectProblemsOf({
      {"simulation: fast", {{"s:1:13: simulation: ", "'fast', expected keys with values"}}},
      {"simulation: {step: -1}", {{"s:1:20: simulation.step: ", "-1, expected a positive time"}}},
      {"simulation: {step: inf}", {{"s:1:20: simulation.step: ", "inf, expected a positive time"}}},
      {"simulation: {step: 1 ms}", {{"s:1:20: simulation.step: ", "'1 ms', expected a number"}}},
      {"simulation: {until: -1}", {{"s:1:21: simulation.until: ", "-1, expected a time ≥ 0"}}},
      {"simulation: {record_interval: -1}",
       {{"s:1:31: simulation.record_interval: ", "-1, expected a time ≥ 0"}}},
      {"simulation: {integrator: euler}",
       {{"s:1:26: simulation.integrator: ",
         "'euler', expected semi-implicit-euler, rk4, adaptive or event-driven"}}},
      {"simulation: {curvature: full}",
       {{"s:1:25: simulation.curvature: ", "'full', expected none, predictor or printed"}}},
      {"simulation: {steps: 1}", {{"s:1:14: simulation: ", "did you mean 'step'?"}}},
  });
}

TEST(BadScenes, Expansion) {
  ExpectProblemsOf({
      {"parameters: 3", {{"s:1:13: parameters: ", "'3', expected names with values"}}},
      {"parameters: {a: b}", {{"s:1:17: parameters.a: ", "'b', expected a number"}}},
      {"parameters: {a: '${x}'}", {{"s:1:17: parameters.a: ", "'${x}', expected a number"}}},
      {"parameters: {a: 1e400}", {{"s:1:17: parameters.a: ", "'1e400', expected a number: the "}}},
      {"name: ${n}", {{"s:1:7: ", "in ${n}: "}}},
      {"name: x${", {{"s:1:7: ", "'x${' opens ${ without closing it"}}},
      {"bodies: [{repeat: {i: 1.5}, name: b}]", {{"s:1:23: ", "'1.5', expected a whole number"}}},
      {"bodies: [{repeat: i, name: b}]", {{"s:1:19: ", "repeat needs indices, such as"}}},
      {"bodies: [{repeat: {i: 1e7}, name: b}]",
       {{"s:1:19: ", "repeat makes 10000000 copies, at most 1000000"}}},
      // Indices are text; a number that uses one writes ${i}.
      {"bodies: [{repeat: {i: 1}, name: b, mass: i + 1, inertia: point}]\n"
       "joints: [{name: j, type: free, child: b}]",
       {{"s:1:42: bodies[0] 'b'.mass: ", "'i + 1', expected a number"}}},
  });
}

// Bodies held by a free joint.
TEST(BadScenes, Bodies) {
  const std::string head = "joints: [{name: j, type: free, child: b}]\n";
  ExpectProblemsOf(
      {
          {"bodies: [{mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}]",
           {{"s:2:10: bodies[0]: ", "'name' is missing, expected a text"},
            {"s:2:10: body 'bodies[0]': ", "is not connected to the world"}}},
          {"bodies: [{name: world, mass: 1, inertia: point}, {name: b, mass: 1, inertia: point}]",
           {{"s:2:10: body 0: ", "'world' is the name of the fixed ground"}}},
          {"bodies: [{name: b, mass: 1, inertia: point}, {name: b, mass: 1, inertia: point}]",
           {{"s:2:46: body 1: ", "name 'b' is taken by body 0"}}},
          {"bodies: [{name: b}]", {{"s:2:10: body 'b': ", "has no mass"}}},
          {"bodies: [{name: b, mass: 0, inertia: point}]",
           {{"s:2:10: body 'b': ", "mass = 0, expected a positive number in kg"}}},
          {"bodies: [{name: b, mass: 1}]", {{"s:2:10: body 'b': ", "neither an inertia nor"}}},
          {"bodies: [{name: b, mass: 1, inertia: pont}]",
           {{"s:2:38: bodies[0] 'b'.inertia: ",
             "'pont', expected point, [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]"}}},
          {"bodies: [{name: b, mass: 1, inertia: [1, 1]}]",
           {{"s:2:38: bodies[0] 'b'.inertia: ", "a list of 2, expected point, "}}},
          {"bodies: [{name: b, mass: 1, inertia: [1, x, 1], inertia_axes: {}}]",
           {{"s:2:42: bodies[0] 'b'.inertia: ", "'x', expected a number"}}},
          {"bodies: [{name: b, mass: 1, inertia: [1, -1, 1]}]",
           {{"s:2:10: body 'b': ", "expected all to be positive"}}},
          {"bodies: [{name: b, mass: 1, inertia: [1, 1, 3]}]",
           {{"s:2:10: body 'b': ", "no body has one larger than the sum of the other two"}}},
          {"bodies: [{name: b, com: [0, 0, 1], geometry: [{shape: sphere, radius: 1, density: "
           "1}]}]",
           {{"s:2:25: bodies[0] 'b'.com: ", "needs 'mass' beside it"}}},
          {"bodies: [{name: b, inertia: point, geometry: [{shape: sphere, radius: 1, density: "
           "1}]}]",
           {{"s:2:29: bodies[0] 'b'.inertia: ", "needs 'mass' beside it"}}},
          {"bodies: [{name: b, mass: 1, com: [0, 0, 1], geometry: [{shape: sphere, radius: 1}]}]",
           {{"s:2:34: bodies[0] 'b'.com: ", "needs 'inertia' beside it"}}},
          {"bodies: [{name: b, mass: 1, inertia: point, inertia_axes: {rpy: [1, 0, 0]}}]",
           {{"s:2:59: bodies[0] 'b'.inertia_axes: ", "given for a point mass"}}},
          {"bodies: [{name: b, mass: 1, inertia: [1, 1, 1], inertia_axes: {position: [1, 0, 0]}}]",
           {{"s:2:64: bodies[0] 'b'.inertia_axes: ",
             "unknown key 'position', expected one of rpy, quaternion, axis_angle"}}},
          {"bodies: [{name: b, mass: 1, inertia: point, geometry: }]",
           {{"s:2:45: bodies[0] 'b'.geometry: ", "nothing, expected a list"}}},
          {"bodies: [{name: b, massless: true, mass: 1, com: [0, 0, 0]}]",
           {{"s:2:42: bodies[0] 'b'.mass: ", "given for a massless body"},
            {"s:2:50: bodies[0] 'b'.com: ", "given for a massless body"}}},
          {"bodies: [{name: b, massless: 1, mass: 1, inertia: point}]",
           {{"s:2:30: bodies[0] 'b'.massless: ", "'1', expected true or false"}}},
          {"bodies: [{name: b, mass: 1, inertia: point, "
           "geometry: [{shape: sphere, radius: 1, density: 1}]}]",
           {{"s:2:56: body 'b': ", "gives its own mass and a density as well"}}},
          {"bodies: [{name: b, massless: true, "
           "geometry: [{shape: sphere, radius: 1, density: 1}]}]",
           {{"s:2:47: body 'b': ", "is massless, but a shape has a density"}}},
          {"bodies: [{name: b, mass: 1, inertia: point, weight: 3}]",
           {{"s:2:45: bodies[0] 'b': ", "unknown key 'weight', expected one of name, massless, "}}},
          {"bodies: [{name: b, mass: 1, inertia: point}, {name: c, mass: 1, inertia: point}]",
           {{"s:2:46: body 'c': ", "is not connected to the world by joints"}}},
      },
      head);
}

// One shape of a body, beside a good one.
TEST(BadScenes, Shapes) {
  const std::string head =
      "joints: [{name: j, type: free, child: b}]\n"
      "bodies:\n"
      "  - name: b\n"
      "    geometry:\n"
      "      - {shape: sphere, radius: 1, density: 1}\n";
  ExpectProblemsOf(
      {
          {"      - {shape: spere, radius: 1}",
           {{"s:6:17: bodies[0] 'b'.geometry[1].shape: ", "'spere', expected sphere, box, "}}},
          {"      - {radius: 1}",
           {{"s:6:9: bodies[0] 'b'.geometry[1]: ", "'shape' is missing, expected a text"}}},
          {"      - {shape: sphere}",
           {{"s:6:9: bodies[0] 'b'.geometry[1]: ", "'radius' is missing, expected a number"}}},
          {"      - {shape: sphere, radius: 1, length: 2}",
           {{"s:6:36: bodies[0] 'b'.geometry[1]: ", "unknown key 'length', expected one of"}}},
          {"      - {shape: sphere, radius: 0}", {{"s:6:9: body 'b', sphere: ", "radius = 0"}}},
          {"      - {name: tip, shape: capsule, radius: 1, length: -2}",
           {{"s:6:9: body 'b', capsule 'tip': ", "length = -2"}}},
          {"      - {shape: capsule, radius: x, length: -2}",
           {{"s:6:34: bodies[0] 'b'.geometry[1].radius: ", "'x', expected a number"},
            {"s:6:9: body 'b', capsule: ", "length = -2"}}},
          {"      - {shape: box, size: [1, 2]}",
           {{"s:6:28: bodies[0] 'b'.geometry[1].size: ", "a list of 2, expected three numbers"}}},
          {"      - {shape: box, size: [1, 0, 2]}", {{"s:6:9: body 'b', box: ", "size y = 0"}}},
          {"      - {shape: ellipsoid, radii: [1, 1, -2]}",
           {{"s:6:9: body 'b', ellipsoid: ", "radius z = -2"}}},
          {"      - {shape: hull, points: 3}",
           {{"s:6:31: bodies[0] 'b'.geometry[1].points: ", "'3', expected a list of points"}}},
          {"      - {shape: hull, points: []}",
           {{"s:6:9: body 'b', hull: ", "0 points, expected at least 4"}}},
          {"      - {shape: hull, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}",
           {{"s:6:9: body 'b', hull: ", "do they lie in a plane?"}}},
          {"      - {shape: mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "
           "triangles: [[0, 1, 3]]}",
           {{"s:6:9: body 'b', mesh: ", "triangle 0 names vertex 3"}}},
          {"      - {shape: mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "
           "triangles: [[0, 1, 2], [0, 1.5, 2.5], [0, 1e20, 2]]}",
           {{"s:6:91: bodies[0] 'b'.geometry[1].triangles: ", "1.5, expected whole numbers"},
            {"s:6:106: bodies[0] 'b'.geometry[1].triangles: ", "1e+20, expected whole numbers"}}},
          {"      - {shape: mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "
           "triangles: [[0, x, 2]]}",
           {{"s:6:84: bodies[0] 'b'.geometry[1].triangles: ", "'x', expected a number"}}},
          {"      - {shape: points}",
           {{"s:6:9: bodies[0] 'b'.geometry[1]: ", "'positions' is missing"}}},
          {"      - {shape: points, positions: []}",
           {{"s:6:9: body 'b', points: ", "has no points"}}},
          {"      - {shape: points, positions: [[0, 0, x]]}",
           {{"s:6:44: bodies[0] 'b'.geometry[1].positions: ", "'x', expected a number"}}},
          {"      - {shape: points, positions: [[0, 0, 0]], density: 1}",
           {{"s:6:9: body 'b': ", "no mass from its points: points have no volume"}}},
          {"      - {shape: foundation, size: [1, 2, 3], counts: [2, 2], stiffness: 1}",
           {{"s:6:35: bodies[0] 'b'.geometry[1].size: ", "a list of 3, expected two numbers"}}},
          {"      - {shape: foundation, size: [1, 2], counts: 4, stiffness: 1}",
           {{"s:6:51: bodies[0] 'b'.geometry[1].counts: ", "'4', expected two numbers"}}},
          {"      - {shape: foundation, size: [1, 2], counts: [2, 2.5], stiffness: 1}",
           {{"s:6:9: body 'b', foundation: ", "2 x 0 elements, expected positive"}}},
          {"      - {shape: foundation, size: [1, 2], counts: [2, 2], depth: 1}",
           {{"s:6:9: body 'b', foundation: ", "needs a material with youngs_modulus"}}},
          {"      - {shape: sphere, radius: 1, foundation: {elements: 10, depth: 1}}",
           {{"s:6:9: body 'b', sphere: ", "needs a material with youngs_modulus"}}},
          {"      - {shape: sphere, radius: 1, foundation: {elements: 2.5, stiffness: 1}}",
           {{"s:6:9: body 'b', sphere: ", "elements = 0, expected a whole number from 1"}}},
          {"      - {shape: sphere, radius: 1, foundation: {resolution: fine, stiffness: 1}}",
           {{"s:6:61: bodies[0] 'b'.geometry[1].foundation.resolution: ", "'fine'"}}},
          {"      - {shape: sphere, radius: 1, foundation: {resolution: 1, stifness: 1}}",
           {{"s:6:64: bodies[0] 'b'.geometry[1].foundation: ", "stiffness"}}},
          {"      - {shape: sphere, radius: 1, foundation: 3}",
           {{"s:6:48: bodies[0] 'b'.geometry[1].foundation: ", "expected keys with values"}}},
          {"      - {shape: half-space, foundation: {elements: 10, stiffness: 1}}",
           {{"s:6:9: body 'b', half-space: ", "cannot have a foundation on its surface"}}},
          {"      - {shape: sphere, radius: 1, material: wood}",
           {{"s:6:9: body 'b', sphere: ", "material 'wood' does not exist"}}},
          {"      - {shape: '', radius: 1}",
           {{"s:6:17: bodies[0] 'b'.geometry[1].shape: ", "is empty, expected a text"}}},
          {"      - {shape: mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "
           "triangles: [[0, 1, 2]], density: 1}",
           {{"s:6:9: body 'b': ", "no mass from its mesh: the surface is open"}}},
          {"      - {shape: half-space, density: 1}",
           {{"s:6:9: body 'b': ", "a half-space has no finite mass"}}},
          {"      - {shape: sphere, radius: 1, density: -1}",
           {{"s:6:9: body 'b', sphere: ", "density = -1"}}},
          {"      - {shape: sphere, radius: 1, position: [1, 2]}",
           {{"s:6:46: bodies[0] 'b'.geometry[1].position: ", "a list of 2, expected three"}}},
          {"      - {shape: sphere, radius: 1, surface_velocity: 1}",
           {{"s:6:54: bodies[0] 'b'.geometry[1].surface_velocity: ", "'1', expected three"}}},
          {"      - {shape: sphere, radius: 1, surface_velocity: [1, inf, 0]}",
           {{"s:6:9: body 'b', sphere: ", "surface_velocity is not finite"}}},
          {"      - {shape: sphere, radius: 1, rpy: [0, 0, 0], quaternion: [1, 0, 0, 0]}",
           {{"s:6:9: bodies[0] 'b'.geometry[1]: ", "gives its rotation more than once"}}},
      },
      head);
}

}  // namespace
}  // namespace voigt
