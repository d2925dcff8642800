#include "voigt/io/mesh_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace voigt {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
bool IsLineEnd(char c) { return c == '\n' || c == '\r'; }

}  // namespace

std::string_view WithoutByteOrderMark(std::string_view text) {
  return text.substr(text.starts_with("\xef\xbb\xbf") ? 3 : 0);
}

bool MeshLines::IsAtLineEnd(size_t at) const { return at >= text_.size() || IsLineEnd(text_[at]); }

void MeshLines::PassLineEnd() {
  if (at_ >= text_.size()) return;
  const bool is_pair = text_.substr(at_, 2) == "\r\n";
  at_ += is_pair ? 2 : 1;
  line_start_ = at_;
  ++line_;
}

void MeshLines::ReadLine(std::vector<MeshWord>* words) {
  const bool is_obj = style_ == Style::kObj;
  const auto continues = [&](size_t at) {
    return is_obj && text_[at] == '\\' && at + 1 < text_.size() && IsLineEnd(text_[at + 1]);
  };
  const auto begins_comment = [&](size_t at) { return is_obj && text_[at] == '#'; };
  while (!IsAtLineEnd(at_)) {
    if (IsBlank(text_[at_])) {
      ++at_;
    } else if (begins_comment(at_)) {
      while (!IsAtLineEnd(at_)) ++at_;
    } else if (continues(at_)) {
      ++at_;
      PassLineEnd();
    } else {
      const size_t start = at_;
      const MeshPlace here = place();
      while (!IsAtLineEnd(at_) && !IsBlank(text_[at_]) && !continues(at_) && !begins_comment(at_)) {
        ++at_;
      }
      words->push_back({text_.substr(start, at_ - start), here});
    }
  }
}

bool MeshLines::Next(std::vector<MeshWord>* words) {
  words->clear();
  while (at_ < text_.size() && words->empty()) {
    ReadLine(words);
    PassLineEnd();
  }
  return !words->empty();
}

bool IsMeshKeyword(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

std::optional<double> ReadMeshNumber(const MeshWord& word, MeshReport* report) {
  std::string_view text = word.text;
  // A plus sign is common in exponent style and unknown to from_chars.
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range && end == text.data() + text.size()) {
    report->Fail(word.place, "number range",
                 fmt::format("{} is beyond double precision", QuoteForReport(word.text)));
    return std::nullopt;
  }
  if (error != std::errc() || end != text.data() + text.size()) {
    report->Fail(word.place, "number",
                 fmt::format("{}, expected a number such as -1.5e-3", QuoteForReport(word.text)));
    return std::nullopt;
  }
  if (!std::isfinite(value)) {
    report->Fail(word.place, "number finite",
                 fmt::format("{}, expected a finite number", QuoteForReport(word.text)));
    return std::nullopt;
  }
  return value;
}

}  // namespace voigt
