#include "voigt/base/errors.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace voigt
