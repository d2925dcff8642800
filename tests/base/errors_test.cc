#include "voigt/base/errors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace voigt {
namespace {

TEST(SourceLocation, FormatsFileLineAndColumn) {
  EXPECT_EQ((SourceLocation{"scene.yaml", 12, 5}.ToString()), "scene.yaml:12:5");
}

TEST(SourceLocation, LeavesOutALineThatIsNotKnown) {
  EXPECT_EQ((SourceLocation{"scene.yaml", 0, 0}.ToString()), "scene.yaml");
  EXPECT_EQ((SourceLocation{"scene.yaml", 0, 9}.ToString()), "scene.yaml");
}

TEST(SourceLocation, IsEmptyWhenNothingIsKnown) { EXPECT_EQ(SourceLocation{}.ToString(), ""); }

TEST(Problem, FormatsPlaceElementAndMessage) {
  const Problem problem{{"scene.yaml", 3, 7}, "joint 'elbow'", "has no child"};
  EXPECT_EQ(problem.ToString(), "scene.yaml:3:7: joint 'elbow': has no child");
}

TEST(Problem, LeavesOutAnUnknownPlace) {
  const Problem problem{{}, "body 'arm'", "has no mass"};
  EXPECT_EQ(problem.ToString(), "body 'arm': has no mass");
}

TEST(Problem, LeavesOutAnUnnamedElement) {
  const Problem with_place{{"scene.yaml", 1, 1}, "", "is empty"};
  EXPECT_EQ(with_place.ToString(), "scene.yaml:1:1: is empty");
  const Problem bare{{}, "", "is empty"};
  EXPECT_EQ(bare.ToString(), "is empty");
}

TEST(ProblemList, DoesNotThrowWhenEmpty) {
  const ProblemList problems;
  EXPECT_TRUE(problems.empty());
  EXPECT_NO_THROW(problems.ThrowIfAny());
}

TEST(ProblemList, ThrowsAllProblemsInTheirOrder) {
  ProblemList problems;
  problems.Add({"a.yaml", 1, 2}, "body 'x'", "first");
  problems.Add({}, "joint 'y'", "second");
  problems.Add({}, "", "third");
  EXPECT_FALSE(problems.empty());
  try {
    problems.ThrowIfAny();
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "a.yaml:1:2: body 'x': first\njoint 'y': second\nthird");
    ASSERT_EQ(error.problems().size(), 3u);
    EXPECT_EQ(error.problems()[0].where.line, 1);
    EXPECT_EQ(error.problems()[0].where.column, 2);
    EXPECT_EQ(error.problems()[1].element, "joint 'y'");
    EXPECT_EQ(error.problems()[2].message, "third");
  }
  // The list is still there after it was thrown.
  EXPECT_EQ(problems.problems().size(), 3u);
}

TEST(ProblemList, AppendsAnotherListBehindItsOwn) {
  ProblemList first, second;
  first.Add({}, "a", "1");
  second.Add({}, "b", "2");
  second.Add({}, "c", "3");
  first.Append(second);
  ASSERT_EQ(first.problems().size(), 3u);
  EXPECT_EQ(first.problems()[0].element, "a");
  EXPECT_EQ(first.problems()[1].element, "b");
  EXPECT_EQ(first.problems()[2].element, "c");
  EXPECT_EQ(second.problems().size(), 2u);
  first.Append(ProblemList{});
  EXPECT_EQ(first.problems().size(), 3u);
}

TEST(InputError, HoldsOneProblem) {
  const InputError error({"scene.yaml", 4, 1}, "step", "= -1, expected a positive number");
  EXPECT_STREQ(error.what(), "scene.yaml:4:1: step: = -1, expected a positive number");
  ASSERT_EQ(error.problems().size(), 1u);
  EXPECT_EQ(error.problems()[0].element, "step");
}

TEST(InputError, IsARuntimeError) {
  EXPECT_THROW(throw InputError({}, "x", "is bad"), std::runtime_error);
}

TEST(ShortenMessage, LeavesOutTheMiddleOfLongValues) {
  const std::string numbers(500, '7');
  const std::string text = ShortenMessage("'1" + numbers + "2', expected a number: 'a', 'b' or c");
  EXPECT_TRUE(text.starts_with("'1777")) << text;
  EXPECT_NE(text.find("7…7"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("72', expected a number: 'a', 'b' or c")) << text;
  EXPECT_EQ(text.find(", expected"), kLongestValue + 2);
}

TEST(ShortenMessage, LeavesShortTextsPathsAndLettersWhole) {
  const std::string path = "'/" + std::string(300, 'p') + "/robot.urdf'";
  for (const std::string& text :
       {std::string(), std::string("'"), std::string("''"), std::string("the joint's axis is 'x'"),
        path + " is not found", "it's not 'x' " + std::string(100, ' ')}) {
    EXPECT_EQ(ShortenMessage(text), text);
  }
  // Characters of several bytes are not torn.
  for (int shift = 0; shift < 4; ++shift) {
    std::string umlauts(shift, 'x');
    for (int i = 0; i < 100; ++i) umlauts += "ü";
    const std::string text = ShortenMessage("'" + umlauts + "'");
    EXPECT_EQ(text.find("ü…ü"), text.find("…") - 2) << text;
  }
}

TEST(ShortenMessage, CutsWhatIsLongWithoutQuotes) {
  const std::string text = ShortenMessage("unknown, expected " + std::string(1'000'000, 'x') + "!");
  EXPECT_LE(text.size(), kLongestMessage);
  EXPECT_TRUE(text.ends_with("x!"));
}

TEST(InputError, ShortensEveryMessage) {
  const InputError error({}, "joint '" + std::string(5000, 'j') + "'", std::string(5000, 'm'));
  EXPECT_LT(std::string(error.what()).size(), kLongestMessage + 200);
  EXPECT_EQ(error.problems()[0].ToString(), error.what());
}

TEST(InputError, ListsTheFirstHundredAndCountsTheRest) {
  ProblemList problems;
  for (int i = 0; i < 1234; ++i) problems.Add({}, "", std::to_string(i));
  try {
    problems.ThrowIfAny();
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 100);
    EXPECT_TRUE(text.ends_with("\n99\nand 1134 more")) << text;
    EXPECT_EQ(error.problems().size(), 1234u) << "all are there for those who ask";
  }
}

}  // namespace
}  // namespace voigt
