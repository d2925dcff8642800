#include <fmt/format.h>

#include <algorithm>
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
  const Vec4 q = MatrixToQuaternion(X.R);
  out->q.insert(out->q.end(), q.begin(), q.end());
  out->v.insert(out->v.end(), omega.begin(), omega.end());
}

void CheckSize(ObjectReader* reader, const YamlValue& at, std::string_view key, size_t size,
               int expected) {
  if (size == 0 || size == static_cast<size_t>(expected)) return;
  reader->Fail(at, key, fmt::format("{} values, expected {}", size, expected));
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
    const int nq = CoordinateCount(joint->type), nv = DofCount(joint->type);
    if (!value.IsMap()) {
      start.q = joints.Numbers(entry.key);
      CheckSize(&joints, value, entry.key, start.q.size(), nq);
    } else {
      ObjectReader reader(value, "initial." + entry.key, scene->context());
      if (nq != nv) {
        ReadMotion(&reader, joint->type, &start);
      } else {
        start.q = reader.Numbers("q");
        start.v = reader.Numbers("v");
        CheckSize(&reader, value, "q", start.q.size(), nq);
        CheckSize(&reader, value, "v", start.v.size(), nv);
      }
      reader.Finish();
    }
    out.push_back(std::move(start));
  }
  return out;
}

}  // namespace voigt
