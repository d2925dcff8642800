#include "voigt/base/errors.h"

#include <utility>

namespace voigt {
namespace {

std::string JoinLines(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (!text.empty()) text += '\n';
    text += problem.ToString();
  }
  return text;
}

}  // namespace

std::string SourceLocation::ToString() const {
  if (line == 0) return file;
  return file + ':' + std::to_string(line) + ':' + std::to_string(column);
}

std::string Problem::ToString() const {
  std::string text = where.ToString();
  if (!text.empty()) text += ": ";
  if (!element.empty()) text += element + ": ";
  return text + message;
}

void ProblemList::Add(SourceLocation where, std::string element, std::string message) {
  problems_.push_back({std::move(where), std::move(element), std::move(message)});
}

void ProblemList::Append(const ProblemList& other) {
  problems_.insert(problems_.end(), other.problems_.begin(), other.problems_.end());
}

void ProblemList::ThrowIfAny() const {
  if (!problems_.empty()) throw InputError(problems_);
}

InputError::InputError(std::vector<Problem> problems)
    : std::runtime_error(JoinLines(problems)), problems_(std::move(problems)) {}

InputError::InputError(SourceLocation where, std::string element, std::string message)
    : InputError({Problem{std::move(where), std::move(element), std::move(message)}}) {}

}  // namespace voigt
