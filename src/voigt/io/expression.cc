#include "voigt/io/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <system_error>

namespace voigt {
namespace {

// "0.5", "-1e3", "Infinity", "NaN": what needs no expression.
std::optional<double> ReadLiteral(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc()) return value;
  // Out of range: too close to zero to be told from it, or else beyond all numbers.
  if (text.find_first_of("eE") != std::string::npos && text.find('-', 1) != std::string::npos) {
    return 0;
  }
  throw std::invalid_argument("the number is too large, expected at most 1.79e308");
}

// A number, or the bare name of one. Most numbers of a scene are, and to make an expression of each
// would take most of the time to read it.
std::optional<double> LookUp(const std::string& text, const NamedConstants& constants) {
  if (const auto value = ReadLiteral(text)) return value;
  for (const auto& [name, value] : constants) {
    if (name == text) return value;
  }
  return std::nullopt;
}

double RejectNaN(double value) {
  if (std::isnan(value)) throw std::invalid_argument("the result is undefined");
  return value;
}

}  // namespace

double EvaluateNumber(const std::string& text, const NamedConstants& constants) {
  const auto known = LookUp(text, constants);
  return RejectNaN(known ? *known : EvaluateExpression(text, constants));
}

TimeFunction EvaluateFunction(const std::string& text, const NamedConstants& constants) {
  if (const auto known = LookUp(text, constants)) return RejectNaN(*known);
  double value = 0;
  try {
    value = EvaluateExpression(text, constants);
  } catch (const std::invalid_argument&) {
    // Not constant, then.
    return TimeFunction::Parse(text, constants);
  }
  return RejectNaN(value);
}

std::optional<std::string> DescribeNameDefect(const std::string& name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto fits = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  if (name.empty() || !is_letter(name[0]) || !std::all_of(name.begin(), name.end(), fits)) {
    return fmt::format("'{}' is no name for expressions: use letters, digits and _", name);
  }
  if (name == "t" || name == "pi" || name == "deg" || ReadLiteral(name)) {
    return fmt::format("'{}' has a meaning of its own, choose another", name);
  }
  return std::nullopt;
}

}  // namespace voigt
