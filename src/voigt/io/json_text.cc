#include "voigt/io/json_text.h"

#include <fmt/format.h>

#include <cmath>

namespace voigt {

std::string JsonQuote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == '<') {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string JsonNumber(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

std::string JsonArray(const VecX& values) {
  std::string out = "[";
  for (double value : values) out += (out.size() > 1 ? ", " : "") + JsonNumber(value);
  return out + "]";
}

void JsonWriter::Separate() {
  if (needs_comma_) text_ += ", ";
  needs_comma_ = true;
}

JsonWriter& JsonWriter::Begin(char bracket) {
  Separate();
  text_ += bracket;
  open_.push_back(bracket == '{' ? '}' : ']');
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::End() {
  text_ += open_.back();
  open_.pop_back();
  needs_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::Key(std::string_view name) {
  Separate();
  text_ += JsonQuote(name) + ": ";
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::Text(std::string_view value) {
  Separate();
  text_ += JsonQuote(value);
  return *this;
}

JsonWriter& JsonWriter::Number(double value) {
  Separate();
  text_ += JsonNumber(value);
  return *this;
}

JsonWriter& JsonWriter::Integer(long value) {
  Separate();
  text_ += fmt::format("{}", value);
  return *this;
}

JsonWriter& JsonWriter::Flag(bool value) {
  Separate();
  text_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::Numbers(const VecX& values) {
  Separate();
  text_ += JsonArray(values);
  return *this;
}

}  // namespace voigt
