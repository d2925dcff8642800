#include "voigt/io/repeated_problems.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace voigt {
namespace {

constexpr int kMostOfAKind = 3;

bool IsPartOfNumber(char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-'; }

// "child body 'c-12' does not exist" becomes "child body 'c#' does not exist".
std::string WithoutNumbers(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (!IsPartOfNumber(c)) {
      out += c;
    } else if (out.empty() || out.back() != '#') {
      out += '#';
    }
  }
  return out;
}

using Key = std::pair<std::string, std::string>;

Key KindOf(const Problem& problem) {
  return {problem.where.ToString(), WithoutNumbers(problem.message)};
}

// What has no line comes from the command line or from nowhere, and nothing there is repeated.
bool IsInFile(const Problem& problem) { return problem.where.line > 0; }

std::vector<Problem> RemoveSame(const std::vector<Problem>& all) {
  std::vector<Problem> out;
  std::set<Key> seen;
  for (const Problem& problem : all) {
    const Key key{problem.where.ToString(), problem.message};
    if (!IsInFile(problem) || seen.insert(key).second) out.push_back(problem);
  }
  return out;
}

}  // namespace

ProblemList MergeRepeats(const ProblemList& all) {
  const std::vector<Problem> distinct = RemoveSame(all.problems());
  std::map<Key, int> count;
  for (const Problem& problem : distinct) ++count[KindOf(problem)];
  ProblemList out;
  std::set<Key> listed;
  for (const Problem& problem : distinct) {
    const Key kind = KindOf(problem);
    if (!IsInFile(problem) || count[kind] <= kMostOfAKind) {
      out.Add(problem.where, problem.element, problem.message);
    } else if (listed.insert(kind).second) {
      out.Add(problem.where, problem.element,
              fmt::format("{}, and {} more like it", problem.message, count[kind] - 1));
    }
  }
  return out;
}

}  // namespace voigt
