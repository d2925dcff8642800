#pragma once

#include <charconv>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace voigt::testing {

// A JSON value. Objects keep their keys sorted.
struct Json {
  enum class Kind { kNull, kBool, kNumber, kString, kArray, kObject };

  Kind kind = Kind::kNull;
  bool flag = false;
  double number = 0;
  std::string text;
  std::vector<Json> items;
  std::map<std::string, Json> members;

  const Json& operator[](const std::string& key) const { return members.at(key); }
};

// Reads one document, strictly; throws std::runtime_error where it is not JSON.
class JsonParser {
 public:
  explicit JsonParser(const std::string& text) : text_(text) {}

  Json ParseDocument() {
    const Json value = ParseValue();
    SkipSpace();
    if (at_ != text_.size()) Fail("text after the document");
    return value;
  }

 private:
  [[noreturn]] void Fail(const std::string& why) const {
    throw std::runtime_error("bad JSON at " + std::to_string(at_) + ": " + why);
  }

  void SkipSpace() {
    while (at_ < text_.size() && std::string(" \n\t\r").find(text_[at_]) != std::string::npos)
      ++at_;
  }

  bool Accept(const std::string& token) {
    SkipSpace();
    if (text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    return true;
  }

  void Expect(const std::string& token) {
    if (!Accept(token)) Fail("expected " + token);
  }

  Json ParseValue() {
    Json out;
    if (Accept("null")) return out;
    if (Accept("true") || Accept("false")) {
      out.kind = Json::Kind::kBool;
      out.flag = text_[at_ - 2] == 'u';
      return out;
    }
    SkipSpace();
    if (at_ == text_.size()) Fail("end of text");
    switch (text_[at_]) {
      case '"':
        out.kind = Json::Kind::kString;
        out.text = ParseString();
        return out;
      case '[':
        return ParseArray();
      case '{':
        return ParseObject();
      default:
        return ParseNumber();
    }
  }

  Json ParseArray() {
    Json out;
    out.kind = Json::Kind::kArray;
    Expect("[");
    if (Accept("]")) return out;
    do {
      out.items.push_back(ParseValue());
    } while (Accept(","));
    Expect("]");
    return out;
  }

  Json ParseObject() {
    Json out;
    out.kind = Json::Kind::kObject;
    Expect("{");
    if (Accept("}")) return out;
    do {
      SkipSpace();
      const std::string key = ParseString();
      Expect(":");
      if (!out.members.emplace(key, ParseValue()).second) Fail("key twice: " + key);
    } while (Accept(","));
    Expect("}");
    return out;
  }

  // JSON forbids what from_chars would take: inf, nan, leading zeros, a point without digits.
  Json ParseNumber() {
    Json out;
    out.kind = Json::Kind::kNumber;
    const size_t digits = text_[at_] == '-' ? at_ + 1 : at_;
    const auto is_digit = [&](size_t i) {
      return i < text_.size() && text_[i] >= '0' && text_[i] <= '9';
    };
    if (!is_digit(digits) || (text_[digits] == '0' && is_digit(digits + 1))) Fail("a number");
    const char* end = text_.data() + text_.size();
    const auto [stop, error] = std::from_chars(text_.data() + at_, end, out.number);
    if (error != std::errc() || stop[-1] == '.') Fail("a number");
    at_ = stop - text_.data();
    return out;
  }

  std::string ParseString() {
    std::string out;
    if (at_ == text_.size() || text_[at_] != '"') Fail("expected a string");
    for (++at_;; ++at_) {
      if (at_ >= text_.size() || static_cast<unsigned char>(text_[at_]) < 0x20) Fail("in a string");
      if (text_[at_] == '"') break;
      if (text_[at_] != '\\') {
        out += text_[at_];
        continue;
      }
      const std::string from = "\"\\/bfnrt", to = "\"\\/\b\f\n\r\t";
      const size_t which = from.find(text_.at(++at_));
      if (which != std::string::npos) {
        out += to[which];
      } else if (text_[at_] == 'u') {
        // Only control characters are written this way.
        out += static_cast<char>(std::stoi(text_.substr(at_ + 1, 4), nullptr, 16));
        at_ += 4;
      } else {
        Fail("an escape");
      }
    }
    ++at_;
    return out;
  }

  const std::string& text_;
  size_t at_ = 0;
};

inline Json ParseJson(const std::string& text) { return JsonParser(text).ParseDocument(); }

}  // namespace voigt::testing
