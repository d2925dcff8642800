#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "voigt/math/types.h"

namespace voigt {

// A text in quotation marks. "<" is escaped, too, so that the result may stand inside a web page.
std::string JsonQuote(std::string_view text);

// The shortest digits that give the number back; null for NaN and infinity, which JSON lacks.
std::string JsonNumber(double value);

std::string JsonArray(const VecX& values);

// One object or list, written member by member.
class JsonWriter {
 public:
  JsonWriter& Begin(char bracket);  // { or [
  JsonWriter& End();
  JsonWriter& Key(std::string_view name);  // of the value that follows, in an object
  JsonWriter& Text(std::string_view value);
  JsonWriter& Number(double value);
  JsonWriter& Integer(long value);
  JsonWriter& Flag(bool value);
  JsonWriter& Numbers(const VecX& values);

  const std::string& text() const { return text_; }

 private:
  void Separate();

  std::string text_;
  std::vector<char> open_;  // closing brackets to come
  bool needs_comma_ = false;
};

}  // namespace voigt
