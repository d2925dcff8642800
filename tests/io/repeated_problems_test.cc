#include "voigt/io/repeated_problems.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/io/scene_problems.h"

namespace voigt {
namespace {

using testing::Lines;
using testing::ToLines;

Lines Merge(const std::vector<Problem>& problems) {
  ProblemList list;
  for (const Problem& p : problems) list.Add(p.where, p.element, p.message);
  return ToLines(MergeRepeats(list).problems());
}

// What copies of an element say at line 3, with the numbers of the copies in place of {}.
std::vector<Problem> Copies(int count, const std::string& message, int line = 3) {
  std::vector<Problem> out;
  for (int i = 0; i < count; ++i) {
    out.push_back({{"f", line, 1}, fmt::format("b{}", i), fmt::format(fmt::runtime(message), i)});
  }
  return out;
}

TEST(MergeRepeats, ListsTheSameOnce) {
  EXPECT_EQ(Merge(Copies(50, "mass is bad")), Lines{"f:3:1: b0: mass is bad"});
}

TEST(MergeRepeats, CountsMoreThanThreeThatDifferByNumbers) {
  EXPECT_EQ(
      Merge(Copies(3, "no body 'c{}'")),
      (Lines{"f:3:1: b0: no body 'c0'", "f:3:1: b1: no body 'c1'", "f:3:1: b2: no body 'c2'"}));
  EXPECT_EQ(Merge(Copies(4, "no body 'c{}'")),
            Lines{"f:3:1: b0: no body 'c0', and 3 more like it"});
  EXPECT_EQ(Merge(Copies(40, "size -{}.25 is bad")),
            Lines{"f:3:1: b0: size -0.25 is bad, and 39 more like it"});
}

TEST(MergeRepeats, KeepsWhatSaysSomethingElseOrStandsElsewhere) {
  std::vector<Problem> problems;
  for (const char* message : {"no mass", "no name", "no shape", "no joint", "no axis"}) {
    problems.push_back({{"f", 3, 1}, "b", message});
  }
  EXPECT_EQ(Merge(problems).size(), 5u);
  problems.clear();
  for (int line = 1; line <= 5; ++line) problems.push_back({{"f", line, 1}, "b", "no mass"});
  EXPECT_EQ(Merge(problems).size(), 5u);
}

TEST(MergeRepeats, LeavesTheCommandLineAlone) {
  EXPECT_EQ(Merge(Copies(5, "no body 'c{}'", 0)).size(), 5u);
  EXPECT_EQ(Merge(Copies(5, "no body", 0)).size(), 5u);
}

}  // namespace
}  // namespace voigt
