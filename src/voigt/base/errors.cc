#include "voigt/base/errors.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace voigt {
namespace {

constexpr std::string_view kLeftOut = "…";

// File names are no longer than this.
constexpr size_t kLongestPath = 4096;

bool ContinuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The start and a third as much of the end, without torn characters of UTF-8.
std::string CutMiddle(std::string_view text, size_t longest) {
  if (text.size() <= longest) return std::string(text);
  const size_t kept = longest - kLeftOut.size();
  size_t head = kept - kept / 4, tail = text.size() - kept / 4;
  while (head > 0 && ContinuesCharacter(text[head])) --head;
  while (tail < text.size() && ContinuesCharacter(text[tail])) ++tail;
  return std::string(text.substr(0, head)).append(kLeftOut).append(text.substr(tail));
}

bool IsPath(std::string_view text) {
  return text.size() <= kLongestPath && text.find('/') != text.npos &&
         text.find_first_of(" ,\t\n") == text.npos;
}

bool IsLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// The next ' from `from` on that has no letter on one side: it begins or ends a quotation.
size_t FindQuote(std::string_view text, size_t from, bool opens) {
  for (size_t i = text.find('\'', from); i != text.npos; i = text.find('\'', i + 1)) {
    const size_t beside = opens ? i - 1 : i + 1;  // beyond the ends: no letter
    if (beside >= text.size() || !IsLetter(text[beside])) return i;
  }
  return text.npos;
}

std::string ShortenQuotes(std::string_view text) {
  std::string out;
  size_t done = 0;
  while (true) {
    const size_t open = FindQuote(text, done, true);
    const size_t close = open == text.npos ? open : FindQuote(text, open + 1, false);
    if (close == text.npos) return out.append(text.substr(done));
    const std::string_view quote = text.substr(open + 1, close - open - 1);
    out.append(text.substr(done, open + 1 - done));
    out.append(IsPath(quote) ? std::string(quote) : CutMiddle(quote, kLongestValue)).append("'");
    done = close + 1;
  }
}

std::vector<Problem> Shorten(std::vector<Problem> problems) {
  for (Problem& problem : problems) {
    problem.element = ShortenMessage(std::move(problem.element));
    problem.message = ShortenMessage(std::move(problem.message));
  }
  return problems;
}

std::string JoinLines(const std::vector<Problem>& problems) {
  std::string text;
  const size_t listed = std::min(problems.size(), InputError::kMostListed);
  for (size_t i = 0; i < listed; ++i) {
    if (!text.empty()) text += '\n';
    text += problems[i].ToString();
  }
  const size_t more = problems.size() - listed;
  if (more > 0) text += "\nand " + std::to_string(more) + " more";
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

std::string ShortenMessage(std::string text) {
  if (text.size() <= kLongestValue) return text;
  return CutMiddle(ShortenQuotes(text), kLongestMessage);
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
    : std::runtime_error(JoinLines(problems = Shorten(std::move(problems)))),
      problems_(std::move(problems)) {}

InputError::InputError(SourceLocation where, std::string element, std::string message)
    : InputError({Problem{std::move(where), std::move(element), std::move(message)}}) {}

}  // namespace voigt
