#include "voigt/io/override.h"

#include <gtest/gtest.h>

#include "tests/io/scene_problems.h"

namespace voigt {
namespace {

using testing::Lines;
using testing::ToLines;

YamlValue ParseDocument(const std::string& text) {
  ProblemList problems;
  YamlValue value = ParseYaml(text, "f.yaml", &problems);
  problems.ThrowIfAny();
  return value;
}

// Applies "path=value" to a document and returns what was wrong with it.
Lines Apply(const std::string& text, YamlValue* document) {
  ProblemList problems;
  const Override change = Override::Parse(text);
  if (auto value = ParseOverrideValue(change, &problems)) {
    ApplyOverride(change, std::move(*value), document, &problems);
  }
  return ToLines(problems.problems());
}

const char kScene[] = R"(
parameters: {n: 3, length: 2}
bodies:
  - {name: arm, mass: 1}
  - {name: hand, mass: 2}
joints:
  - {name: pin, axis: [0, 1, 0]}
empty:
)";

TEST(Override, SplitsAtTheFirstEqualsSign) {
  const Override change = Override::Parse("loads.push.force=t == 1 ? 2 : 3");
  EXPECT_EQ(change.path, "loads.push.force");
  EXPECT_EQ(change.value, "t == 1 ? 2 : 3");
  EXPECT_EQ(Override::Parse("a=").value, "");
}

TEST(Override, WithoutPathOrValueIsRefused) {
  for (const char* text : {"", "gravity", "=3"}) {
    try {
      Override::Parse(text);
      FAIL() << text;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(),
                "--set " + std::string(text) + ": expected path=value, such as bodies.arm.mass=3");
    }
  }
}

TEST(Override, FindsListElementsByNameAndByNumber) {
  YamlValue scene = ParseDocument(kScene);
  EXPECT_EQ(Apply("bodies.hand.mass=5", &scene), Lines{});
  EXPECT_EQ(Apply("bodies.0.mass=7", &scene), Lines{});
  EXPECT_EQ(Apply("joints.pin.axis.2=9", &scene), Lines{});
  EXPECT_EQ(scene.Find("bodies")->items[1].Find("mass")->text, "5");
  EXPECT_EQ(scene.Find("bodies")->items[0].Find("mass")->text, "7");
  EXPECT_EQ(scene.Find("joints")->items[0].Find("axis")->items[2].text, "9");
}

TEST(Override, AcceptsBracketsForElements) {
  YamlValue scene = ParseDocument(kScene);
  EXPECT_EQ(Apply("joints[0].axis[1]=4", &scene), Lines{});
  EXPECT_EQ(Apply("bodies[hand].mass=8", &scene), Lines{});
  EXPECT_EQ(scene.Find("joints")->items[0].Find("axis")->items[1].text, "4");
  EXPECT_EQ(scene.Find("bodies")->items[1].Find("mass")->text, "8");
}

TEST(Override, NamesWinOverNumbers) {
  YamlValue scene = ParseDocument("bodies: [{name: 1}, {name: 0}]");
  EXPECT_EQ(Apply("bodies.0.mass=5", &scene), Lines{});
  EXPECT_EQ(scene.Find("bodies")->items[0].Find("mass"), nullptr);
  EXPECT_EQ(scene.Find("bodies")->items[1].Find("mass")->text, "5");
}

TEST(Override, MaySetListsAndMaps) {
  YamlValue scene = ParseDocument(kScene);
  EXPECT_EQ(Apply("joints.pin.axis=[1, 0, 0]", &scene), Lines{});
  EXPECT_EQ(Apply("bodies.arm.mass={a: [x]}", &scene), Lines{});
  EXPECT_EQ(scene.Find("joints")->items[0].Find("axis")->items[0].text, "1");
  EXPECT_EQ(scene.Find("bodies")->items[0].Find("mass")->Find("a")->items[0].text, "x");
}

TEST(Override, MayAddKeysAtAnyDepth) {
  YamlValue scene = ParseDocument(kScene);
  EXPECT_EQ(Apply("simulation.step=0.1", &scene), Lines{});
  EXPECT_EQ(Apply("empty.a.b=1", &scene), Lines{});
  EXPECT_EQ(scene.Find("simulation")->Find("step")->text, "0.1");
  EXPECT_EQ(scene.Find("empty")->Find("a")->Find("b")->text, "1");
  // All of it stands where the user wrote it.
  EXPECT_EQ(scene.Find("simulation")->where.ToString(), "--set simulation.step=0.1");
  EXPECT_EQ(scene.Find("empty")->Find("a")->entries[0].where.ToString(), "--set empty.a.b=1");
}

TEST(Override, StandsAtTheOptionThatGaveIt) {
  YamlValue scene = ParseDocument(kScene);
  ProblemList problems;
  const Override change{"simulation.step", "[1, {a: 2}]", "--step 1"};
  EXPECT_TRUE(change.Where().ToString() == "--step 1");
  const auto value = ParseOverrideValue(change, &problems);
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(value->items[1].Find("a")->where.ToString(), "--step 1");
  EXPECT_EQ(value->items[1].entries[0].where.ToString(), "--step 1");
}

TEST(Override, NamesElementsThatDoNotExist) {
  YamlValue scene = ParseDocument(kScene);
  EXPECT_EQ(Apply("bodies.foot.mass=1", &scene),
            Lines{"--set bodies.foot.mass=1: 'bodies' has no element 'foot'"});
  EXPECT_EQ(Apply("bodies.2.mass=1", &scene),
            Lines{"--set bodies.2.mass=1: 'bodies' has no element '2'"});
  EXPECT_EQ(Apply("bodies.-1.mass=1", &scene),
            Lines{"--set bodies.-1.mass=1: 'bodies' has no element '-1'"});
  EXPECT_EQ(Apply("joints.pin.axis.x=1", &scene),
            Lines{"--set joints.pin.axis.x=1: 'joints.pin.axis' has no element 'x'"});
}

TEST(Override, DoesNotReachIntoPlainValues) {
  YamlValue scene = ParseDocument(kScene);
  EXPECT_EQ(Apply("bodies.arm.mass.kg=1", &scene),
            Lines{"--set bodies.arm.mass.kg=1: 'bodies.arm.mass' is '1' and has no 'kg' inside"});
  EXPECT_EQ(scene.Find("bodies")->items[0].Find("mass")->text, "1");
}

TEST(Override, ValueMustBeYaml) {
  YamlValue scene = ParseDocument(kScene);
  EXPECT_EQ(Apply("gravity=[0, 0", &scene),
            Lines{"--set gravity=[0, 0: not valid YAML: end of sequence flow not found"});
  EXPECT_EQ(Apply("gravity={a: 1, a: 2}", &scene),
            Lines{"--set gravity={a: 1, a: 2}: key 'a' is given twice, first at line 1"});
  EXPECT_EQ(Apply("name=\xff", &scene),
            Lines{"--set name=\xff: byte 0xff, expected text in UTF-8"});
}

TEST(Override, KnowsParametersHoweverTheyAreAddressed) {
  for (const char* path : {"parameters.n", "parameters[n]", "parameters"}) {
    EXPECT_TRUE((Override{path, ""}.SetsParameter())) << path;
  }
  for (const char* path : {"parameter.n", "bodies.parameters", "n"}) {
    EXPECT_FALSE((Override{path, ""}.SetsParameter())) << path;
  }
}

TEST(Override, RefusesParametersThatTheSceneDoesNotHave) {
  YamlValue scene = ParseDocument(kScene);
  EXPECT_EQ(
      Apply("parameters.legnth=1", &scene),
      Lines{"--set parameters.legnth=1: the scene has no parameter 'legnth', only n, length"});
  EXPECT_EQ(Apply("parameters.length=1", &scene), Lines{});
  EXPECT_EQ(scene.Find("parameters")->Find("length")->text, "1");
  YamlValue bare = ParseDocument("name: x");
  EXPECT_EQ(Apply("parameters.n=1", &bare),
            Lines{"--set parameters.n=1: the scene has no parameter 'n'"});
}

}  // namespace
}  // namespace voigt
