#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "voigt/io/scene.h"

namespace voigt::testing {

inline std::vector<std::string> ToLines(const std::vector<Problem>& problems) {
  std::vector<std::string> lines;
  for (const Problem& problem : problems) lines.push_back(problem.ToString());
  return lines;
}

// What is wrong with a scene, one line per problem as the user sees it; empty if it loads. The file
// is called "s".
inline std::vector<std::string> FindProblems(const std::string& text,
                                             const std::vector<Override>& overrides = {}) {
  try {
    ParseScene(text, "s", overrides);
  } catch (const InputError& error) {
    return ToLines(error.problems());
  }
  return {};
}

using Lines = std::vector<std::string>;

// What a line must start with (where it points and which element it names) and what it must say.
struct ExpectedLine {
  std::string start, piece;
};

inline void ExpectLines(const Lines& lines, const std::vector<ExpectedLine>& expected) {
  for (size_t i = 0; i < std::max(lines.size(), expected.size()); ++i) {
    if (i >= lines.size()) {
      ADD_FAILURE() << "missing: " << expected[i].start << expected[i].piece;
    } else if (i >= expected.size()) {
      ADD_FAILURE() << "not expected: " << lines[i];
    } else {
      EXPECT_TRUE(lines[i].starts_with(expected[i].start) &&
                  lines[i].find(expected[i].piece) != std::string::npos)
          << "found:    " << lines[i] << "\nexpected: " << expected[i].start << " … "
          << expected[i].piece;
    }
  }
}

// The text of a scene, and the lines that its problems are told in.
struct BadScene {
  std::string text;
  std::vector<ExpectedLine> expected;
};

// Each of the texts stands between the same head and tail.
inline void ExpectProblemsOf(const std::vector<BadScene>& scenes, const std::string& head = "",
                             const std::string& tail = "") {
  for (const BadScene& scene : scenes) {
    SCOPED_TRACE(scene.text);
    ExpectLines(FindProblems(head + scene.text + "\n" + tail), scene.expected);
  }
}

}  // namespace voigt::testing
