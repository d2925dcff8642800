#include "voigt/io/xml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace voigt {
namespace {

constexpr std::string_view kXmlBlanks = " \t\r\n";

std::vector<std::string_view> SplitAtBlanks(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t start = 0;;) {
    start = text.find_first_not_of(kXmlBlanks, start);
    if (start == std::string_view::npos) return words;
    const size_t end = std::min(text.find_first_of(kXmlBlanks, start), text.size());
    words.push_back(text.substr(start, end - start));
    start = end;
  }
}

// A finite number that takes up the whole word.
std::optional<double> ParseXmlNumber(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

std::string DescribeXmlCount(size_t least, size_t most) {
  if (most == 1) return "a number";
  if (least == most) return fmt::format("{} numbers", least);
  if (most == std::string::npos) return fmt::format("at least {} numbers", least);
  return fmt::format("{} to {} numbers", least, most);
}

}  // namespace

XmlReader::XmlReader(const XmlElement& element, ProblemList* problems,
                     std::vector<const XmlElement*> defaults)
    : element_(element), problems_(problems), defaults_(std::move(defaults)) {
  element.was_read = true;
}

const XmlAttribute* XmlReader::Find(std::string_view name) const {
  // All of them count as read: that one hides another is how defaults work.
  const XmlAttribute* found = element_.Find(name);
  for (const XmlElement* layer : defaults_) {
    const XmlAttribute* attribute = layer->Find(name);
    if (found == nullptr) found = attribute;
  }
  return found;
}

void XmlReader::Fail(std::string message) const {
  problems_->Add(element_.where, element_.Describe(), std::move(message));
}

void XmlReader::Fail(const XmlAttribute& at, std::string message) const {
  problems_->Add(at.where, fmt::format("{}.{}", element_.Describe(), at.name), std::move(message));
}

std::string XmlReader::Text(std::string_view name, std::string fallback) const {
  const XmlAttribute* attribute = Find(name);
  return attribute == nullptr ? fallback : attribute->value;
}

std::string XmlReader::RequiredText(std::string_view name) const {
  const XmlAttribute* attribute = Find(name);
  if (attribute == nullptr) {
    Fail(fmt::format("'{}' is missing, expected a text", name));
  } else if (attribute->value.empty()) {
    Fail(*attribute, "is empty, expected a text");
  }
  return attribute == nullptr ? "" : attribute->value;
}

double XmlReader::Number(std::string_view name, double fallback) const {
  const std::vector<double> values = Numbers(name, 1, 1);
  return values.empty() ? fallback : values[0];
}

double XmlReader::RequiredNumber(std::string_view name, double if_bad) const {
  if (!Has(name)) Fail(fmt::format("'{}' is missing, expected a number", name));
  return Number(name, if_bad);
}

int XmlReader::Integer(std::string_view name, int fallback) const {
  const XmlAttribute* attribute = Find(name);
  if (attribute == nullptr) return fallback;
  const std::vector<std::string_view> words = SplitAtBlanks(attribute->value);
  int value = fallback;
  if (words.size() == 1) {
    std::string_view word = words[0];
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc() && end == word.data() + word.size()) return value;
  }
  Fail(*attribute, fmt::format("'{}', expected a whole number", attribute->value));
  return fallback;
}

bool XmlReader::Flag(std::string_view name, bool fallback) const {
  const std::optional<bool> value =
      Choice<bool>(name, {{"true", true}, {"false", false}, {"1", true}, {"0", false}});
  return value.value_or(fallback);
}

Vec3 XmlReader::Vector(std::string_view name, const Vec3& fallback) const {
  const std::vector<double> values = Numbers(name, 3, 3);
  return values.empty() ? fallback : Vec3(values[0], values[1], values[2]);
}

std::vector<double> XmlReader::Numbers(std::string_view name, size_t least, size_t most) const {
  const XmlAttribute* attribute = Find(name);
  if (attribute == nullptr) return {};
  return Parse(*attribute, least, most).value_or(std::vector<double>());
}

bool XmlReader::Overwrite(std::string_view name, size_t least, std::span<double> values) const {
  std::vector<const XmlElement*> layers(defaults_.rbegin(), defaults_.rend());
  layers.push_back(&element_);
  bool any = false;
  for (const XmlElement* layer : layers) {
    const XmlAttribute* attribute = layer->Find(name);
    if (attribute == nullptr) continue;
    const auto own = Parse(*attribute, least, values.size());
    if (!own) continue;
    std::copy(own->begin(), own->end(), values.begin());
    any = true;
  }
  return any;
}

void XmlReader::Ignore(std::initializer_list<std::string_view> names) const {
  for (std::string_view name : names) Find(name);
}

const XmlElement* XmlReader::Child(std::string_view name) const {
  const std::vector<const XmlElement*> all = element_.Children(name);
  if (all.size() < 2) return all.empty() ? nullptr : all[0];
  const std::string message = fmt::format("is given twice in {}, first at line {}",
                                          element_.Describe(), all[0]->where.line);
  for (size_t i = 1; i < all.size(); ++i) {
    problems_->Add(all[i]->where, all[i]->Describe(), message);
  }
  return all[0];
}

std::optional<std::vector<double>> XmlReader::Parse(const XmlAttribute& attribute, size_t least,
                                                    size_t most) const {
  std::vector<double> values;
  const std::vector<std::string_view> words = SplitAtBlanks(attribute.value);
  for (std::string_view word : words) {
    const std::optional<double> value = ParseXmlNumber(word);
    if (!value) {
      Fail(attribute, fmt::format("'{}', expected {}", word, DescribeXmlCount(least, most)));
      return std::nullopt;
    }
    values.push_back(*value);
  }
  if (values.size() < least || values.size() > most) {
    Fail(attribute,
         fmt::format("'{}', expected {}", attribute.value, DescribeXmlCount(least, most)));
    return std::nullopt;
  }
  return values;
}

}  // namespace voigt
