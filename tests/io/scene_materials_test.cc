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
  // The stiffness of flat contacts does not make an elastic solid linear.
  const Material solid = GroundOf("materials: {a: {youngs_modulus: 1e9, stiffness: 1e6}}", "a");
  EXPECT_EQ(solid.law, NormalLaw::kHertz);
  EXPECT_EQ(solid.stiffness, 1e6);
}

TEST(SceneMaterials, HaveFrictionOfFourKinds) {
  const Material m = GroundOf(
      "materials: {a: {friction: 0.3, torsional_friction: 1e-3, rolling_friction: 2e-3, "
      "viscous_friction: 4}}",
      "a");
  EXPECT_EQ(m.friction, 0.3);
  EXPECT_EQ(m.torsional_friction, 1e-3);
  EXPECT_EQ(m.rolling_friction, 2e-3);
  EXPECT_EQ(m.viscous_friction, 4);
  EXPECT_EQ(GroundOf("", "").torsional_friction, 0);
  EXPECT_EQ(GroundOf("", "").rolling_friction, 0);
  EXPECT_EQ(GroundOf("", "").viscous_friction, 0);
}

TEST(SceneMaterials, HaveFrictionOfRestAndTheSpeedThatItDropsOver) {
  const Material m =
      GroundOf("materials: {a: {friction: 0.3, static_friction: 0.5, drop_speed: 0.02}}", "a");
  EXPECT_EQ(m.static_friction, 0.5);
  EXPECT_EQ(m.drop_speed, 0.02);
  EXPECT_EQ(GroundOf("", "").drop_speed, 0);
  const Scene scene = ParseScene(
      "contact: {pairs: [{materials: [default, default], friction: 0.1, static_friction: 0.2, "
      "drop_speed: 0.3}]}",
      "s");
  ASSERT_EQ(scene.model.spec().contact.pairs.size(), 1u);
  EXPECT_EQ(scene.model.spec().contact.pairs[0].drop_speed, 0.3);
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
      {"contact: {layer: -0.1}", {{"s:1:10: contact: ", "layer = -0.1, expected a length ≥ 0"}}},
      {"contact: {layer: inf}", {{"s:1:10: contact: ", "layer = inf, expected a length ≥ 0"}}},
      {"contact: {acceleration: x}", {{"s:1:25: contact.acceleration: ", "expected a number"}}},
      {"materials: {a: {rolling_friction: -1}}",
       {{"s:1:13: material 'a': ", "rolling_friction = -1, expected a finite number ≥ 0"}}},
      {"contact: {friction_rule: mean}",
       {{"s:1:26: contact.friction_rule: ", "'mean', expected geometric_mean, minimum"}}},
      {"contact: {pairs: 3}", {{"s:1:18: contact.pairs: ", "'3', expected a list"}}},
      {"contact: {pairs: [{friction: 1}]}",
       {{"s:1:19: contact.pairs[0]: ", "'materials' is missing, expected a list of the names"}}},
      {"contact: {pairs: [{materials: default, friction: 1}]}",
       {{"s:1:31: contact.pairs[0].materials: ",
         "'default', expected a list of the names of two"}}},
      {"contact: {pairs: [{materials: [default, steel], mu: 1}]}",
       {{"s:1:49: contact.pairs[0]: ", "unknown key 'mu'"},
        {"s:1:19: pair of 'default' and 'steel': ", "material 'steel' does not exist"}}},
      {"contact: {pairs: [{materials: [default, default], friction: x}]}",
       {{"s:1:61: contact.pairs[0].friction: ", "expected a number"}}},
      {"materials: {a: {}}\n"
       "contact:\n"
       "  pairs:\n"
       "    - {materials: [default, a], friction: 1}\n"
       "    - {materials: [a, default], damping: 1}\n",
       {{"s:5:7: pair of 'a' and 'default': ", "is given twice"},
        {"s:5:7: pair of 'a' and 'default': ", "damping has no meaning without a finite"}}},
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
  // Or somebody must say how they do.
  EXPECT_EQ(FindProblems(text + "contact: {pairs: [{materials: [soft, hard], stiffness: 3}]}\n"),
            Lines{});
  ExpectLines(FindProblems(text + "contact: {pairs: [{materials: [soft, hard], friction: 3}]}\n"),
              {{"s:6:9: contact of half-space of the world and sphere of body 'b': ",
                "materials 'soft' and 'hard': a linear law meets one of Hertz"}});
}

TEST(SceneContact, SettingsAreRead) {
  const Scene scene = ParseScene(
      "contact: {recovery_speed: 2, restitution_speed: 0.3, acceleration: 40, "
      "layer: 0.01}\n",
      "s");
  EXPECT_EQ(scene.model.spec().contact.recovery_speed, 2);
  EXPECT_EQ(scene.model.spec().contact.restitution_speed, 0.3);
  EXPECT_EQ(scene.model.spec().contact.acceleration, 40);
  EXPECT_EQ(scene.model.spec().contact.layer, 0.01);
  EXPECT_EQ(scene.model.spec().contact.friction_rule, MixingRule::kGeometricMean);
  EXPECT_TRUE(scene.model.spec().contact.pairs.empty());
}

TEST(SceneContact, RulesAndPairsAreRead) {
  for (const MixingRule rule : {MixingRule::kGeometricMean, MixingRule::kMinimum,
                                MixingRule::kMaximum, MixingRule::kAverage, MixingRule::kProduct}) {
    const std::string text = "contact: {friction_rule: " + std::string(ToString(rule)) + "}\n";
    EXPECT_EQ(ParseScene(text, "s").model.spec().contact.friction_rule, rule);
  }
  const Scene scene = ParseScene(
      "materials: {a: {}, b: {stiffness: 1e4}}\n"
      "contact:\n"
      "  pairs:\n"
      "    - {materials: [a, default], friction: 0.1, restitution: 0.4, torsional_friction: 1e-3,\n"
      "       rolling_friction: 2e-3, viscous_friction: 3, tangential_stiffness: 1e5,\n"
      "       tangential_damping: 2}\n"
      "    - {materials: [a, b], stiffness: 1e6, damping: 7}\n"
      "    - {materials: [b, b], hertz_stiffness: 1e8, dissipation: 0.1}\n",
      "s");
  const auto& pairs = scene.model.spec().contact.pairs;
  ASSERT_EQ(pairs.size(), 3u);
  EXPECT_EQ(pairs[0].first, "a");
  EXPECT_EQ(pairs[0].second, "default");
  EXPECT_EQ(pairs[0].friction, 0.1);
  EXPECT_EQ(pairs[0].restitution, 0.4);
  EXPECT_EQ(pairs[0].torsional_friction, 1e-3);
  EXPECT_EQ(pairs[0].rolling_friction, 2e-3);
  EXPECT_EQ(pairs[0].viscous_friction, 3);
  EXPECT_EQ(pairs[0].tangential_stiffness, 1e5);
  EXPECT_EQ(pairs[0].tangential_damping, 2);
  EXPECT_FALSE(pairs[0].stiffness);
  EXPECT_EQ(pairs[1].stiffness, 1e6);
  EXPECT_EQ(pairs[1].damping, 7);
  EXPECT_FALSE(pairs[1].friction);
  EXPECT_EQ(pairs[2].hertz_stiffness, 1e8);
  EXPECT_EQ(pairs[2].dissipation, 0.1);
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

TEST(SceneMaterials, LayersOnShapes) {
  const Scene scene = ParseScene(
      "materials: {rubber: {youngs_modulus: 1e6}}\n"
      "world:\n"
      "  geometry:\n"
      "    - {shape: sphere, radius: 1, material: rubber, foundation: {elements: 90, depth: 0.1}}\n"
      "    - shape: box\n"
      "      size: [1, 1, 1]\n"
      "      foundation: {resolution: 0.2, stiffness: 5, damping: 6, shear_stiffness: inf}\n"
      "    - {shape: box, size: [1, 1, 1]}\n",
      "s");
  const auto& geometry = scene.model.geometry();
  ASSERT_TRUE(geometry[0].foundation && geometry[1].foundation);
  EXPECT_EQ(geometry[0].foundation->elements, 90);
  EXPECT_EQ(geometry[0].foundation->depth, 0.1);
  EXPECT_FALSE(geometry[0].foundation->resolution || geometry[0].foundation->stiffness ||
               geometry[0].foundation->shear_stiffness);
  EXPECT_EQ(geometry[0].foundation->damping, 0);
  EXPECT_EQ(geometry[1].foundation->resolution, 0.2);
  EXPECT_EQ(geometry[1].foundation->stiffness, 5);
  EXPECT_EQ(geometry[1].foundation->damping, 6);
  EXPECT_EQ(geometry[1].foundation->shear_stiffness, kInfinity);
  EXPECT_FALSE(geometry[2].foundation);
}

}  // namespace
}  // namespace voigt
