#include "voigt/problem/word_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "voigt/base/errors.h"

namespace voigt {
namespace {

constexpr std::string_view kBlanks = " \t\r";

}  // namespace

void WordReader::Fail(const std::string& message) const {
  throw InputError({file_, line_number_, column_}, "problem", message);
}

void WordReader::FailOn(std::string_view word, std::string_view expected) const {
  Fail(fmt::format("found '{}', expected {}", word, expected));
}

void WordReader::Expect(std::string_view word) {
  FinishLine();
  while (line_.empty()) {
    if (rest_.empty()) Fail(fmt::format("the file ends early, expected '{}'", word));
    const size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    line_start_ = line_.data();
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_number_;
    line_ = line_.substr(0, line_.find('#'));
    line_ = line_.substr(0, line_.find_last_not_of(kBlanks) + 1);
    SkipBlanks();
  }
  const std::string_view found = Word();
  if (found != word) Fail(fmt::format("found '{}', expected '{}'", found, word));
}

void WordReader::FinishLine() const {
  if (!line_.empty()) Fail(fmt::format("found '{}', expected the end of the line", line_));
}

std::string_view WordReader::Word() {
  if (line_.empty()) Fail("the line ends early");
  const size_t end = std::min(line_.find_first_of(kBlanks), line_.size());
  const std::string_view word = line_.substr(0, end);
  column_ = static_cast<int>(word.data() - line_start_) + 1;
  line_.remove_prefix(end);
  SkipBlanks();
  return word;
}

double WordReader::Finite(std::string_view what) {
  const double value = Number<double>(what);
  if (!std::isfinite(value)) Fail(fmt::format("found {}, expected {}, finite", value, what));
  return value;
}

int WordReader::Count(std::string_view what) {
  const int count = Number<int>(what);
  if (count < 0 || static_cast<size_t>(count) > line_.size() + rest_.size()) {
    Fail(fmt::format("found {}, expected {}", count, what));
  }
  return count;
}

VecX WordReader::Vector(std::string_view what, int expected) {
  const int count = Count(what);
  if (count != expected) Fail(fmt::format("found {} numbers, expected {}", count, expected));
  VecX out(count);
  for (double& value : out) value = Finite(what);
  return out;
}

void WordReader::SkipBlanks() {
  line_.remove_prefix(std::min(line_.find_first_not_of(kBlanks), line_.size()));
}

}  // namespace voigt
