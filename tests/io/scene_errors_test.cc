// One slip per scene: where it is reported and what is said. Most scenes are a valid one with one
// line put in or replaced.

#include <gtest/gtest.h>

#include "tests/io/scene_problems.h"

namespace voigt {
namespace {

using testing::ExpectedLine;
using testing::ExpectLines;
using testing::FindProblems;

struct BadScene {
  std::string text;
  std::vector<ExpectedLine> expected;
};

void ExpectAll(const std::vector<BadScene>& scenes, const std::string& head = "",
               const std::string& tail = "") {
  for (const BadScene& scene : scenes) {
    SCOPED_TRACE(scene.text);
    ExpectLines(FindProblems(head + scene.text + "\n" + tail), scene.expected);
  }
}

TEST(BadScenes, AtTheTop) {
  ExpectAll({
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
  ExpectAll({
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

// Bodies held by a free joint.
TEST(BadScenes, Bodies) {
  const std::string head = "joints: [{name: j, type: free, child: b}]\n";
  ExpectAll(
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
  ExpectAll(
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

TEST(BadScenes, Joints) {
  const std::string tail = "bodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n";
  const auto joint = [](const std::string& keys) {
    return "joints: [{name: j, child: b, " + keys + "}]";
  };
  ExpectAll(
      {
          {"joints: [{type: free, child: b}]",
           {{"s:1:10: joints[0]: ", "'name' is missing, expected a text"}}},
          {"joints: [{name: j, child: b}]",
           {{"s:1:10: joints[0] 'j': ", "'type' is missing, expected a text"}}},
          {joint("type: ''"), {{"s:1:36: joints[0] 'j'.type: ", "is empty, expected a text"}}},
          {"joints: [{name: '', type: free, child: b}]",
           {{"s:1:17: joints[0] ''.name: ", "is empty, expected a text"}}},
          // Without a type, nothing else is judged by it.
          {joint("type: hinge, axis: [0, 0, 1], limits: [0, 1], damping: 3"),
           {{"s:1:36: joints[0] 'j'.type: ", "'hinge', expected fixed, revolute, prismatic, "}}},
          {"joints: [{name: j, type: free}]",
           {{"s:1:10: joints[0] 'j': ", "'child' is missing, expected a text"},
            {"s:1:10: joint 'j': ", "child body '' does not exist"}}},
          {"joints: [{name: j, type: free, child: c}]",
           {{"s:1:10: joint 'j': ", "child body 'c' does not exist"}}},
          {joint("type: free, parent: c"),
           {{"s:1:10: joint 'j': ", "parent body 'c' does not exist"}}},
          {joint("type: free, parent: b"),
           {{"s:1:10: joint 'j': ", "connects body 'b' with itself"}}},
          {"joints: [{name: j, type: free, child: b}, {name: j, type: ball, child: b}]",
           {{"s:1:43: joint 1: ", "name 'j' is taken by joint 0"}}},
          {joint("type: revolute, axis: [0, 0, 0]"),
           {{"s:1:10: joint 'j': ", "axis = [0, 0, 0], expected a direction"}}},
          {joint("type: revolute, axis: 2"),
           {{"s:1:52: joints[0] 'j'.axis: ", "'2', expected three numbers"}}},
          {joint("type: ball, axis: [0, 0, 1]"),
           {{"s:1:10: joint 'j': ", "a ball joint has no axis"}}},
          {joint("type: revolute, axis2: [0, 0, 1]"),
           {{"s:1:10: joint 'j': ", "axis2 belongs to universal joints only"}}},
          {joint("type: universal, axis: [1, 0, 0]"),
           {{"s:1:10: joint 'j': ", "give both axis and axis2, or neither"}}},
          {joint("type: universal, axis: [1, 0, 0], axis2: [1, 1, 0]"),
           {{"s:1:10: joint 'j': ", "axis and axis2 are not perpendicular"}}},
          {joint("type: universal, axis: [1, 0, x], axis2: [0, 0, 1]"),
           {{"s:1:60: joints[0] 'j'.axis: ", "'x', expected a number"}}},
          {joint("type: universal, axis: [0, 0, 1], axis2: 3"),
           {{"s:1:71: joints[0] 'j'.axis2: ", "'3', expected three numbers"}}},
          {joint("type: revolute, pitch: 1"),
           {{"s:1:10: joint 'j': ", "pitch belongs to screw joints only"}}},
          {joint("type: screw"),
           {{"s:1:10: joints[0] 'j': ", "'pitch' is missing, expected a number"}}},
          {joint("type: revolute, limits: 1"),
           {{"s:1:54: joints[0] 'j'.limits: ", "'1', expected [lower, upper] or a list of such"}}},
          {joint("type: revolute, limits: [1, 2, 3]"),
           {{"s:1:54: joints[0] 'j'.limits: ", "a list of 3, expected [lower, upper]"}}},
          {joint("type: planar, limits: [[0, 1], [0], 3]"),
           {{"s:1:61: joints[0] 'j'.limits: ", "a list of 1, expected [lower, upper]"},
            {"s:1:66: joints[0] 'j'.limits: ", "'3', expected [lower, upper]"}}},
          {joint("type: planar, limits: [[0, 1], [0, 1]]"),
           {{"s:1:10: joint 'j': ", "lower limit has 2 values"},
            {"s:1:10: joint 'j': ", "upper limit has 2 values"}}},
          {joint("type: ball, limits: [0, 1]"),
           {{"s:1:10: joint 'j': ", "a ball joint has no scalar coordinates to limit"}}},
          {joint("type: revolute, spring: 20"),
           {{"s:1:54: joints[0] 'j'.spring: ", "'20', expected keys with values"}}},
          {joint("type: revolute, spring: "),
           {{"s:1:46: joints[0] 'j'.spring: ", "nothing, expected keys with values"}}},
          {joint("type: revolute, spring: {stiffness: 1, rest: []}"),
           {{"s:1:75: joints[0] 'j'.spring.rest: ", "an empty list, expected one number or"}}},
          {joint("type: ball, spring: {stiffness: 1, rest: {position: [1, 2, 3]}}"),
           {{"s:1:72: joints[0] 'j'.spring.rest: ", "unknown key 'position', expected one of "}}},
          {joint("type: revolute, damping: []"),
           {{"s:1:55: joints[0] 'j'.damping: ", "an empty list, expected one number or a list"}}},
          {joint("type: revolute, frame: "),
           {{"s:1:46: joints[0] 'j'.frame: ", "nothing, expected keys with values"}}},
          {joint("type: revolute, friction: "),
           {{"s:1:46: joints[0] 'j'.friction: ", "nothing, expected keys with values"}}},
          {joint("type: revolute, spring: {rest: 1}"),
           {{"s:1:54: joints[0] 'j'.spring: ", "'stiffness' is missing"}}},
          {joint("type: revolute, spring: {stiffness: 1, rest: {rpy: [1, 0, 0]}}"),
           {{"s:1:75: joints[0] 'j'.spring.rest: ",
             "a pose, expected the coordinates of a revolute joint"}}},
          {joint("type: ball, spring: {stiffness: 1, rest: [2, 0, 0, 0]}"),
           {{"s:1:10: joint 'j': ", "rest orientation is not a unit quaternion"}}},
          {joint("type: revolute, damping: -1"), {{"s:1:10: joint 'j': ", "damping = -1"}}},
          {joint("type: planar, damping: [1, 2]"),
           {{"s:1:10: joint 'j': ", "damping has 2 values"}}},
          {joint("type: fixed, armature: 1"),
           {{"s:1:10: joint 'j': ", "armature on a fixed joint"}}},
          {joint("type: revolute, friction: {dry: -1}"),
           {{"s:1:10: joint 'j': ", "dry friction = -1"}}},
          {joint("type: revolute, friction: {wet: 1}"),
           {{"s:1:57: joints[0] 'j'.friction: ",
             "unknown key 'wet', expected one of dry, viscous"}}},
          {joint("type: revolute, tree: yes"),
           {{"s:1:52: joints[0] 'j'.tree: ", "'yes', expected auto, tree or loop"}}},
          {joint("type: revolute, frame: [0, 0, 1]"),
           {{"s:1:53: joints[0] 'j'.frame: ", "a list of 3, expected keys with values"}}},
          {joint("type: revolute, frame: {pos: [0, 0, 1]}"),
           {{"s:1:54: joints[0] 'j'.frame: ",
             "unknown key 'pos', expected one of position, rpy, "}}},
          {joint("type: revolute, motor: 1"),
           {{"s:1:46: joints[0] 'j': ", "unknown key 'motor', expected one of name, type, "}}},
      },
      "", tail);
}

// Loads, drives and initial states on a revolute joint r, a ball joint s and a free joint f.
TEST(BadScenes, LoadsDrivesAndInitialStates) {
  const std::string tail =
      "bodies: [{repeat: {i: 3}, name: \"b${i}\", mass: 1, inertia: [1, 1, 1]}]\n"
      "joints:\n"
      "  - {name: r, type: revolute, child: b0}\n"
      "  - {name: s, type: ball, child: b1}\n"
      "  - {name: f, type: free, child: b2}\n";
  ExpectAll(
      {
          {"loads: [{force: [1, 2, 3]}]",
           {{"s:1:9: loads[0]: ", "names neither a body nor a joint"}}},
          {"loads: [{body: b0}]", {{"s:1:9: loads[0]: ", "has neither force nor torque"}}},
          {"loads: [{body: b0, force: 3}]",
           {{"s:1:27: loads[0].force: ", "'3', expected three numbers or expressions of t"}}},
          {"loads: [{body: b0, torque: []}]",
           {{"s:1:28: loads[0].torque: ", "a list of 0, expected three numbers or expressions"}}},
          {"loads: [{body: b0, force: [0, 0, sin(x)]}]",
           {{"s:1:34: loads[0].force: ", "'sin(x)', expected a number or an expression of t"}}},
          {"loads: [{name: push, body: b0, force: [0, 0, 1], frame: local}]",
           {{"s:1:57: loads[0] 'push'.frame: ", "'local', expected world or body"}}},
          {"loads: [{body: world, force: [0, 0, 1]}]",
           {{"s:1:9: load 'loads[0]': ", "acts on the world"}}},
          {"loads: [{joint: r, body: b0, force: 1}]",
           {{"s:1:26: loads[0].body: ", "belongs to a load on a body, not on a joint"}}},
          {"loads: [{joint: r, torque: [1, 0, 0], force: 1}]",
           {{"s:1:28: loads[0].torque: ", "belongs to a load on a body, not on a joint"}}},
          {"loads: [{joint: q, force: 1}]",
           {{"s:1:9: load 'loads[0]': ", "joint 'q' does not exist"}}},
          {"loads: [{joint: s, force: 1}]", {{"s:1:9: load 'loads[0]': ", "force has 1 values"}}},
          {"loads: [{joint: r}]",
           {{"s:1:9: loads[0]: ", "'force' is missing, expected one function of t per degree"}}},
          {"loads: [{joint: s, force: []}]",
           {{"s:1:27: loads[0].force: ", "an empty list, expected functions of t"}}},
          {"loads: [{joint: '', force: 1}]",
           {{"s:1:17: loads[0].joint: ", "is empty, expected a text"}}},
          {"loads: [{body: '', force: [1, 2, 3]}]",
           {{"s:1:16: loads[0].body: ", "is empty, expected a text"}}},
          {"drives: [{type: '', joint: r, stiffness: 1, target: 0}]",
           {{"s:1:17: drives[0].type: ", "is empty, expected a text"}}},
          {"drives: [{type: servo, joint: '', stiffness: 1, target: 0}]",
           {{"s:1:31: drives[0].joint: ", "is empty, expected a text"}}},
          {"drives: [{type: servo, joint: r, target: 0}]",
           {{"s:1:10: drives[0]: ", "'stiffness' is missing, expected N/m or N m/rad"}}},
          {"drives: [{joint: r, stiffness: 1, target: 0}]",
           {{"s:1:10: drives[0]: ", "'type' is missing, expected a text"}}},
          {"drives: [{type: engine, joint: r, stiffness: 1, target: 0}]",
           {{"s:1:17: drives[0].type: ", "'engine', expected servo, motor or prescribed"}}},
          {"drives: [{type: motor, joint: r}]",
           {{"s:1:10: drives[0]: ", "'rate' is missing, expected one function of t per"}}},
          {"drives: [{type: motor, joint: r, rate: 1, force_limit: 0}]",
           {{"s:1:10: motor 'drives[0]': ", "force limit = 0, expected a positive number"}}},
          {"drives: [{type: prescribed, joint: s, position: 1}]",
           {{"s:1:10: prescribed motion 'drives[0]': ",
             "joint 's': a ball joint has no scalar coordinates"}}},
          {"drives: [{type: prescribed, joint: r, position: 1, damping: 3}]",
           {{"s:1:10: prescribed motion 'drives[0]': ", "damping without stiffness"}}},
          {"constraints: [{body: b0}]",
           {{"s:1:15: constraints[0]: ", "'type' is missing, expected a text"}}},
          {"constraints: [{type: string, body: b0, length: 1}]",
           {{"s:1:22: constraints[0].type: ", "'string', expected distance, point-on-line, "}}},
          {"constraints: [{type: distance, body: b0}]",
           {{"s:1:15: constraints[0]: ", "'length' is missing, expected"}}},
          {"constraints: [{name: rod, type: distance, body: x, length: 1}]",
           {{"s:1:15: constraint 'rod': ", "body 'x' does not exist"}}},
          {"constraints: [{type: distance, body: b0, length: 1, side: left}]",
           {{"s:1:59: constraints[0].side: ", "'left', expected both, above or below"}}},
          {"constraints: [{type: distance, body: b0, length: 1, stiffness: 0}]",
           {{"s:1:15: constraint 'constraints[0]': ", "stiffness and damping are both 0"}}},
          {"constraints: [{type: knife-edge, body: b0, direction: [0, 1, 0], stiffness: 5}]",
           {{"s:1:66: constraints[0]: ", "unknown key 'stiffness', expected one of type, name"}}},
          {"constraints: [{type: knife-edge, body: b0, direction: [0, 1, 0], damping: 0}]",
           {{"s:1:15: constraint 'constraints[0]': ", "damping = 0, expected a positive"}}},
          {"constraints: [{type: coupler}]",
           {{"s:1:15: constraints[0]: ", "'terms' is missing, expected a list of joints"}}},
          {"constraints: [{type: coupler, terms: [{joint: s, factor: 1}]}]",
           {{"s:1:15: constraint 'constraints[0]': ",
             "joint 's': a ball joint has no scalar coordinates"}}},
          {"constraints: [{type: coupler, terms: [{joint: r, factor: 1, dof: 0.5}]}]",
           {{"s:1:66: constraints[0].terms[0].dof: ", "0.5, expected a whole number"}}},
          {"constraints: [{type: constant-speed, terms: [{joint: r, factor: 1}], speed: [1, 2]}]",
           {{"s:1:77: constraints[0].speed: ", "2 values, expected one function of t"}}},
          {"constraints: [{type: prescribed-point, body: b0, position: [1, 2]}]",
           {{"s:1:60: constraints[0].position: ", "a list of 2, expected three numbers or"}}},
          {"constraints: [{type: lock, joint: q, at: {rpy: [0, 0, 1]}}]",
           {{"s:1:15: constraint 'constraints[0]': ", "joint 'q' does not exist"}}},
          {"constraints: [{type: lock, joint: r, at: {rpy: [0, 0, 1]}}]",
           {{"s:1:42: constraints[0].at: ", "a pose, expected the coordinates of a revolute"}}},
          {"drives: [{type: servo, joint: q, stiffness: 1, target: 0}]",
           {{"s:1:10: servo 'drives[0]': ", "joint 'q' does not exist"}}},
          {"drives: [{type: servo, joint: s, stiffness: 1, target: 0}]",
           {{"s:1:10: servo 'drives[0]': ", "a ball joint has no scalar coordinates to drive"}}},
          {"drives: [{type: servo, joint: r, stiffness: -1, target: 0}]",
           {{"s:1:10: servo 'drives[0]': ", "-1"}}},
          {"drives: [{type: servo, joint: r, stiffness: 1}]",
           {{"s:1:10: drives[0]: ", "'target' is missing, expected one function of t per"}}},
          {"drives: [{type: servo, joint: r, stiffness: 1, target: 0, gain: 3}]",
           {{"s:1:59: drives[0]: ", "unknown key 'gain', expected one of type, name, joint, "}}},
          {"initial: {q: 1}", {{"s:1:11: initial: ", "joint 'q' does not exist"}}},
          {"initial: {r: [1, 2]}", {{"s:1:14: initial.r: ", "2 values, expected 1"}}},
          {"initial: {r: []}", {{"s:1:14: initial.r: ", "0 values, expected 1"}}},
          {"initial: {r: inf}", {{"s:1:14: initial.r: ", "inf, expected a finite number"}}},
          {"initial: {r: }", {{"s:1:11: initial.r: ", "nothing, expected a number"}}},
          {"initial: {r: {q: 1, v: [1, 2]}}", {{"s:1:24: initial.r.v: ", "2 values, expected 1"}}},
          {"initial: {r: {position: 1}}",
           {{"s:1:15: initial.r: ", "unknown key 'position', expected one of q, v"}}},
          {"initial: {s: [0, 0, 0, 0]}",
           {{"s:1:14: initial.s: ", "the quaternion w, x, y, z is zero"}}},
          {"initial: {s: }", {{"s:1:11: initial.s: ", "nothing, expected a number"}}},
          {"initial: {s: [1, 0, 0]}", {{"s:1:14: initial.s: ", "3 values, expected 4"}}},
          {"initial: {s: {position: [1, 2, 3]}}",
           {{"s:1:14: initial.s: ", "a ball joint has a rotation only"}}},
          {"initial: {f: {velocity: [1, inf, 3]}}",
           {{"s:1:14: initial.f: ", "position or velocity is not finite"}}},
          {"initial: {f: {quaternion: [1, 0, 0]}}",
           {{"s:1:27: initial.f.quaternion: ", "expected four numbers w, x, y, z"}}},
          {"initial: {f: {q: 1}}",
           {{"s:1:15: initial.f: ", "unknown key 'q', expected one of position, "}}},
      },
      "", tail);
}

TEST(BadScenes, Expansion) {
  ExpectAll({
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

}  // namespace
}  // namespace voigt
