#pragma once

#include <charconv>
#include <string>
#include <string_view>

#include "voigt/math/types.h"

namespace voigt {

// Reads the words of one line after the other; every complaint is an InputError that names the
// line and the last word read. Empty lines and what follows a # are ignored.
class WordReader {
 public:
  WordReader(std::string_view text, std::string file) : rest_(text), file_(std::move(file)) {}

  [[noreturn]] void Fail(const std::string& message) const;

  // The line must be used up. The next one with something on it must begin with this word.
  void Expect(std::string_view word);
  void FinishLine() const;

  std::string_view Word();

  template <class T>
  T Number(std::string_view what) {
    const std::string_view word = Word();
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) {
      FailOn(word, what);
    }
    return value;
  }

  double Finite(std::string_view what);
  // Not below zero, and not more than the text could hold.
  int Count(std::string_view what);
  // A count and as many finite numbers.
  VecX Vector(std::string_view what, int expected);

 private:
  [[noreturn]] void FailOn(std::string_view word, std::string_view expected) const;
  void SkipBlanks();

  std::string_view rest_, line_;
  std::string file_;
  const char* line_start_ = nullptr;
  int line_number_ = 0, column_ = 0;
};

}  // namespace voigt
