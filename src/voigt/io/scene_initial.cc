#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "voigt/io/scene_sections.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

// Free and ball joints start at a pose (position, rotation) with velocity and angular_velocity.
void ReadMotion(ObjectReader* reader, JointType type, InitialJoint* out) {
  const Pose X = reader->OwnPose();
  const Vec3 v = reader->Vector("velocity", Vec3::Zero());
  const Vec3 omega = reader->Vector("angular_velocity", Vec3::Zero());
  if (type == JointType::kFree) {
    out->q.assign(X.p.begin(), X.p.end());
    out->v.assign(v.begin(), v.end());
  } else if (reader->Has("position") || reader->Has("velocity")) {
    reader->Fail("a ball joint has a rotation only");
  }
  if (!X.p.allFinite() || !v.allFinite() || !omega.allFinite()) {
    reader->Fail("position or velocity is not finite");
  }
  const Vec4 q = MatrixToQuaternion(X.R);
  out->q.insert(out->q.end(), q.begin(), q.end());
  out->v.insert(out->v.end(), omega.begin(), omega.end());
}

// The numbers of a value, `expected` of them and all finite; none if it is missing or bad.
std::vector<double> ReadCoordinates(ObjectReader* reader, const YamlValue* value,
                                    std::string_view key, int expected) {
  if (value == nullptr) return {};
  const size_t before = reader->CountProblems();
  const std::vector<double> numbers = reader->ToNumbers(*value, key);
  if (reader->CountProblems() > before) return {};
  if (numbers.size() != static_cast<size_t>(expected)) {
    reader->Fail(*value, key, fmt::format("{} values, expected {}", numbers.size(), expected));
    return {};
  }
  for (double number : numbers) {
    if (std::isfinite(number)) continue;
    reader->Fail(*value, key, fmt::format("{}, expected a finite number", number));
    return {};
  }
  return numbers;
}

// All coordinates at once. Quaternions may have any length but zero.
void ReadAllCoordinates(ObjectReader* owner, const YamlValue& value, std::string_view key,
                        JointType type, InitialJoint* out) {
  const int nq = CoordinateCount(type);
  out->q = ReadCoordinates(owner, &value, key, nq);
  if (nq == DofCount(type) || out->q.empty()) return;
  Eigen::Map<Vec4> quaternion(&out->q[nq - 4]);
  if (quaternion == Vec4::Zero()) owner->Fail(value, key, "the quaternion w, x, y, z is zero");
  quaternion.stableNormalize();
}

// As a map of keys.
void ReadKeys(ObjectReader* reader, JointType type, InitialJoint* out) {
  if (CoordinateCount(type) != DofCount(type)) {
    ReadMotion(reader, type, out);
  } else {
    out->q = ReadCoordinates(reader, reader->Find("q"), "q", CoordinateCount(type));
    out->v = ReadCoordinates(reader, reader->Find("v"), "v", DofCount(type));
  }
}

void FailUnknownJoint(const SourceLocation& where, const std::string& name, ReadContext* context) {
  context->problems.Add(where, "initial", fmt::format("joint '{}' does not exist", name));
}

// Scenes may have many joints: they are looked up by name, not searched for.
class InitialReader {
 public:
  explicit InitialReader(const ModelSpec& spec) {
    for (const JointSpec& joint : spec.joints) types_.emplace(joint.name, joint.type);
  }

  // One entry of the map: the joint's name is the key.
  void ReadEntry(const YamlEntry& entry, ObjectReader* joints) {
    const auto joint = types_.find(entry.key);
    if (joint == types_.end()) {
      return FailUnknownJoint(entry.where, entry.key, joints->context());
    }
    InitialJoint& start = out_.emplace_back(InitialJoint{entry.key, {}, {}, entry.where});
    if (!entry.value.IsMap()) {
      return ReadAllCoordinates(joints, entry.value, entry.key, joint->second, &start);
    }
    ObjectReader reader(entry.value, "initial." + entry.key, joints->context());
    ReadKeys(&reader, joint->second, &start);
    reader.Finish();
  }

  // One element of the list: the joint is named inside, so that elements can be repeated.
  void ReadElement(ObjectReader* reader) {
    const std::string name = reader->RequiredText("joint");
    const auto joint = types_.find(name);
    if (joint != types_.end()) {
      RejectSecond(name, reader);
      InitialJoint& start = out_.emplace_back(InitialJoint{name, {}, {}, reader->where()});
      return ReadKeys(reader, joint->second, &start);
    }
    if (!name.empty()) FailUnknownJoint(reader->Find("joint")->where, name, reader->context());
    // Which of these are meant depends on the joint.
    for (const char* key : {"q", "v", "velocity", "angular_velocity"}) reader->Find(key);
    reader->OwnPose();
  }

  std::vector<InitialJoint> Take() { return std::move(out_); }

 private:
  void RejectSecond(const std::string& name, ObjectReader* reader) {
    const auto [earlier, is_first] = first_lines_.emplace(name, reader->where().line);
    if (is_first) return;
    reader->Fail(*reader->Find("joint"), "joint",
                 fmt::format("'{}' is given twice, first at line {}", name, earlier->second));
  }

  std::unordered_map<std::string_view, JointType> types_;
  std::unordered_map<std::string, int> first_lines_;
  std::vector<InitialJoint> out_;
};

}  // namespace

std::vector<InitialJoint> ReadInitial(ObjectReader* scene, const ModelSpec& spec) {
  const YamlValue* initial = scene->Find("initial");
  if (initial == nullptr || initial->kind == YamlValue::Kind::kNull) return {};
  InitialReader joints(spec);
  if (initial->IsList()) {
    ReadList(scene, "initial", [&](ObjectReader& reader) { joints.ReadElement(&reader); });
    return joints.Take();
  }
  ObjectReader reader(*initial, "initial", scene->context());
  for (const YamlEntry& entry : initial->entries) joints.ReadEntry(entry, &reader);
  return joints.Take();
}

}  // namespace voigt
