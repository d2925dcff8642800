#include "voigt/io/override.h"

#include <fmt/format.h>

#include <charconv>
#include <system_error>
#include <utility>
#include <vector>

namespace voigt {
namespace {

std::vector<std::string> SplitPath(const std::string& path) {
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

void SetLocations(const SourceLocation& where, YamlValue* value) {
  value->where = where;
  for (YamlValue& item : value->items) SetLocations(where, &item);
  for (YamlEntry& entry : value->entries) {
    entry.where = where;
    SetLocations(where, &entry.value);
  }
}

bool CheckParameterExists(const Override& change, const YamlValue& scene, ProblemList* problems) {
  const std::vector<std::string> parts = SplitPath(change.path);
  const YamlValue* parameters = scene.Find("parameters");
  if (parts.size() < 2) return true;
  std::string names;
  if (parameters != nullptr) {
    if (parameters->Find(parts[1]) != nullptr) return true;
    for (const YamlEntry& entry : parameters->entries) {
      names += (names.empty() ? ", only " : ", ") + entry.key;
    }
  }
  problems->Add(change.Where(), "",
                fmt::format("the scene has no parameter '{}'{}", parts[1], names));
  return false;
}

}  // namespace

Override Override::Parse(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError({}, "--set " + text, "expected path=value, such as bodies.arm.mass=3");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

SourceLocation Override::Where() const {
  return {option.empty() ? fmt::format("--set {}={}", path, value) : option, 0, 0};
}

bool Override::SetsParameter() const { return SplitPath(path)[0] == "parameters"; }

// Lines and columns within an override say nothing: all of it stands at one place.
std::optional<YamlValue> ParseOverrideValue(const Override& change, ProblemList* problems) {
  ProblemList found;
  std::optional<YamlValue> value;
  try {
    value = ParseYaml(change.value, "", &found);
    SetLocations(change.Where(), &*value);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) found.Add({}, "", problem.message);
  }
  for (const Problem& problem : found.problems()) {
    problems->Add(change.Where(), "", problem.message);
  }
  return value;
}

void ApplyOverride(const Override& change, YamlValue value, YamlValue* scene,
                   ProblemList* problems) {
  if (change.SetsParameter() && !CheckParameterExists(change, *scene, problems)) return;
  const SourceLocation where = change.Where();
  YamlValue* place = scene;
  std::string path;
  for (const std::string& part : SplitPath(change.path)) {
    if (place->kind == YamlValue::Kind::kNull) place->kind = YamlValue::Kind::kMap;
    if (place->IsList()) {
      place = FindItem(place, part);
      if (place == nullptr) {
        problems->Add(where, "", fmt::format("'{}' has no element '{}'", path, part));
        return;
      }
    } else if (place->IsMap()) {
      // A new key is allowed here; one that means nothing is found when the scene is read.
      if (place->Find(part) == nullptr) {
        place->entries.push_back({part, where, {}});
        place->entries.back().value.where = where;
      }
      place = place->Find(part);
    } else {
      problems->Add(
          where, "",
          fmt::format("'{}' is {} and has no '{}' inside", path, place->Describe(), part));
      return;
    }
    path += (path.empty() ? "" : ".") + part;
  }
  *place = std::move(value);
}

}  // namespace voigt
