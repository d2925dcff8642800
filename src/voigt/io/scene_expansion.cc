#include "voigt/io/scene_expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "voigt/io/expression.h"

namespace voigt {
namespace {

constexpr double kMaxCopies = 1e6;

struct Index {
  std::string name;
  int first, last;
};

class Expander {
 public:
  Expander(NamedConstants* constants, ProblemList* problems)
      : constants_(constants), problems_(problems) {}

  void Expand(YamlValue* value) {
    if (value->IsScalar()) Substitute(value);
    for (YamlEntry& entry : value->entries) Expand(&entry.value);
    if (!value->IsList()) return;
    std::vector<YamlValue> items;
    for (YamlValue& item : value->items) {
      if (const YamlValue* repeat = item.Find("repeat")) {
        const auto indices = ReadIndices(*repeat);
        std::erase_if(item.entries, [](const YamlEntry& entry) { return entry.key == "repeat"; });
        if (indices) AddCopies(*indices, 0, item, &items);
      } else {
        Expand(&item);
        items.push_back(std::move(item));
      }
    }
    value->items = std::move(items);
  }

 private:
  void Fail(const SourceLocation& where, std::string message) {
    problems_->Add(where, "", std::move(message));
  }

  // Replaces every ${…} in a scalar by its value.
  void Substitute(YamlValue* value) {
    std::string out;
    size_t at = 0;
    for (;;) {
      const size_t open = value->text.find("${", at);
      if (open == std::string::npos) break;
      const size_t close = value->text.find('}', open);
      if (close == std::string::npos) {
        Fail(value->where, fmt::format("'{}' opens ${{ without closing it", value->text));
        return;
      }
      const std::string expression = value->text.substr(open + 2, close - open - 2);
      out += value->text.substr(at, open - at);
      try {
        out += fmt::format("{}", EvaluateNumber(expression, *constants_));
      } catch (const std::invalid_argument& error) {
        Fail(value->where, fmt::format("in ${{{}}}: {}", expression, error.what()));
        return;
      }
      at = close + 1;
    }
    value->text = out + value->text.substr(at);
  }

  std::optional<int> ReadInteger(const YamlValue& value) {
    YamlValue copy = value;
    Substitute(&copy);
    try {
      if (copy.IsScalar()) {
        const double number = EvaluateNumber(copy.text, *constants_);
        if (number == std::round(number) && std::abs(number) < 1e9) return static_cast<int>(number);
      }
      Fail(value.where, fmt::format("{}, expected a whole number", value.Describe()));
    } catch (const std::invalid_argument& error) {
      Fail(value.where,
           fmt::format("{}, expected a whole number: {}", value.Describe(), error.what()));
    }
    return std::nullopt;
  }

  // i: 10 or i: [1, 9].
  std::optional<Index> ReadIndex(const YamlEntry& entry) {
    if (const auto defect = DescribeNameDefect(entry.key)) {
      Fail(entry.where, *defect);
      return std::nullopt;
    }
    const bool taken = std::any_of(constants_->begin(), constants_->end(),
                                   [&](const auto& known) { return known.first == entry.key; });
    if (taken) {
      Fail(entry.where, fmt::format("index '{}' has the name of a parameter or of another index "
                                    "around it, choose another",
                                    entry.key));
      return std::nullopt;
    }
    const YamlValue& value = entry.value;
    if (value.IsList() && value.items.size() == 2) {
      const auto first = ReadInteger(value.items[0]), last = ReadInteger(value.items[1]);
      if (!first || !last) return std::nullopt;
      return Index{entry.key, *first, *last};
    }
    const auto count = ReadInteger(value);
    if (count && *count < 0)
      Fail(value.where, fmt::format("{} copies, expected 0 or more", *count));
    if (!count || *count < 0) return std::nullopt;
    return Index{entry.key, 0, *count - 1};
  }

  // Nothing if there is no copy to make, for good reasons or bad.
  std::optional<std::vector<Index>> ReadIndices(const YamlValue& repeat) {
    if (!repeat.IsMap() || repeat.entries.empty()) {
      Fail(repeat.where, "repeat needs indices, such as repeat: {i: 10} or repeat: {i: [1, 9]}");
      return std::nullopt;
    }
    std::vector<Index> indices;
    double copies = 1;
    for (const YamlEntry& entry : repeat.entries) {
      const auto index = ReadIndex(entry);
      if (!index) continue;
      copies *= std::max(0.0, static_cast<double>(index->last) - index->first + 1);
      indices.push_back(*index);
    }
    if (indices.size() < repeat.entries.size()) return std::nullopt;
    // One empty range is enough, however long the others are.
    if (copies == 0) return std::nullopt;
    // Repeats may stand inside repeats: what counts is how many there are in the whole scene.
    if (copies_ + copies > kMaxCopies) {
      Fail(repeat.where,
           fmt::format("repeat makes {:.0f} copies, at most {:.0f} are allowed in all",
                       copies_ + copies, kMaxCopies));
      return std::nullopt;
    }
    copies_ += copies;
    return indices;
  }

  void AddCopies(const std::vector<Index>& indices, size_t level, const YamlValue& item,
                 std::vector<YamlValue>* out) {
    if (level == indices.size()) {
      out->push_back(item);
      Expand(&out->back());
      return;
    }
    const Index& index = indices[level];
    for (int i = index.first; i <= index.last; ++i) {
      constants_->emplace_back(index.name, i);
      AddCopies(indices, level + 1, item, out);
      constants_->pop_back();
    }
  }

  NamedConstants* constants_;
  ProblemList* problems_;
  double copies_ = 0;  // made so far
};

NamedConstants ReadParameters(const YamlValue* parameters, ProblemList* problems) {
  NamedConstants constants;
  if (parameters == nullptr || parameters->kind == YamlValue::Kind::kNull) return constants;
  if (!parameters->IsMap()) {
    problems->Add(parameters->where, "parameters",
                  parameters->Describe() + ", expected names with values");
    return constants;
  }
  for (const YamlEntry& entry : parameters->entries) {
    if (const auto defect = DescribeNameDefect(entry.key)) {
      problems->Add(entry.where, "parameters", *defect);
      continue;
    }
    double value = 0;
    try {
      if (!entry.value.IsScalar()) throw std::invalid_argument("not a single value");
      value = EvaluateNumber(entry.value.text, constants);
    } catch (const std::invalid_argument& error) {
      problems->Add(entry.value.where, fmt::format("parameters.{}", entry.key),
                    fmt::format("{}, expected a number: {}", entry.value.Describe(), error.what()));
    }
    constants.emplace_back(entry.key, value);
  }
  return constants;
}

}  // namespace

NamedConstants ExpandScene(const std::vector<Override>& overrides, YamlValue* scene,
                           ProblemList* problems) {
  for (const Override& change : overrides) {
    if (!change.SetsParameter()) continue;
    if (auto value = ParseOverrideValue(change, problems)) {
      ApplyOverride(change, std::move(*value), scene, problems);
    }
  }
  NamedConstants constants = ReadParameters(scene->Find("parameters"), problems);
  Expander expander(&constants, problems);
  for (YamlEntry& entry : scene->entries) {
    // Parameters are evaluated as they are: ${…} is for what uses them.
    if (entry.key != "parameters") expander.Expand(&entry.value);
  }
  for (const Override& change : overrides) {
    if (change.SetsParameter()) continue;
    if (auto value = ParseOverrideValue(change, problems)) {
      expander.Expand(&*value);
      ApplyOverride(change, std::move(*value), scene, problems);
    }
  }
  return constants;
}

}  // namespace voigt
