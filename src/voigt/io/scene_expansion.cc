#include "voigt/io/scene_expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

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
        const std::vector<Index> indices = ReadIndices(*repeat);
        std::erase_if(item.entries, [](const YamlEntry& entry) { return entry.key == "repeat"; });
        AddCopies(indices, 0, item, &items);
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

  int ReadInteger(const YamlValue& value) {
    try {
      YamlValue copy = value;
      Substitute(&copy);
      const double number = EvaluateNumber(copy.text, *constants_);
      if (copy.IsScalar() && number == std::round(number) && std::abs(number) < 1e9) {
        return static_cast<int>(number);
      }
    } catch (const std::invalid_argument&) {
    }
    Fail(value.where, fmt::format("{}, expected a whole number", value.Describe()));
    return 0;
  }

  std::vector<Index> ReadIndices(const YamlValue& repeat) {
    std::vector<Index> indices;
    double copies = 1;
    if (!repeat.IsMap() || repeat.entries.empty()) {
      Fail(repeat.where, "repeat needs indices, such as repeat: {i: 10} or repeat: {i: [1, 9]}");
    }
    for (const YamlEntry& entry : repeat.entries) {
      Index index{entry.key, 0, 0};
      if (entry.value.IsList() && entry.value.items.size() == 2) {
        index.first = ReadInteger(entry.value.items[0]);
        index.last = ReadInteger(entry.value.items[1]);
      } else {
        index.last = ReadInteger(entry.value) - 1;
      }
      copies *= std::max(0.0, static_cast<double>(index.last) - index.first + 1);
      indices.push_back(index);
    }
    if (copies > kMaxCopies) {
      Fail(repeat.where, fmt::format("repeat makes {:.3g} copies, at most {:.3g} are allowed",
                                     copies, kMaxCopies));
      indices.clear();
    }
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
};

std::vector<std::string> SplitPath(std::string path) {
  // joints[2].axis[0] is joints.2.axis.0
  std::string dotted;
  for (char c : path) {
    if (c == ']') continue;
    dotted += c == '[' ? '.' : c;
  }
  std::vector<std::string> parts = {""};
  for (char c : dotted) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

YamlValue* FindItem(YamlValue* list, const std::string& part) {
  for (YamlValue& item : list->items) {
    const YamlValue* name = item.Find("name");
    if (name != nullptr && name->text == part) return &item;
  }
  size_t number = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
  const bool is_number = error == std::errc() && end == part.data() + part.size();
  return is_number && number < list->items.size() ? &list->items[number] : nullptr;
}

void ApplyOverride(const Override& change, YamlValue* scene, ProblemList* problems) {
  const SourceLocation where{fmt::format("--set {}={}", change.path, change.value), 0, 0};
  const YamlValue value = ParseYaml(change.value, where.file, problems);
  YamlValue* place = scene;
  for (const std::string& part : SplitPath(change.path)) {
    if (place->kind == YamlValue::Kind::kNull) place->kind = YamlValue::Kind::kMap;
    if (place->IsList()) {
      place = FindItem(place, part);
      if (place == nullptr) {
        problems->Add(where, "", fmt::format("no element '{}' there", part));
        return;
      }
    } else if (place->IsMap()) {
      // A new key is allowed here; one that means nothing is found when the scene is read.
      if (place->Find(part) == nullptr) place->entries.push_back({part, where, {}});
      place = place->Find(part);
    } else {
      problems->Add(where, "", fmt::format("'{}' is inside a plain value", part));
      return;
    }
  }
  *place = value;
}

bool SetsParameter(const Override& change) { return change.path.starts_with("parameters."); }

NamedConstants ReadParameters(const YamlValue* parameters, ProblemList* problems) {
  NamedConstants constants;
  if (parameters == nullptr) return constants;
  if (!parameters->IsMap()) {
    problems->Add(parameters->where, "parameters", "expected names with values");
    return constants;
  }
  for (const YamlEntry& entry : parameters->entries) {
    double value = 0;
    try {
      if (!entry.value.IsScalar()) throw std::invalid_argument("expected a number");
      value = EvaluateNumber(entry.value.text, constants);
    } catch (const std::invalid_argument& error) {
      problems->Add(entry.value.where, fmt::format("parameters.{}", entry.key),
                    fmt::format("{}: {}", entry.value.Describe(), error.what()));
    }
    constants.emplace_back(entry.key, value);
  }
  return constants;
}

}  // namespace

Override Override::Parse(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError({}, "--set " + text, "expected path=value, such as bodies.arm.mass=3");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

double EvaluateNumber(const std::string& text, const NamedConstants& constants) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end) return value;
  return EvaluateExpression(text, constants);
}

NamedConstants ExpandScene(const std::vector<Override>& overrides, YamlValue* scene,
                           ProblemList* problems) {
  for (const Override& change : overrides) {
    if (SetsParameter(change)) ApplyOverride(change, scene, problems);
  }
  NamedConstants constants = ReadParameters(scene->Find("parameters"), problems);
  Expander expander(&constants, problems);
  expander.Expand(scene);
  for (const Override& change : overrides) {
    if (!SetsParameter(change)) ApplyOverride(change, scene, problems);
  }
  return constants;
}

}  // namespace voigt
