#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

// The numbers under a key, `expected` of them and all finite; none if the key is missing.
std::vector<double> ReadCoordinates(ObjectReader* reader, std::string_view key, int expected) {
  const YamlValue* value = reader->Find(key);
  if (value == nullptr) return {};
  const std::vector<double> numbers = reader->ToNumbers(*value, key);
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

// All coordinates at once.
void ReadAllCoordinates(ObjectReader* owner, std::string_view key, JointType type,
                        InitialJoint* out) {
  const int nq = CoordinateCount(type);
  out->q = ReadCoordinates(owner, key, nq);
  const bool has_quaternion = nq != DofCount(type) && !out->q.empty();
  if (has_quaternion && !(Eigen::Map<const Vec4>(&out->q[nq - 4]).norm() > 1e-6)) {
    owner->Fail(*owner->Find(key), key, "the quaternion w, x, y, z is zero");
  }
}

// As a map of keys.
void ReadKeys(ObjectReader* reader, JointType type, InitialJoint* out) {
  if (CoordinateCount(type) != DofCount(type)) {
    ReadMotion(reader, type, out);
  } else {
    out->q = ReadCoordinates(reader, "q", CoordinateCount(type));
    out->v = ReadCoordinates(reader, "v", DofCount(type));
  }
}

const JointSpec* FindJoint(const ModelSpec& spec, const std::string& name) {
  const auto joint = std::find_if(spec.joints.begin(), spec.joints.end(),
                                  [&](const JointSpec& j) { return j.name == name; });
  return joint == spec.joints.end() ? nullptr : &*joint;
}

void FailUnknownJoint(const SourceLocation& where, const std::string& name, ReadContext* context) {
  context->problems.Add(where, "initial", fmt::format("joint '{}' does not exist", name));
}

// One entry of the map: the joint's name is the key.
void ReadEntry(const YamlEntry& entry, const ModelSpec& spec, ObjectReader* joints,
               std::vector<InitialJoint>* out) {
  const YamlValue& value = *joints->Find(entry.key);
  const JointSpec* joint = FindJoint(spec, entry.key);
  if (joint == nullptr) return FailUnknownJoint(entry.where, entry.key, joints->context());
  InitialJoint& start = out->emplace_back(InitialJoint{entry.key, {}, {}, entry.where});
  if (!value.IsMap()) return ReadAllCoordinates(joints, entry.key, joint->type, &start);
  ObjectReader reader(value, "initial." + entry.key, joints->context());
  ReadKeys(&reader, joint->type, &start);
  reader.Finish();
}

// One element of the list: the joint is named inside, so that elements can be repeated.
void ReadElement(const ModelSpec& spec, ObjectReader* reader, std::vector<InitialJoint>* out) {
  const std::string name = reader->RequiredText("joint");
  const JointSpec* joint = FindJoint(spec, name);
  if (joint != nullptr) {
    const auto earlier = std::find_if(
        out->begin(), out->end(), [&](const InitialJoint& start) { return start.joint == name; });
    if (earlier != out->end()) {
      reader->Fail(*reader->Find("joint"), "joint",
                   fmt::format("'{}' is given twice, first at line {}", name, earlier->where.line));
    }
    InitialJoint& start = out->emplace_back(InitialJoint{name, {}, {}, reader->where()});
    return ReadKeys(reader, joint->type, &start);
  }
  if (!name.empty()) FailUnknownJoint(reader->Find("joint")->where, name, reader->context());
  // Which of these are meant depends on the joint.
  for (const char* key : {"q", "v", "velocity", "angular_velocity"}) reader->Find(key);
  reader->OwnPose();
}

}  // namespace

std::vector<InitialJoint> ReadInitial(ObjectReader* scene, const ModelSpec& spec) {
  std::vector<InitialJoint> out;
  const YamlValue* initial = scene->Find("initial");
  if (initial == nullptr) return out;
  if (initial->IsList()) {
    ReadList(scene, "initial", [&](ObjectReader& reader) { ReadElement(spec, &reader, &out); });
    return out;
  }
  ObjectReader joints(*initial, "initial", scene->context());
  for (const YamlEntry& entry : initial->entries) ReadEntry(entry, spec, &joints, &out);
  return out;
}

}  // namespace voigt
