#include "voigt/io/object_reader.h"

#include <gtest/gtest.h>

#include "tests/io/scene_problems.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

using testing::Lines;
using testing::ToLines;

// A reader of one map, at path "thing", with the constant n = 4.
struct Fixture {
  explicit Fixture(const std::string& text, const std::string& path = "thing")
      : value(ParseYaml(text, "f", &context.problems)), reader(value, path, &context) {
    context.constants = {{"n", 4}};
  }

  Lines Problems() const { return ToLines(context.problems.problems()); }

  ReadContext context;
  YamlValue value;
  ObjectReader reader;
};

bool IsClose(const Mat3& a, const Mat3& b) { return (a - b).cwiseAbs().maxCoeff() < 1e-15; }

TEST(ObjectReader, ReadsTexts) {
  Fixture f("a: hello\nb: 1.50\nc: [1]\nd:\n");
  EXPECT_EQ(f.reader.Text("a", "x"), "hello");
  EXPECT_EQ(f.reader.Text("b", "x"), "1.50");
  EXPECT_EQ(f.reader.Text("missing", "fallback"), "fallback");
  EXPECT_EQ(f.Problems(), Lines{});
  EXPECT_EQ(f.reader.Text("c", "fallback"), "fallback");
  EXPECT_EQ(f.reader.Text("d", "fallback"), "fallback");
  EXPECT_EQ(f.Problems(), (Lines{"f:3:4: thing.c: a list of 1, expected a text",
                                 "f:4:1: thing.d: nothing, expected a text"}));
}

TEST(ObjectReader, RequiresTexts) {
  Fixture f("\na: hello\nc: ''\n");
  EXPECT_EQ(f.reader.RequiredText("a"), "hello");
  EXPECT_EQ(f.reader.RequiredText("b"), "");
  EXPECT_EQ(f.reader.RequiredText("c"), "");
  EXPECT_EQ(f.Problems(), (Lines{"f:2:1: thing: 'b' is missing, expected a text",
                                 "f:3:4: thing.c: is empty, expected a text"}));
}

TEST(ObjectReader, LetsThePathStandForAMissingName) {
  Fixture with("name: arm\n"), without("mass: 1\n"), empty("name: ''\n");
  EXPECT_EQ(with.reader.RequiredName(), "arm");
  EXPECT_EQ(with.Problems(), Lines{});
  EXPECT_EQ(without.reader.RequiredName(), "thing");
  EXPECT_EQ(without.Problems(), Lines{"f:1:1: thing: 'name' is missing, expected a text"});
  EXPECT_EQ(empty.reader.RequiredName(), "thing ''");
  EXPECT_EQ(empty.Problems(), Lines{"f:1:7: thing ''.name: is empty, expected a text"});
}

TEST(ObjectReader, ReadsFlags) {
  Fixture f("a: true\nb: false\nc: yes\nd: {}\n");
  EXPECT_TRUE(f.reader.Flag("a", false));
  EXPECT_FALSE(f.reader.Flag("b", true));
  EXPECT_TRUE(f.reader.Flag("missing", true));
  EXPECT_EQ(f.Problems(), Lines{});
  EXPECT_TRUE(f.reader.Flag("c", true));
  EXPECT_FALSE(f.reader.Flag("d", false));
  EXPECT_EQ(f.Problems(), (Lines{"f:3:4: thing.c: 'yes', expected true or false",
                                 "f:4:4: thing.d: a map, expected true or false"}));
}

TEST(ObjectReader, ReadsChoices) {
  Fixture f("a: two\nb: four\nc: [one]\n");
  const std::vector<std::pair<std::string_view, int>> choices = {
      {"one", 1}, {"two", 2}, {"three", 3}};
  EXPECT_EQ(f.reader.Choice("a", choices), 2);
  EXPECT_EQ(f.reader.Choice("missing", choices), std::nullopt);
  EXPECT_EQ(f.Problems(), Lines{});
  EXPECT_EQ(f.reader.Choice("b", choices), std::nullopt);
  EXPECT_EQ(f.reader.Choice("c", choices), std::nullopt);
  EXPECT_EQ(f.Problems(), (Lines{"f:2:4: thing.b: 'four', expected one, two or three",
                                 "f:3:4: thing.c: a list of 1, expected one, two or three"}));
}

TEST(ListChoices, ReadsAsASentence) {
  EXPECT_EQ(ListChoices({}), "");
  EXPECT_EQ(ListChoices({"a"}), "a");
  EXPECT_EQ(ListChoices({"a", "b"}), "a or b");
  EXPECT_EQ(ListChoices({"a", "b", "c"}), "a, b or c");
}

TEST(ObjectReader, ReadsNumbersAndExpressions) {
  Fixture f("a: 2.5\nb: n / 8\nc: abc\nd: [1]\n");
  EXPECT_EQ(f.reader.Number("a", 0), 2.5);
  EXPECT_EQ(f.reader.Number("b", 0), 0.5);
  EXPECT_EQ(f.reader.Number("missing", 7), 7);
  EXPECT_EQ(f.reader.RequiredNumber("a", 0), 2.5);
  EXPECT_EQ(f.Problems(), Lines{});
  EXPECT_EQ(f.reader.Number("c", 7), 7);
  EXPECT_EQ(f.reader.Number("d", 7), 7);
  EXPECT_EQ(f.reader.RequiredNumber("e", 7), 7);
  EXPECT_EQ(f.Problems(), (Lines{"f:3:4: thing.c: 'abc', expected a number: Unexpected token "
                                 "\"abc\" found at position 0.",
                                 "f:4:4: thing.d: a list of 1, expected a number",
                                 "f:1:1: thing: 'e' is missing, expected a number"}));
}

TEST(ObjectReader, ReadsVectors) {
  Fixture f("a: [1, n, -2]\nb: [1, 2]\nc: 5\nd: [1, x, [2]]\n");
  EXPECT_EQ(f.reader.Vector("a", Vec3::Zero()), Vec3(1, 4, -2));
  EXPECT_EQ(f.reader.RequiredVector("a", Vec3::Zero()), Vec3(1, 4, -2));
  EXPECT_EQ(f.reader.OptionalVector("a"), Vec3(1, 4, -2));
  EXPECT_EQ(f.reader.OptionalVector("missing"), std::nullopt);
  EXPECT_EQ(f.reader.Vector("missing", Vec3(7, 8, 9)), Vec3(7, 8, 9));
  EXPECT_EQ(f.Problems(), Lines{});
  EXPECT_EQ(f.reader.Vector("b", Vec3(7, 8, 9)), Vec3(7, 8, 9));
  EXPECT_EQ(f.reader.RequiredVector("c", Vec3(7, 8, 9)), Vec3(7, 8, 9));
  // Every component is looked at; the good ones are kept.
  EXPECT_EQ(f.reader.Vector("d", Vec3(7, 8, 9)), Vec3(1, 8, 9));
  EXPECT_EQ(f.reader.RequiredVector("e", Vec3(7, 8, 9)), Vec3(7, 8, 9));
  EXPECT_EQ(f.Problems(),
            (Lines{"f:2:4: thing.b: a list of 2, expected three numbers",
                   "f:3:4: thing.c: '5', expected three numbers",
                   "f:4:8: thing.d: 'x', expected a number: Unexpected token \"x\" found at "
                   "position 0.",
                   "f:4:11: thing.d: a list of 1, expected a number",
                   "f:1:1: thing: 'e' is missing, expected three numbers"}));
}

TEST(ObjectReader, ReadsOneNumberOrMany) {
  Fixture f("a: 3\nb: [1, n]\nc: []\nd: [1, {}]\ne:\n");
  EXPECT_EQ(f.reader.Numbers("a"), std::vector<double>{3});
  EXPECT_EQ(f.reader.Numbers("b"), (std::vector<double>{1, 4}));
  EXPECT_EQ(f.reader.RequiredNumbers("b", "kg"), (std::vector<double>{1, 4}));
  EXPECT_EQ(f.reader.Numbers("missing"), std::vector<double>{});
  EXPECT_EQ(f.Problems(), Lines{});
  EXPECT_EQ(f.reader.Numbers("c"), std::vector<double>{});
  EXPECT_EQ(f.reader.Numbers("d"), (std::vector<double>{1, 0}));
  EXPECT_EQ(f.reader.Numbers("e"), std::vector<double>{0});
  EXPECT_EQ(f.reader.RequiredNumbers("missing", "kg"), std::vector<double>{});
  EXPECT_EQ(f.Problems(),
            (Lines{"f:3:4: thing.c: an empty list, expected one number or a list of them",
                   "f:4:8: thing.d: a map, expected a number",
                   "f:5:1: thing.e: nothing, expected a number",
                   "f:1:1: thing: 'missing' is missing, expected kg"}));
}

TEST(ObjectReader, ReadsPoints) {
  Fixture f("a: [[1, 2, 3], [n, 0, 0]]\nb: 5\nc: [[1, 2]]\n");
  EXPECT_EQ(f.reader.Points("a"), (std::vector<Vec3>{{1, 2, 3}, {4, 0, 0}}));
  EXPECT_EQ(f.Problems(), Lines{});
  EXPECT_TRUE(f.reader.Points("b").empty());
  EXPECT_EQ(f.reader.Points("c"), std::vector<Vec3>{Vec3::Zero()});
  EXPECT_TRUE(f.reader.Points("d").empty());
  EXPECT_EQ(f.Problems(), (Lines{"f:2:4: thing.b: '5', expected a list of points",
                                 "f:3:5: thing.c: a list of 2, expected three numbers",
                                 "f:1:1: thing: 'd' is missing, expected a list of points"}));
}

TEST(ObjectReader, ReadsFunctionsOfTime) {
  Fixture f("a: n * t\nb: [1, 2 * n, t^2]\nc: [u, 1]\nd: {}\ne: []\n");
  const auto a = f.reader.Functions("a");
  ASSERT_EQ(a.size(), 1u);
  EXPECT_EQ(CompiledTimeFunction(a[0])(2), 8);
  const auto b = f.reader.Functions("b");
  ASSERT_EQ(b.size(), 3u);
  EXPECT_TRUE(b[0].is_constant());
  EXPECT_EQ(b[1].constant(), 8);
  EXPECT_EQ(CompiledTimeFunction(b[2])(3), 9);
  EXPECT_TRUE(f.reader.Functions("missing").empty());
  EXPECT_EQ(f.reader.RequiredFunctions("a", "forces").size(), 1u);
  EXPECT_EQ(f.Problems(), Lines{});
  EXPECT_EQ(f.reader.Functions("c").size(), 2u);
  EXPECT_EQ(f.reader.Functions("d").size(), 1u);
  EXPECT_TRUE(f.reader.Functions("e").empty());
  EXPECT_TRUE(f.reader.RequiredFunctions("missing", "forces").empty());
  EXPECT_EQ(f.Problems(), (Lines{"f:3:5: thing.c: 'u', expected a number or an expression of t: "
                                 "Unexpected token \"u\" found at position 0.",
                                 "f:4:4: thing.d: a map, expected a number or an expression of "
                                 "t",
                                 "f:5:4: thing.e: an empty list, expected functions of t",
                                 "f:1:1: thing: 'missing' is missing, expected forces"}));
}

TEST(ObjectReader, ReadsPosesInAllForms) {
  const Mat3 quarter = RotationAbout(Vec3::UnitZ(), kPi / 2);
  for (const char* text : {"{position: [1, 2, 3], rpy: [0, 0, 90 deg]}",
                           "{position: [1, 2, 3], quaternion: [1, 0, 0, 1]}",
                           "{position: [1, 2, 3], quaternion: [-5, 0, 0, -5]}",
                           "{position: [1, 2, 3], axis_angle: {axis: [0, 0, 3], angle: 90 deg}}"}) {
    Fixture f("frame: " + std::string(text));
    const Pose X = f.reader.PoseUnder("frame");
    EXPECT_EQ(X.p, Vec3(1, 2, 3)) << text;
    EXPECT_TRUE(IsClose(X.R, quarter)) << text;
    EXPECT_EQ(f.Problems(), Lines{}) << text;
    const Pose own = Fixture(text).reader.OwnPose();
    EXPECT_EQ(own.p, X.p) << text;
    EXPECT_EQ(own.R, X.R) << text;
  }
}

TEST(ObjectReader, RollPitchYawTurnAboutFixedAxesInThatOrder) {
  Fixture f("rpy: [0.1, 0.2, 0.3]\n");
  const Mat3 expected = RotationAbout(Vec3::UnitZ(), 0.3) * RotationAbout(Vec3::UnitY(), 0.2) *
                        RotationAbout(Vec3::UnitX(), 0.1);
  EXPECT_TRUE(IsClose(f.reader.OwnPose().R, expected));
}

TEST(ObjectReader, MissingPosesAreTheIdentity) {
  Fixture f("empty: {}\n");
  for (const char* key : {"empty", "missing"}) {
    const Pose X = f.reader.PoseUnder(key);
    EXPECT_EQ(X.p, Vec3::Zero()) << key;
    EXPECT_EQ(X.R, Mat3::Identity()) << key;
    EXPECT_EQ(f.reader.RotationUnder(key), Mat3::Identity()) << key;
  }
  EXPECT_EQ(f.Problems(), Lines{});
}

TEST(ObjectReader, PosesWithoutValueAreRefused) {
  Fixture f("frame:\naxes: ~\n");
  f.reader.PoseUnder("frame");
  f.reader.RotationUnder("axes");
  EXPECT_EQ(f.Problems(), (Lines{"f:1:1: thing.frame: nothing, expected keys with values",
                                 "f:2:1: thing.axes: nothing, expected keys with values"}));
}

TEST(ObjectReader, RotationsHaveNoPosition) {
  Fixture f("axes: {rpy: [0, 0, 90 deg]}\nbad: {position: [0, 0, 0]}\n");
  EXPECT_TRUE(IsClose(f.reader.RotationUnder("axes"), RotationAbout(Vec3::UnitZ(), kPi / 2)));
  EXPECT_EQ(f.Problems(), Lines{});
  f.reader.RotationUnder("bad");
  EXPECT_EQ(f.Problems(), Lines{"f:2:7: thing.bad: unknown key 'position', expected one of rpy, "
                                "quaternion, axis_angle"});
}

// Squares of these lengths are zero or infinite.
TEST(ObjectReader, RotationsOfAnyLengthButZero) {
  const Mat3 quarter = RotationAbout(Vec3::UnitX(), kPi / 2);
  for (const char* length : {"1e-300", "1e-7", "1", "1e200", "1e308"}) {
    Fixture axis("axis_angle: {axis: [" + std::string(length) + ", 0, 0], angle: 90 deg}");
    EXPECT_TRUE(IsClose(axis.reader.OwnPose().R, quarter)) << length;
    EXPECT_EQ(axis.Problems(), Lines{}) << length;
    Fixture quaternion("quaternion: [" + std::string(length) + ", " + length + ", 0, 0]");
    EXPECT_TRUE(IsClose(quaternion.reader.OwnPose().R, quarter)) << length;
    EXPECT_EQ(quaternion.Problems(), Lines{}) << length;
  }
}

TEST(ObjectReader, RefusesRotationsGivenTwice) {
  const std::string why =
      "gives its rotation more than once: keep one of rpy, quaternion, axis_angle";
  for (const char* text : {"{rpy: [0, 0, 0], quaternion: [1, 0, 0, 0]}",
                           "{rpy: [0, 0, 0], axis_angle: {axis: [1, 0, 0], angle: 0}}",
                           "{quaternion: [1, 0, 0, 0], axis_angle: {axis: [1, 0, 0], angle: 0}}"}) {
    Fixture f("x: 1\nframe: " + std::string(text));
    f.reader.PoseUnder("frame");
    EXPECT_EQ(f.Problems(), Lines{"f:2:8: thing.frame: " + why}) << text;
  }
}

TEST(ObjectReader, RefusesBadRotations) {
  const auto problems = [](const std::string& text) {
    Fixture f(text);
    EXPECT_EQ(f.reader.OwnPose().R, Mat3::Identity()) << text;
    return f.Problems();
  };
  const std::string bad_quaternion =
      "f:1:13: thing.quaternion: expected four numbers w, x, y, z, not all zero";
  EXPECT_EQ(problems("quaternion: [0, 0, 0, 0]"), Lines{bad_quaternion});
  EXPECT_EQ(problems("quaternion: [1, 0, 0]"), Lines{bad_quaternion});
  EXPECT_EQ(problems("quaternion: 1"), Lines{bad_quaternion});
  EXPECT_EQ(problems("rpy: [0, 0]"),
            Lines{"f:1:6: thing.rpy: a list of 2, expected three numbers"});
  EXPECT_EQ(problems("rpy: [0, 0, inf]"), Lines{"f:1:1: thing: its rotation is not finite"});
  EXPECT_EQ(problems("quaternion: [inf, 0, 0, 0]"),
            Lines{"f:1:1: thing: its rotation is not finite"});
  EXPECT_EQ(problems("axis_angle: {axis: [0, 0, 0], angle: 1}"),
            Lines{"f:1:13: thing.axis_angle: axis is zero, expected a direction"});
  EXPECT_EQ(problems("axis_angle: {angel: 1, axis: [0, 0, 1]}"),
            (Lines{"f:1:13: thing.axis_angle: 'angle' is missing, expected a number",
                   "f:1:14: thing.axis_angle: unknown key 'angel': did you mean 'angle'?"}));
  EXPECT_EQ(problems("axis_angle: {axis: [inf, 0, 0], angle: 1}"),
            Lines{"f:1:1: thing: its rotation is not finite"});
  // One slip, one message.
  EXPECT_EQ(problems("axis_angle: 3"),
            Lines{"f:1:13: thing.axis_angle: '3', expected keys with values"});
  EXPECT_EQ(problems("axis_angle: {axis: [0, 0, x], angle: 1}"),
            Lines{"f:1:27: thing.axis_angle.axis: 'x', expected a number: Unexpected token \"x\" "
                  "found at position 0."});
  EXPECT_EQ(problems("quaternion: [x, 0, 0, 0]"),
            Lines{"f:1:14: thing.quaternion: 'x', expected a number: Unexpected token \"x\" found "
                  "at position 0."});
}

TEST(ObjectReader, ChecksKeysInsidePoses) {
  Fixture f("frame: {positoin: [1, 2, 3]}\n");
  f.reader.PoseUnder("frame");
  EXPECT_EQ(f.Problems(),
            Lines{"f:1:9: thing.frame: unknown key 'positoin': did you mean 'position'?"});
}

TEST(ObjectReader, ReportsEveryKeyThatNobodyAskedFor) {
  Fixture f("radius: 1\nradios: 2\nsomething: 3\n");
  f.reader.Number("radius", 0);
  f.reader.Has("length");
  f.reader.Finish();
  EXPECT_EQ(f.Problems(),
            (Lines{"f:2:1: thing: unknown key 'radios': did you mean 'radius'?",
                   "f:3:1: thing: unknown key 'something', expected one of radius, length"}));
}

TEST(ObjectReader, GuessesOnlyWhatIsClose) {
  Fixture f("ax: 1\naxs: 1\nq: 1\n");
  f.reader.Has("axis");
  f.reader.Finish();
  EXPECT_EQ(f.Problems(), (Lines{"f:1:1: thing: unknown key 'ax', expected one of axis",
                                 "f:2:1: thing: unknown key 'axs': did you mean 'axis'?",
                                 "f:3:1: thing: unknown key 'q', expected one of axis"}));
}

TEST(ObjectReader, AskingIsEnoughToKnowAKey) {
  Fixture f("a: 1\nb: 2\n");
  EXPECT_TRUE(f.reader.Has("a"));
  EXPECT_NE(f.reader.Find("b"), nullptr);
  EXPECT_FALSE(f.reader.Has("c"));
  f.reader.Finish();
  EXPECT_EQ(f.Problems(), Lines{});
}

TEST(ObjectReader, CallsNamedElementsByName) {
  Fixture named("name: arm\nmass: x y\n", "bodies[3]"), root("name: scene\ngravity: 1\n", "");
  named.reader.Number("mass", 0);
  EXPECT_EQ(named.Problems()[0].substr(0, 30), "f:2:7: bodies[3] 'arm'.mass: '");
  root.reader.Vector("gravity", Vec3::Zero());
  EXPECT_EQ(root.Problems(), Lines{"f:2:10: gravity: '1', expected three numbers"});
}

TEST(ObjectReader, NeedsAMap) {
  EXPECT_EQ(Fixture("[1, 2]").Problems(),
            Lines{"f:1:1: thing: a list of 2, expected keys with values"});
  EXPECT_EQ(Fixture("abc").Problems(), Lines{"f:1:1: thing: 'abc', expected keys with values"});
  EXPECT_EQ(Fixture("").Problems(), Lines{"f: thing: nothing, expected keys with values"});
  // An empty scene is reported elsewhere.
  EXPECT_EQ(Fixture("", "").Problems(), Lines{});
}

TEST(ReadList, VisitsEveryMapAndChecksLeftOverKeys) {
  Fixture f("list:\n  - {name: a, x: 1}\n  - {x: 2, y: 3}\n  - 7\n  - [1]\n  - ~\nbad: 5\n");
  std::vector<double> seen;
  const auto read = [&](ObjectReader& r) {
    r.Has("name");
    seen.push_back(r.Number("x", 0));
  };
  ReadList(&f.reader, "list", read);
  ReadList(&f.reader, "missing", read);
  ReadList(&f.reader, "bad", read);
  EXPECT_EQ(seen, (std::vector<double>{1, 2}));
  EXPECT_EQ(f.Problems(), (Lines{"f:3:12: thing.list[1]: unknown key 'y', expected one of name, x",
                                 "f:4:5: thing.list[2]: '7', expected keys with values",
                                 "f:5:5: thing.list[3]: a list of 1, expected keys with values",
                                 "f:6:5: thing.list[4]: nothing, expected keys with values",
                                 "f:7:6: thing.bad: '5', expected a list"}));
}

// `bodies:` in a scene is a section still to be filled in; `geometry:` in a body is a slip.
TEST(ReadList, MayBeNothingAtTheTopOnly) {
  const auto read = [](ObjectReader&) { FAIL(); };
  Fixture scene("list:\n", ""), element("list:\n");
  ReadList(&scene.reader, "list", read);
  ReadList(&element.reader, "list", read);
  EXPECT_EQ(scene.Problems(), Lines{});
  EXPECT_EQ(element.Problems(), Lines{"f:1:1: thing.list: nothing, expected a list"});
}

}  // namespace
}  // namespace voigt
