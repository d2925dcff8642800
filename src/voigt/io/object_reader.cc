#include "voigt/io/object_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "voigt/io/expression.h"

namespace voigt {
namespace {

// Levenshtein's distance, for "did you mean".
int EditDistance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

std::string Join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

std::string ListChoices(const std::vector<std::string_view>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 < names.size() ? ", " : " or ";
    text += names[i];
  }
  return text;
}

ObjectReader::ObjectReader(const YamlValue& value, std::string path, ReadContext* context)
    : value_(value), path_(std::move(path)), context_(context) {
  const bool is_empty_scene = value_.kind == YamlValue::Kind::kNull && path_.empty();
  if (!is_empty_scene && !value_.IsMap()) {
    Fail(value_.Describe() + ", expected keys with values");
  }
  const YamlValue* name = value_.Find("name");
  if (name != nullptr && name->IsScalar() && !path_.empty()) {
    path_ += fmt::format(" '{}'", name->text);
  }
}

void ObjectReader::Fail(std::string message) {
  context_->problems.Add(value_.where, path_, std::move(message));
}

void ObjectReader::Fail(const YamlValue& at, std::string_view key, std::string message) {
  const std::string element = path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  context_->problems.Add(at.where, element, std::move(message));
}

const YamlValue* ObjectReader::Find(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return value_.Find(key);
}

const YamlValue* ObjectReader::Require(std::string_view key, std::string_view what) {
  const YamlValue* value = Find(key);
  // What is no map has been reported as such.
  if (value == nullptr && value_.IsMap()) {
    Fail(fmt::format("'{}' is missing, expected {}", key, what));
  }
  return value;
}

// An empty list is nothing in disguise. True if it is one.
bool ObjectReader::RejectEmptyList(const YamlValue& value, std::string_view key,
                                   std::string_view what) {
  if (!value.IsList() || !value.items.empty()) return false;
  Fail(value, key, fmt::format("an empty list, expected {}", what));
  return true;
}

double ObjectReader::ToNumber(const YamlValue& value, std::string_view key, double if_bad) {
  if (!value.IsScalar()) {
    Fail(value, key, fmt::format("{}, expected a number", value.Describe()));
    return if_bad;
  }
  try {
    return EvaluateNumber(value.text, context_->constants);
  } catch (const std::invalid_argument& error) {
    Fail(value, key, fmt::format("'{}', expected a number: {}", value.text, error.what()));
    return if_bad;
  }
}

Vec3 ObjectReader::ToVector(const YamlValue& value, std::string_view key, const Vec3& if_bad) {
  if (!value.IsList() || value.items.size() != 3) {
    Fail(value, key, fmt::format("{}, expected three numbers", value.Describe()));
    return if_bad;
  }
  Vec3 out;
  for (int i = 0; i < 3; ++i) out[i] = ToNumber(value.items[i], key, if_bad[i]);
  return out;
}

TimeFunction ObjectReader::ToFunction(const YamlValue& value, std::string_view key) {
  if (!value.IsScalar()) {
    Fail(value, key, fmt::format("{}, expected a number or an expression of t", value.Describe()));
    return 0;
  }
  try {
    return EvaluateFunction(value.text, context_->constants);
  } catch (const std::invalid_argument& error) {
    Fail(
        value, key,
        fmt::format("'{}', expected a number or an expression of t: {}", value.text, error.what()));
    return 0;
  }
}

std::string ObjectReader::Text(std::string_view key, std::string fallback) {
  const YamlValue* value = Find(key);
  if (value == nullptr) return fallback;
  if (value->IsScalar()) return value->text;
  Fail(*value, key, fmt::format("{}, expected a text", value->Describe()));
  return fallback;
}

std::optional<std::vector<std::string>> ObjectReader::Texts(std::string_view key) {
  const YamlValue* value = Find(key);
  if (value == nullptr) return std::nullopt;
  return ToTexts(*value, key);
}

std::vector<std::string> ObjectReader::ToTexts(const YamlValue& value, std::string_view key) {
  std::vector<std::string> out;
  const auto add = [&](const YamlValue& item) {
    if (item.IsScalar() && !item.text.empty()) {
      out.push_back(item.text);
    } else {
      Fail(item, key, fmt::format("{}, expected a name", item.Describe()));
    }
  };
  if (!value.IsList()) {
    add(value);
  } else {
    for (const YamlValue& item : value.items) add(item);
  }
  return out;
}

std::string ObjectReader::RequiredText(std::string_view key) {
  const YamlValue* value = Require(key, "a text");
  if (value == nullptr) return "";
  if (value->IsScalar() && value->text.empty()) Fail(*value, key, "is empty, expected a text");
  return Text(key, "");
}

std::string ObjectReader::RequiredName() {
  const std::string name = RequiredText("name");
  return name.empty() ? path_ : name;
}

bool ObjectReader::Flag(std::string_view key, bool fallback) {
  const YamlValue* value = Find(key);
  if (value == nullptr) return fallback;
  if (value->text == "true") return true;
  if (value->text == "false") return false;
  Fail(*value, key, fmt::format("{}, expected true or false", value->Describe()));
  return fallback;
}

double ObjectReader::Number(std::string_view key, double fallback) {
  const YamlValue* value = Find(key);
  return value == nullptr ? fallback : ToNumber(*value, key, fallback);
}

double ObjectReader::RequiredNumber(std::string_view key, double if_bad) {
  return Require(key, "a number") == nullptr ? if_bad : Number(key, if_bad);
}

Vec3 ObjectReader::Vector(std::string_view key, const Vec3& fallback) {
  const YamlValue* value = Find(key);
  return value == nullptr ? fallback : ToVector(*value, key, fallback);
}

Vec3 ObjectReader::RequiredVector(std::string_view key, const Vec3& if_bad) {
  return Require(key, "three numbers") == nullptr ? if_bad : Vector(key, if_bad);
}

std::optional<Vec3> ObjectReader::OptionalVector(std::string_view key) {
  if (!Has(key)) return std::nullopt;
  return Vector(key, Vec3::UnitZ());
}

std::vector<double> ObjectReader::Numbers(std::string_view key) {
  const YamlValue* value = Find(key);
  if (value == nullptr || RejectEmptyList(*value, key, "one number or a list of them")) return {};
  return ToNumbers(*value, key);
}

std::vector<double> ObjectReader::RequiredNumbers(std::string_view key, std::string_view what) {
  return Require(key, what) == nullptr ? std::vector<double>() : Numbers(key);
}

std::vector<double> ObjectReader::ToNumbers(const YamlValue& value, std::string_view key) {
  if (!value.IsList()) return {ToNumber(value, key, 0)};
  std::vector<double> out;
  for (const YamlValue& item : value.items) out.push_back(ToNumber(item, key, 0));
  return out;
}

std::vector<Vec3> ObjectReader::Points(std::string_view key) {
  const YamlValue* value = Require(key, "a list of points");
  if (value == nullptr) return {};
  if (!value->IsList()) {
    Fail(*value, key, fmt::format("{}, expected a list of points", value->Describe()));
    return {};
  }
  std::vector<Vec3> out;
  for (const YamlValue& item : value->items) out.push_back(ToVector(item, key, Vec3::Zero()));
  return out;
}

std::vector<TimeFunction> ObjectReader::Functions(std::string_view key) {
  const YamlValue* value = Find(key);
  if (value == nullptr || RejectEmptyList(*value, key, "functions of t")) return {};
  if (!value->IsList()) return {ToFunction(*value, key)};
  std::vector<TimeFunction> out;
  for (const YamlValue& item : value->items) out.push_back(ToFunction(item, key));
  return out;
}

std::vector<TimeFunction> ObjectReader::RequiredFunctions(std::string_view key,
                                                          std::string_view what) {
  return Require(key, what) == nullptr ? std::vector<TimeFunction>() : Functions(key);
}

void ObjectReader::Finish() {
  for (const YamlEntry& entry : value_.entries) {
    const std::string& key = entry.key;
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    const auto nearest = std::min_element(known_.begin(), known_.end(),
                                          [&](const std::string& a, const std::string& b) {
                                            return EditDistance(key, a) < EditDistance(key, b);
                                          });
    const size_t distance = nearest == known_.end() ? 3 : EditDistance(key, *nearest);
    std::string message = fmt::format("unknown key '{}'", key);
    // Of a short word, two letters changed leave nothing.
    if (distance <= 2 && 2 * distance <= key.size()) {
      message += fmt::format(": did you mean '{}'?", *nearest);
    } else {
      message += fmt::format(", expected one of {}", Join(known_));
    }
    context_->problems.Add(entry.where, path_, message);
  }
}

}  // namespace voigt
