#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

#include "voigt/io/mjcf_context.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

Mat3 RotationOfEuler(const std::vector<double>& angles, const std::string& sequence) {
  Mat3 R = Mat3::Identity();
  for (int i = 0; i < 3; ++i) {
    const char letter = sequence[i];
    const int axis = std::tolower(letter) - 'x';
    const Mat3 turn = RotationAbout(Vec3::Unit(axis), angles[i]);
    // Small letters turn about axes that move along, capitals about fixed ones.
    R = letter >= 'a' ? Mat3(R * turn) : Mat3(turn * R);
  }
  return R;
}

std::optional<Mat3> RotationOfAxes(const std::vector<double>& axes) {
  const Vec3 x = Vec3(axes[0], axes[1], axes[2]).stableNormalized();
  Vec3 y = Vec3(axes[3], axes[4], axes[5]);
  y -= x.dot(y) * x;
  if (x.squaredNorm() < 0.5 || y.stableNorm() < 1e-12) return std::nullopt;
  y.stableNormalize();
  Mat3 R;
  R << x, y, x.cross(y);
  return R;
}

// From the attribute that is given; several elements may stand behind a reader, and MuJoCo lets
// any other form pass a quaternion by.
Mat3 ReadMjcfRotation(const XmlReader& reader, const MjcfCompiler& compiler) {
  const double unit = compiler.degrees ? kPi / 180 : 1;
  const XmlAttribute* bad = nullptr;
  const std::vector<double> euler = reader.Numbers("euler", 3, 3);
  const std::vector<double> zaxis = reader.Numbers("zaxis", 3, 3);
  const std::vector<double> xyaxes = reader.Numbers("xyaxes", 6, 6);
  const std::vector<double> axisangle = reader.Numbers("axisangle", 4, 4);
  const std::vector<double> quat = reader.Numbers("quat", 4, 4);
  if (!euler.empty()) {
    return RotationOfEuler({euler[0] * unit, euler[1] * unit, euler[2] * unit},
                           compiler.euler_sequence);
  }
  if (!zaxis.empty()) {
    const Vec3 z(zaxis[0], zaxis[1], zaxis[2]);
    if (z.stableNorm() > 1e-12) return TurnZTo(z);
    bad = reader.Find("zaxis");
  } else if (!xyaxes.empty()) {
    if (const auto R = RotationOfAxes(xyaxes)) return *R;
    bad = reader.Find("xyaxes");
  } else if (!axisangle.empty()) {
    const Vec3 axis(axisangle[0], axisangle[1], axisangle[2]);
    if (axis.stableNorm() > 1e-12) {
      return RotationAbout(axis.stableNormalized(), axisangle[3] * unit);
    }
    bad = reader.Find("axisangle");
  } else if (!quat.empty()) {
    const Vec4 q(quat[0], quat[1], quat[2], quat[3]);
    if (q.stableNorm() > 1e-12) return QuaternionToMatrix(q.stableNormalized());
    bad = reader.Find("quat");
  }
  if (bad != nullptr) {
    reader.Fail(*bad,
                fmt::format("'{}', expected directions that are not zero or parallel", bad->value));
  }
  return Mat3::Identity();
}

}  // namespace

Mat3 TurnZTo(const Vec3& direction) {
  const Vec3 v = direction.stableNormalized();
  const Vec3 axis = Vec3::UnitZ().cross(v);
  const double sine = axis.norm();
  if (sine < 1e-10) return RotationAbout(Vec3::UnitX(), std::atan2(sine, v.z()));
  return RotationAbout(axis / sine, std::atan2(sine, v.z()));
}

Pose ReadMjcfPose(const XmlReader& reader, const MjcfCompiler& compiler) {
  return {ReadMjcfRotation(reader, compiler), reader.Vector("pos", Vec3::Zero())};
}

}  // namespace voigt
