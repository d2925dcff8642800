#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "voigt/io/yaml_value.h"
#include "voigt/math/pose.h"
#include "voigt/model/time_function.h"
#include "voigt/model/triangle_mesh.h"

namespace voigt {

// "a, b or c", for messages.
std::string ListChoices(const std::vector<std::string_view>& names);

// What all readers of one scene share.
struct ReadContext {
  NamedConstants constants;
  ProblemList problems;
  std::vector<std::string> notices;            // that do not keep the scene from running
  std::map<std::string, TriangleMesh> meshes;  // that were read from files, by path and scale
};

// Reads the keys of one map of a scene, with all its complaints: wrong kinds of values, missing
// keys, and, at the end, keys that nobody asked for. Where a value is bad, a harmless one is
// returned, so that reading goes on and finds the next problem.
class ObjectReader {
 public:
  // path names the element in messages, such as "bodies[3]"; the name of a named element is added.
  // The scene itself has no path, and may be empty: that is reported elsewhere.
  ObjectReader(const YamlValue& value, std::string path, ReadContext* context);

  // The value of a key, or nullptr; the key then counts as known.
  const YamlValue* Find(std::string_view key);
  bool Has(std::string_view key) { return Find(key) != nullptr; }
  // The same, where a missing key is a problem; `what` is expected.
  const YamlValue* Require(std::string_view key, std::string_view what);

  std::string Text(std::string_view key, std::string fallback);
  std::string RequiredText(std::string_view key);
  // The key name. Where it is missing, the path stands for it, so that nothing else complains.
  std::string RequiredName();
  // One text or a list of them, which may be empty; nothing if the key is missing.
  std::optional<std::vector<std::string>> Texts(std::string_view key);
  // The same from a value found under that key.
  std::vector<std::string> ToTexts(const YamlValue& value, std::string_view key);
  bool Flag(std::string_view key, bool fallback);
  // What the key's text stands for; nothing if the key is missing or its text is none of these.
  template <typename Value>
  std::optional<Value> Choice(std::string_view key,
                              const std::vector<std::pair<std::string_view, Value>>& choices);
  double Number(std::string_view key, double fallback);
  double RequiredNumber(std::string_view key, double if_bad);
  Vec3 Vector(std::string_view key, const Vec3& fallback);
  Vec3 RequiredVector(std::string_view key, const Vec3& if_bad);
  std::optional<Vec3> OptionalVector(std::string_view key);
  // One number or a list of them; empty if the key is missing.
  std::vector<double> Numbers(std::string_view key);
  std::vector<double> RequiredNumbers(std::string_view key, std::string_view what);
  // The same from a value found under that key.
  std::vector<double> ToNumbers(const YamlValue& value, std::string_view key);
  std::vector<Vec3> Points(std::string_view key);
  // One expression of t or a list of them; empty if the key is missing.
  std::vector<TimeFunction> Functions(std::string_view key);
  std::vector<TimeFunction> RequiredFunctions(std::string_view key, std::string_view what);

  // From the keys position and one of rpy, quaternion, axis_angle of this very map.
  Pose OwnPose();
  // From a map under `key`; the identity if it is missing.
  Pose PoseUnder(std::string_view key);
  // The same without a position.
  Mat3 RotationUnder(std::string_view key);

  // Reports every key that was not asked for.
  void Finish();

  void Fail(std::string message);
  void Fail(const YamlValue& at, std::string_view key, std::string message);

  // How much is wrong so far, here and elsewhere: what has just been read is good if it stays.
  size_t CountProblems() const { return context_->problems.problems().size(); }

  const std::string& path() const { return path_; }
  const SourceLocation& where() const { return value_.where; }
  ReadContext* context() { return context_; }

 private:
  bool RejectEmptyList(const YamlValue& value, std::string_view key, std::string_view what);
  double ToNumber(const YamlValue& value, std::string_view key, double if_bad);
  Vec3 ToVector(const YamlValue& value, std::string_view key, const Vec3& if_bad);
  TimeFunction ToFunction(const YamlValue& value, std::string_view key);
  Mat3 OwnRotation();
  Mat3 ReadQuaternion(const YamlValue& value);
  Mat3 ReadAxisAngle(const YamlValue& value);

  const YamlValue& value_;
  std::string path_;
  ReadContext* context_;
  std::vector<std::string> known_;
};

template <typename Value>
std::optional<Value> ObjectReader::Choice(
    std::string_view key, const std::vector<std::pair<std::string_view, Value>>& choices) {
  const YamlValue* value = Find(key);
  if (value == nullptr) return std::nullopt;
  std::vector<std::string_view> names;
  for (const auto& [name, choice] : choices) {
    if (value->IsScalar() && value->text == name) return choice;
    names.push_back(name);
  }
  Fail(*value, key, value->Describe() + ", expected " + ListChoices(names));
  return std::nullopt;
}

// The elements of a list under a key: calls read(reader) for each and checks left-over keys.
template <typename Read>
void ReadList(ObjectReader* parent, std::string_view key, Read read) {
  const YamlValue* list = parent->Find(key);
  if (list == nullptr) return;
  // A section of the scene that is still to be filled in.
  if (list->kind == YamlValue::Kind::kNull && parent->path().empty()) return;
  if (!list->IsList()) {
    parent->Fail(*list, key, list->Describe() + ", expected a list");
    return;
  }
  for (size_t i = 0; i < list->items.size(); ++i) {
    const std::string prefix = parent->path().empty() ? "" : parent->path() + ".";
    ObjectReader reader(list->items[i], prefix + std::string(key) + "[" + std::to_string(i) + "]",
                        parent->context());
    if (!list->items[i].IsMap()) continue;  // reported already
    read(reader);
    reader.Finish();
  }
}

}  // namespace voigt
