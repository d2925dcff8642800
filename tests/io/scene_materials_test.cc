#include <gtest/gtest.h>

#include "tests/io/scene_problems.h"

namespace voigt {
namespace {

using testing::ExpectLines;
using testing::FindProblems;
using testing::Lines;

// The material of a ground in a scene with this text.
Material GroundOf(const std::string& materials, const std::string& name) {
  const Scene scene = ParseScene(
      materials + "\nworld: {geometry: [{shape: half-space, material: '" + name + "'}]}\n", "s");
  return scene.model.material(0);
}

TEST(SceneMaterials, AreReadFromMapsAndLists) {
  for (const char* text :
       {"materials: {a: {friction: 0.1}, b: {stiffness: 1e4, damping: 3, friction: 0.2, "
        "tangential_stiffness: 1e3, tangential_damping: 5}}",
        "materials: [{name: a, friction: 0.1}, {name: b, stiffness: 1e4, damping: 3, friction: "
        "0.2, tangential_stiffness: 1e3, tangential_damping: 5}]"}) {
    EXPECT_EQ(GroundOf(text, "a").friction, 0.1);
    const Material b = GroundOf(text, "b");
    EXPECT_EQ(b.name, "b");
    EXPECT_EQ(b.law, NormalLaw::kLinear);
    EXPECT_EQ(b.stiffness, 1e4);
    EXPECT_EQ(b.damping, 3);
    EXPECT_EQ(b.friction, 0.2);
    EXPECT_EQ(b.tangential_stiffness, 1e3);
    EXPECT_EQ(b.tangential_damping, 5);
  }
}

TEST(SceneMaterials, HaveTheLawOfTheirNumbers) {
  EXPECT_EQ(GroundOf("", "").law, NormalLaw::kRigid);
  EXPECT_EQ(GroundOf("", "").friction, 0.5);
  EXPECT_EQ(GroundOf("materials:", "default").friction, 0.5);
  EXPECT_EQ(GroundOf("materials: {default: {friction: 0.9, restitution: 0.3}}", "").restitution,
            0.3);
  const Material steel =
      GroundOf("materials: {a: {youngs_modulus: 2e11, poisson_ratio: 0.2}}", "a");
  EXPECT_EQ(steel.law, NormalLaw::kHertz);
  EXPECT_EQ(steel.youngs_modulus, 2e11);
  EXPECT_EQ(steel.poisson_ratio, 0.2);
  const Material damped =
      GroundOf("materials: {a: {hertz_stiffness: 1e9, law: hunt_crossley, dissipation: 0.4}}", "a");
  EXPECT_EQ(damped.law, NormalLaw::kHuntCrossley);
  EXPECT_EQ(damped.hertz_stiffness, 1e9);
  EXPECT_EQ(damped.dissipation, 0.4);
  EXPECT_EQ(GroundOf("materials: {a: {law: rigid, tangential_damping: inf}}", "a").law,
            NormalLaw::kRigid);
}

TEST(SceneMaterials, CanBeRepeatedAndOverridden) {
  const std::string text =
      "materials: [{repeat: {i: 3}, name: 'm${i}', friction: '0.1 * ${i}'}]\n"
      "world: {geometry: [{shape: half-space, material: m2}]}\n";
  EXPECT_DOUBLE_EQ(ParseScene(text, "s").model.material(0).friction, 0.2);
  EXPECT_EQ(ParseScene(text, "s", {{"materials.m2.friction", "0.7"}}).model.material(0).friction,
            0.7);
}

TEST(SceneMaterials, ReportMistakesWhereTheyAre) {
  const std::vector<std::pair<std::string, std::vector<testing::ExpectedLine>>> scenes = {
      {"materials: 3", {{"s:1:12: materials: ", "'3', expected keys with values"}}},
      {"materials: {a: 3}", {{"s:1:16: materials.a: ", "'3', expected keys with values"}}},
      {"materials: [{friction: 1}]", {{"s:1:13: materials[0]: ", "'name' is missing"}}},
      {"materials: {a: {mu: 1}}", {{"s:1:17: materials.a: ", "unknown key 'mu'"}}},
      {"materials: {a: {friction: x}}", {{"s:1:27: materials.a.friction: ", "expected a number"}}},
      {"materials: {a: {friction: -1}}", {{"s:1:13: material 'a': ", "friction = -1, expected"}}},
      {"materials: {a: {law: hertzian, youngs_modulus: 1, dissipation: 1}}",
       {{"s:1:22: materials.a.law: ", "'hertzian', expected rigid, linear, hertz or hunt_cross"}}},
      {"materials: {a: {law: hertz}}", {{"s:1:13: material 'a': ", "needs one of youngs_modulus"}}},
      {"materials: {a: {damping: 3}}", {{"s:1:13: material 'a': ", "damping has no meaning"}}},
      {"materials: [{name: a}, {name: a}]", {{"s:1:24: material 'a': ", "is given twice"}}},
      {"contact: {recovery_speed: 0}", {{"s:1:10: contact: ", "recovery_speed = 0, expected"}}},
      {"contact: {acceleration: x}", {{"s:1:25: contact.acceleration: ", "expected a number"}}},
  };
  for (const auto& [text, expected] : scenes) {
    SCOPED_TRACE(text);
    ExpectLines(FindProblems(text), expected);
  }
}

TEST(SceneMaterials, ThatMeetMustFit) {
  const std::string text =
      "materials: {soft: {stiffness: 1}, hard: {youngs_modulus: 1e9}}\n"
      "world: {geometry: [{shape: half-space, material: soft}]}\n"
      "bodies:\n"
      "  - name: b\n"
      "    geometry:\n"
      "      - {shape: sphere, radius: 1, density: 1, material: hard}\n"
      "joints: [{name: j, type: free, child: b}]\n";
  ExpectLines(FindProblems(text),
              {{"s:6:9: contact of half-space of the world and sphere of body 'b': ",
                "materials 'soft' and 'hard': a linear law meets one of Hertz"}});
  EXPECT_EQ(FindProblems(text, {{"materials.hard", "{stiffness: 2}"}}), Lines{});
}

TEST(SceneContact, SettingsAreRead) {
  const Scene scene =
      ParseScene("contact: {recovery_speed: 2, restitution_speed: 0.3, acceleration: 40}\n", "s");
  EXPECT_EQ(scene.model.spec().contact.recovery_speed, 2);
  EXPECT_EQ(scene.model.spec().contact.restitution_speed, 0.3);
  EXPECT_EQ(scene.model.spec().contact.acceleration, 40);
}

TEST(SceneShapes, PointsAndFoundations) {
  const Scene scene = ParseScene(
      "materials: {layer: {youngs_modulus: 1e7}}\n"
      "bodies:\n"
      "  - name: b\n"
      "    mass: 3\n"
      "    geometry:\n"
      "      - {shape: box, size: [1, 1, 1]}\n"
      "      - {shape: points, positions: [[0, 0, 1], [1, 2, 3]]}\n"
      "      - {shape: foundation, size: [2, 3], counts: [4, 5], depth: 0.1, damping: 7, "
      "material: layer}\n"
      "      - {shape: foundation, size: [2, 3], counts: [4, 5], stiffness: 9}\n"
      "joints: [{name: j, type: free, child: b}]\n",
      "s");
  EXPECT_EQ(scene.model.body(1).mass.mass, 3);
  EXPECT_LT((scene.model.body(1).mass.inertia - 0.5 * Mat3::Identity()).norm(), 1e-15);
  const auto& points = std::get<ContactPoints>(scene.model.geometry()[1].shape);
  ASSERT_EQ(points.positions.size(), 2u);
  EXPECT_EQ(points.positions[1], Vec3(1, 2, 3));
  const auto& layer = std::get<Foundation>(scene.model.geometry()[2].shape);
  EXPECT_EQ(layer.size, Vec2(2, 3));
  EXPECT_EQ(layer.nx, 4);
  EXPECT_EQ(layer.ny, 5);
  EXPECT_EQ(layer.depth, 0.1);
  EXPECT_EQ(layer.damping, 7);
  EXPECT_FALSE(layer.stiffness);
  EXPECT_EQ(std::get<Foundation>(scene.model.geometry()[3].shape).stiffness, 9);
}

}  // namespace
}  // namespace voigt
