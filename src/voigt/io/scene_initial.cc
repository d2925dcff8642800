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

// As lists of numbers: all coordinates, or q and v.
void ReadLists(ObjectReader* joints, const std::string& name, JointType type, InitialJoint* out) {
  const int nq = CoordinateCount(type), nv = DofCount(type);
  const YamlValue& value = *joints->Find(name);
  if (!value.IsMap()) {
    out->q = ReadCoordinates(joints, name, nq);
    const bool has_quaternion = nq != nv && !out->q.empty();
    if (has_quaternion && !(Eigen::Map<const Vec4>(&out->q[nq - 4]).norm() > 1e-6)) {
      joints->Fail(value, name, "the quaternion w, x, y, z is zero");
    }
    return;
  }
  ObjectReader reader(value, "initial." + name, joints->context());
  out->q = ReadCoordinates(&reader, "q", nq);
  out->v = ReadCoordinates(&reader, "v", nv);
  reader.Finish();
}

}  // namespace

std::vector<InitialJoint> ReadInitial(ObjectReader* scene, const ModelSpec& spec) {
  std::vector<InitialJoint> out;
  const YamlValue* initial = scene->Find("initial");
  if (initial == nullptr) return out;
  ObjectReader joints(*initial, "initial", scene->context());
  for (const YamlEntry& entry : initial->entries) {
    const YamlValue& value = *joints.Find(entry.key);
    const auto joint = std::find_if(spec.joints.begin(), spec.joints.end(),
                                    [&](const JointSpec& j) { return j.name == entry.key; });
    if (joint == spec.joints.end()) {
      scene->context()->problems.Add(entry.where, "initial",
                                     fmt::format("joint '{}' does not exist", entry.key));
      continue;
    }
    InitialJoint start;
    start.joint = entry.key;
    start.where = entry.where;
    if (value.IsMap() && CoordinateCount(joint->type) != DofCount(joint->type)) {
      ObjectReader reader(value, "initial." + entry.key, scene->context());
      ReadMotion(&reader, joint->type, &start);
      reader.Finish();
    } else {
      ReadLists(&joints, entry.key, joint->type, &start);
    }
    out.push_back(std::move(start));
  }
  return out;
}

}  // namespace voigt
