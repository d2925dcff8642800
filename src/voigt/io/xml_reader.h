#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "voigt/io/object_reader.h"
#include "voigt/io/xml_element.h"
#include "voigt/math/types.h"

namespace voigt {

// Reads the attributes of one element, with all its complaints: not a number, too many, none of the
// words expected. What it is asked for counts as read. Where a value is bad, a harmless one is
// returned, so that reading goes on and finds the next problem.
//
// Values that the element lacks may stand in other elements: `defaults`, nearest first.
class XmlReader {
 public:
  XmlReader(const XmlElement& element, ProblemList* problems,
            std::vector<const XmlElement*> defaults = {});

  // Of the element or its defaults, or nullptr.
  const XmlAttribute* Find(std::string_view name) const;
  bool Has(std::string_view name) const { return Find(name) != nullptr; }

  std::string Text(std::string_view name, std::string fallback = "") const;
  // A problem where it is missing or empty.
  std::string RequiredText(std::string_view name) const;
  double Number(std::string_view name, double fallback) const;
  double RequiredNumber(std::string_view name, double if_bad) const;
  int Integer(std::string_view name, int fallback) const;
  // true, false, 1 or 0.
  bool Flag(std::string_view name, bool fallback) const;
  Vec3 Vector(std::string_view name, const Vec3& fallback) const;
  // Numbers separated by blanks, between `least` and `most` of them; empty if the attribute is
  // missing or bad.
  std::vector<double> Numbers(std::string_view name, size_t least, size_t most) const;
  // The same for a list whose end may be left out: the defaults are written over *values from the
  // farthest to the nearest, each as far as it goes, and then the element's own. True if any was.
  bool Overwrite(std::string_view name, size_t least, std::span<double> values) const;
  // What the attribute's text stands for; nothing if it is missing or none of these.
  template <typename Value>
  std::optional<Value> Choice(std::string_view name,
                              const std::vector<std::pair<std::string_view, Value>>& choices) const;

  // Counts attributes as read that have no effect here.
  void Ignore(std::initializer_list<std::string_view> names) const;

  // The only child of that name, or nullptr; further ones are problems.
  const XmlElement* Child(std::string_view name) const;

  void Fail(std::string message) const;
  void Fail(const XmlAttribute& at, std::string message) const;

  const XmlElement& element() const { return element_; }
  const SourceLocation& where() const { return element_.where; }
  ProblemList* problems() const { return problems_; }

 private:
  std::optional<std::vector<double>> Parse(const XmlAttribute& attribute, size_t least,
                                           size_t most) const;

  const XmlElement& element_;
  ProblemList* problems_;
  std::vector<const XmlElement*> defaults_;
};

template <typename Value>
std::optional<Value> XmlReader::Choice(
    std::string_view name, const std::vector<std::pair<std::string_view, Value>>& choices) const {
  const XmlAttribute* attribute = Find(name);
  if (attribute == nullptr) return std::nullopt;
  std::vector<std::string_view> words;
  for (const auto& [word, value] : choices) {
    if (attribute->value == word) return value;
    words.push_back(word);
  }
  Fail(*attribute, "'" + attribute->value + "', expected " + ListChoices(words));
  return std::nullopt;
}

}  // namespace voigt
