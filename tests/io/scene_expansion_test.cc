#include "voigt/io/scene_expansion.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/io/scene_problems.h"

namespace voigt {
namespace {

using testing::Lines;
using testing::ToLines;

// A document after expansion, as compact text, with what was said about it.
struct Expanded {
  Expanded(const std::string& text, const std::vector<Override>& overrides = {}) {
    ProblemList list;
    document = ParseYaml(text, "f.yaml", &list);
    constants = ExpandScene(overrides, &document, &list);
    problems = ToLines(list.problems());
  }

  std::string Get(const std::string& key) const { return ToText(*document.Find(key)); }

  static std::string ToText(const YamlValue& value) {
    Lines parts;
    for (const YamlValue& item : value.items) parts.push_back(ToText(item));
    for (const YamlEntry& entry : value.entries) {
      parts.push_back(fmt::format("{}={}", entry.key, ToText(entry.value)));
    }
    if (value.IsList()) return fmt::format("[{}]", fmt::join(parts, " "));
    if (value.IsMap()) return fmt::format("{{{}}}", fmt::join(parts, " "));
    return value.IsScalar() ? value.text : "~";
  }

  YamlValue document;
  NamedConstants constants;
  Lines problems;
};

Lines ExpansionProblems(const std::string& text) { return Expanded(text).problems; }

TEST(SceneParameters, AreEvaluatedInOrderAndMayUseEarlierOnes) {
  const Expanded e("parameters: {n: 4, half: n / 2, angle: 90 deg * half, big: 1e3}");
  EXPECT_EQ(e.problems, Lines{});
  ASSERT_EQ(e.constants.size(), 4u);
  EXPECT_EQ(e.constants[1], (std::pair<std::string, double>{"half", 2}));
  EXPECT_DOUBLE_EQ(e.constants[2].second, 3.14159265358979323846);
  EXPECT_EQ(e.constants[3].second, 1000);
}

TEST(SceneParameters, MayBeMissingOrEmpty) {
  EXPECT_EQ(ExpansionProblems("name: x"), Lines{});
  EXPECT_EQ(ExpansionProblems("parameters:\n"), Lines{});
  EXPECT_EQ(ExpansionProblems("parameters: {}\n"), Lines{});
}

TEST(SceneParameters, DoNotKnowLaterOnes) {
  EXPECT_EQ(ExpansionProblems("parameters:\n  a: b + 1\n  b: 2\n  c: b\n"),
            Lines{"f.yaml:2:6: parameters.a: 'b + 1', expected a number: Unexpected token \"b\" "
                  "found at position 0."});
}

TEST(SceneParameters, BadOnesAreAllReported) {
  EXPECT_EQ(ExpansionProblems("parameters:\n"
                              "  a: 1,5\n"
                              "  b: [1, 2]\n"
                              "  c:\n"
                              "  t: 1\n"
                              "  my-size: 2\n"
                              "  d: 0/0\n"
                              "  e: 2\n"),
            (Lines{"f.yaml:2:6: parameters.a: '1,5', expected a number: a list of values, "
                   "expected one",
                   "f.yaml:3:6: parameters.b: a list of 2, expected a number: not a single value",
                   "f.yaml:4:3: parameters.c: nothing, expected a number: not a single value",
                   "f.yaml:5:3: parameters: 't' has a meaning of its own, choose another",
                   "f.yaml:6:3: parameters: 'my-size' is no name for expressions: use letters, "
                   "digits and _",
                   "f.yaml:7:6: parameters.d: '0/0', expected a number: the result is undefined"}));
}

TEST(SceneParameters, MustBeAMap) {
  EXPECT_EQ(ExpansionProblems("parameters: [1, 2]\n"),
            Lines{"f.yaml:1:13: parameters: a list of 2, expected names with values"});
}

TEST(Substitution, FillsNamesAndNumbersEverywhere) {
  const Expanded e(
      "parameters: {n: 3, h: 0.5}\n"
      "a: rod${n}\n"
      "b: [\"${n - 1}\", {c: \"x${n}y${h}z\"}]\n"
      "d: ${h}*2\n"
      "e: $n {n} $ plain\n");
  EXPECT_EQ(e.problems, Lines{});
  EXPECT_EQ(e.Get("a"), "rod3");
  EXPECT_EQ(e.Get("b"), "[2 {c=x3y0.5z}]");
  EXPECT_EQ(e.Get("d"), "0.5*2");
  EXPECT_EQ(e.Get("e"), "$n {n} $ plain");
}

TEST(Substitution, LeavesParametersAlone) {
  const Expanded e("parameters: {a: \"${x}\"}\nb: 1\n");
  ASSERT_EQ(e.problems.size(), 1u);
  EXPECT_TRUE(e.problems[0].starts_with("f.yaml:1:17: parameters.a: '${x}', expected a number: "))
      << e.problems[0];
}

TEST(Substitution, WritesWholeNumbersWithoutPoint) {
  const Expanded e("parameters: {n: 1e6, m: -2}\na: ${n}_${m * 3}_${n / 4}_${1/3}\n");
  EXPECT_EQ(e.Get("a"), "1000000_-6_250000_0.3333333333333333");
}

TEST(Substitution, ReportsWhatItCannotFill) {
  EXPECT_EQ(ExpansionProblems("a: rod${n}\n"),
            Lines{"f.yaml:1:4: in ${n}: Unexpected token \"n\" found at position 0."});
  EXPECT_EQ(ExpansionProblems("a: [1, \"x${1 + \"]\n"),
            Lines{"f.yaml:1:8: 'x${1 + ' opens ${ without closing it"});
  EXPECT_EQ(ExpansionProblems("a: \"${1,5}\"\n"),
            Lines{"f.yaml:1:4: in ${1,5}: a list of values, expected one"});
  ASSERT_EQ(ExpansionProblems("a: \"${}\"\n").size(), 1u);
}

TEST(Repeat, CountsFromZero) {
  const Expanded e("list:\n  - {repeat: {i: 3}, name: \"b${i}\"}\n  - {name: last}\n");
  EXPECT_EQ(e.problems, Lines{});
  EXPECT_EQ(e.Get("list"), "[{name=b0} {name=b1} {name=b2} {name=last}]");
}

TEST(Repeat, RangesIncludeBothEnds) {
  const Expanded e("list:\n  - {repeat: {i: [-1, 1]}, name: \"b${i}\", twice: \"${2 * i}\"}\n");
  EXPECT_EQ(e.Get("list"), "[{name=b-1 twice=-2} {name=b0 twice=0} {name=b1 twice=2}]");
}

TEST(Repeat, FirstIndexIsOutermost) {
  const Expanded e("list:\n  - {repeat: {j: 2, i: [5, 6]}, name: \"${j}-${i}\"}\n");
  EXPECT_EQ(e.Get("list"), "[{name=0-5} {name=0-6} {name=1-5} {name=1-6}]");
}

TEST(Repeat, TakesExpressionsOfParameters) {
  const Expanded e(
      "parameters: {n: 3}\n"
      "a:\n  - {repeat: {i: n - 1}, x: \"${i}\"}\n"
      "b:\n  - {repeat: {i: [1, n]}, x: \"${i * n}\"}\n"
      "c:\n  - {repeat: {i: \"${n}\"}, x: \"${i}\"}\n");
  EXPECT_EQ(e.problems, Lines{});
  EXPECT_EQ(e.Get("a"), "[{x=0} {x=1}]");
  EXPECT_EQ(e.Get("b"), "[{x=3} {x=6} {x=9}]");
  EXPECT_EQ(e.Get("c"), "[{x=0} {x=1} {x=2}]");
}

TEST(Repeat, EmptyRangesMakeNoCopies) {
  const Expanded e(
      "a:\n  - {repeat: {i: 0}, x: \"${i}\"}\n"
      "b:\n  - {repeat: {i: [1, 0]}, x: \"${i}\"}\n"
      "c:\n  - {repeat: {i: 5, j: [3, -3]}, x: 1}\n");
  EXPECT_EQ(e.problems, Lines{});
  for (const char* key : {"a", "b", "c"}) EXPECT_EQ(e.Get(key), "[]") << key;
}

// Walking the outer ranges would take thousands of years.
TEST(Repeat, OneEmptyRangeIsEnough) {
  const Expanded e("a:\n  - {repeat: {i: 999999999, j: 999999999, k: 0}, x: 1}\n");
  EXPECT_EQ(e.problems, Lines{});
  EXPECT_EQ(e.Get("a"), "[]");
}

TEST(Repeat, WorksInListsInsideRepeatedElements) {
  const Expanded e(
      "list:\n"
      "  - repeat: {i: 2}\n"
      "    name: b${i}\n"
      "    inner:\n"
      "      - {repeat: {j: \"${i} + 1\"}, x: \"${10 * i + j}\"}\n"
      "      - {x: end}\n");
  EXPECT_EQ(e.problems, Lines{});
  EXPECT_EQ(e.Get("list"),
            "[{name=b0 inner=[{x=0} {x=end}]} {name=b1 inner=[{x=10} {x=11} {x=end}]}]");
}

TEST(Repeat, KeepsTheLocationsOfWhatItCopies) {
  const Expanded e("list:\n  - repeat: {i: 2}\n    name: b${i}\n");
  for (const YamlValue& item : e.document.Find("list")->items) {
    EXPECT_EQ(item.where.ToString(), "f.yaml:2:5");
    EXPECT_EQ(item.Find("name")->where.ToString(), "f.yaml:3:11");
  }
}

TEST(Repeat, IndicesEndWithTheirElement) {
  EXPECT_EQ(ExpansionProblems("a:\n  - {repeat: {i: 2}, x: \"${i}\"}\nb: ${i}\n"),
            Lines{"f.yaml:3:4: in ${i}: Unexpected token \"i\" found at position 0."});
}

TEST(Repeat, NeedsWholeNumbers) {
  EXPECT_EQ(ExpansionProblems("a:\n"
                              "  - {repeat: {i: 2.5}}\n"
                              "  - {repeat: {i: [0, x]}}\n"
                              "  - {repeat: {i: [1, 2, 3]}}\n"
                              "  - {repeat: {i: -3}}\n"
                              "  - {repeat: {i: 1e12}}\n"
                              "  - {repeat: {i: }}\n"),
            (Lines{"f.yaml:2:18: '2.5', expected a whole number",
                   "f.yaml:3:22: 'x', expected a whole number: Unexpected token \"x\" found at "
                   "position 0.",
                   "f.yaml:4:18: a list of 3, expected a whole number",
                   "f.yaml:5:18: -3 copies, expected 0 or more",
                   "f.yaml:6:18: '1e12', expected a whole number",
                   "f.yaml:7:15: nothing, expected a whole number"}));
}

TEST(Repeat, NeedsIndices) {
  const std::string hint = "repeat needs indices, such as repeat: {i: 10} or repeat: {i: [1, 9]}";
  EXPECT_EQ(ExpansionProblems("a:\n  - {repeat: 5}\n  - {repeat: {}}\n  - {repeat: [1, 2]}\n"),
            (Lines{"f.yaml:2:14: " + hint, "f.yaml:3:14: " + hint, "f.yaml:4:14: " + hint}));
}

// A bare i would mean the parameter and ${i} the index.
TEST(Repeat, IndicesMustNotHideParametersOrOneAnother) {
  const std::string why =
      "index 'i' has the name of a parameter or of another index around it, choose another";
  EXPECT_EQ(ExpansionProblems("parameters: {i: 2}\na:\n  - {repeat: {i: 2}, x: 1}\n"),
            Lines{"f.yaml:3:15: " + why});
  EXPECT_EQ(ExpansionProblems("a:\n  - repeat: {i: 1}\n    b:\n      - {repeat: {i: 2}}\n"),
            Lines{"f.yaml:4:19: " + why});
  EXPECT_EQ(ExpansionProblems("a:\n  - {repeat: {t: 2}}\n"),
            Lines{"f.yaml:2:15: 't' has a meaning of its own, choose another"});
}

TEST(Repeat, CopiesAreLimitedInAll) {
  EXPECT_EQ(ExpansionProblems("a:\n  - {repeat: {i: 1001, j: 1000}, x: 1}\n"),
            Lines{"f.yaml:2:14: repeat makes 1001000 copies, at most 1000000 are allowed in all"});
  // A repeat inside a repeat counts as often as it is made.
  const Lines nested =
      ExpansionProblems("a:\n  - repeat: {i: 4}\n    b:\n      - {repeat: {j: 400000}}\n");
  ASSERT_EQ(nested.size(), 2u);
  EXPECT_EQ(nested[0],
            "f.yaml:4:18: repeat makes 1200004 copies, at most 1000000 are allowed in all");
}

TEST(SceneOverrides, OfParametersComeFirst) {
  const Expanded e(
      "parameters: {n: 2, m: 2 * n}\n"
      "a:\n  - {repeat: {i: n}, x: \"${i + m}\"}\n",
      {{"parameters.n", "3"}});
  EXPECT_EQ(e.problems, Lines{});
  EXPECT_EQ(e.Get("a"), "[{x=6} {x=7} {x=8}]");
  // Brackets and whole maps address the same parameters.
  EXPECT_EQ(Expanded("parameters: {n: 2}\na: ${n}", {{"parameters[n]", "5"}}).Get("a"), "5");
  EXPECT_EQ(Expanded("parameters: {n: 2}\na: ${n}", {{"parameters", "{n: 6}"}}).Get("a"), "6");
}

TEST(SceneOverrides, OfTheRestSeeExpandedElements) {
  const Expanded e("a:\n  - {repeat: {i: 3}, name: \"b${i}\", x: 0}\n",
                   {{"a.b1.x", "7"}, {"a.2.x", "8"}});
  EXPECT_EQ(e.problems, Lines{});
  EXPECT_EQ(e.Get("a"), "[{name=b0 x=0} {name=b1 x=7} {name=b2 x=8}]");
}

TEST(SceneOverrides, MayUseParametersAndRepeat) {
  const Expanded e("parameters: {n: 3}\na: 1\n",
                   {{"a", "[{repeat: {i: n}, name: \"x${i}of${n}\"}]"}});
  EXPECT_EQ(e.problems, Lines{});
  EXPECT_EQ(e.Get("a"), "[{name=x0of3} {name=x1of3} {name=x2of3}]");
}

TEST(SceneOverrides, LastOneWins) {
  EXPECT_EQ(Expanded("a: 1", {{"a", "2"}, {"a", "3"}}).Get("a"), "3");
}

TEST(SceneOverrides, AllProblemsAreReported) {
  EXPECT_EQ(
      Expanded("a: [1]\nb: 2\n", {{"a.x", "1"}, {"b.c", "1"}, {"parameters.n", "1"}}).problems,
      (Lines{"--set parameters.n=1: the scene has no parameter 'n'",
             "--set a.x=1: 'a' has no element 'x'",
             "--set b.c=1: 'b' is '2' and has no 'c' inside"}));
}

}  // namespace
}  // namespace voigt
