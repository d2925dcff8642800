#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "voigt/base/source_location.h"

namespace voigt {

// One thing that is wrong with the input: where it stands, which element it concerns
// ("joint 'elbow'"), and what was found and what was expected instead.
struct Problem {
  SourceLocation where;
  std::string element;
  std::string message;

  std::string ToString() const;
};

// For messages: a text that quotes what the input holds, with every quoted value ('…') cut to
// kLongestValue bytes and the whole to kLongestMessage, in both the middle left out. File names
// stay whole.
inline constexpr size_t kLongestValue = 80, kLongestMessage = 2000;
std::string ShortenMessage(std::string text);

// Collects problems, so that a user sees all of them at once instead of one per attempt.
class ProblemList {
 public:
  void Add(SourceLocation where, std::string element, std::string message);
  void Append(const ProblemList& other);
  bool empty() const { return problems_.empty(); }
  const std::vector<Problem>& problems() const { return problems_; }

  // Throws InputError with every problem collected so far; does nothing if there is none.
  void ThrowIfAny() const;

 private:
  std::vector<Problem> problems_;
};

// Bad input: a file, a model or an argument that cannot be used. what() lists the problems, the
// first kMostListed of them and how many more there are. Messages are shortened here, where all of
// them pass: whoever finds a problem quotes what was found as it is, a million numbers if need be.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Problem> problems);
  InputError(SourceLocation where, std::string element, std::string message);

  const std::vector<Problem>& problems() const { return problems_; }

  static constexpr size_t kMostListed = 100;

 private:
  std::vector<Problem> problems_;
};

}  // namespace voigt
