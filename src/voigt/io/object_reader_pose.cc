// The part of ObjectReader that reads poses.

#include <fmt/format.h>

#include <vector>

#include "voigt/io/object_reader.h"
#include "voigt/math/rotation.h"

namespace voigt {

Mat3 ObjectReader::ReadQuaternion(const YamlValue& value) {
  const size_t before = CountProblems();
  const std::vector<double> wxyz =
      value.IsList() ? ToNumbers(value, "quaternion") : std::vector<double>();
  if (CountProblems() > before) return Mat3::Identity();
  const Vec4 q = wxyz.size() == 4 ? Vec4(wxyz.data()) : Vec4::Zero();
  if (q == Vec4::Zero()) {
    Fail(value, "quaternion", "expected four numbers w, x, y, z, not all zero");
    return Mat3::Identity();
  }
  // Squares of very short and very long ones are out of range.
  return QuaternionToMatrix(q.stableNormalized());
}

Mat3 ObjectReader::ReadAxisAngle(const YamlValue& value) {
  ObjectReader inner(value, path_ + ".axis_angle", context_);
  const size_t before = CountProblems();
  const Vec3 axis = inner.RequiredVector("axis", Vec3::UnitZ());
  const bool axis_is_good = CountProblems() == before;
  const double angle = inner.RequiredNumber("angle", 0);
  inner.Finish();
  if (!axis_is_good) return Mat3::Identity();
  if (axis == Vec3::Zero()) {
    inner.Fail("axis is zero, expected a direction");
    return Mat3::Identity();
  }
  return RotationAbout(axis.stableNormalized(), angle);
}

Mat3 ObjectReader::OwnRotation() {
  int given = 0;
  Mat3 R = Mat3::Identity();
  if (Has("rpy")) {
    ++given;
    R = RotationFromRollPitchYaw(Vector("rpy", Vec3::Zero()));
  }
  if (const YamlValue* value = Find("quaternion")) {
    ++given;
    R = ReadQuaternion(*value);
  }
  if (const YamlValue* value = Find("axis_angle")) {
    ++given;
    R = ReadAxisAngle(*value);
  }
  if (given > 1) Fail("gives its rotation more than once: keep one of rpy, quaternion, axis_angle");
  if (!R.allFinite()) {
    Fail("its rotation is not finite");
    return Mat3::Identity();
  }
  return R;
}

Pose ObjectReader::OwnPose() {
  const Vec3 p = Vector("position", Vec3::Zero());
  return {OwnRotation(), p};
}

Pose ObjectReader::PoseUnder(std::string_view key) {
  const YamlValue* value = Find(key);
  if (value == nullptr) return {};
  ObjectReader reader(*value, fmt::format("{}.{}", path_, key), context_);
  const Pose X = reader.OwnPose();
  reader.Finish();
  return X;
}

Mat3 ObjectReader::RotationUnder(std::string_view key) {
  const YamlValue* value = Find(key);
  if (value == nullptr) return Mat3::Identity();
  ObjectReader reader(*value, fmt::format("{}.{}", path_, key), context_);
  const Mat3 R = reader.OwnRotation();
  reader.Finish();
  return R;
}

}  // namespace voigt
