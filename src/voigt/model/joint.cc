#include "voigt/model/joint.h"

#include <array>

namespace voigt {
namespace {

struct JointTraits {
  std::string_view name;
  int nq;
  int nv;
};

// In the order of JointType.
constexpr std::array<JointTraits, kJointTypeCount> kTraits = {{
    {"fixed", 0, 0},
    {"revolute", 1, 1},
    {"prismatic", 1, 1},
    {"screw", 1, 1},
    {"cylindrical", 2, 2},
    {"universal", 2, 2},
    {"planar", 3, 3},
    {"ball", 4, 3},
    {"free", 7, 6},
}};

const JointTraits& TraitsOf(JointType type) { return kTraits[static_cast<int>(type)]; }

}  // namespace

int CoordinateCount(JointType type) { return TraitsOf(type).nq; }

int DofCount(JointType type) { return TraitsOf(type).nv; }

bool IsAngularDof(JointType type, int dof) {
  switch (type) {
    case JointType::kPrismatic:
      return false;
    case JointType::kCylindrical:
      return dof == 0;
    case JointType::kPlanar:
      return dof == 2;
    case JointType::kFree:
      return dof >= 3;
    default:
      return true;
  }
}

std::string_view ToString(JointType type) { return TraitsOf(type).name; }

std::optional<JointType> JointTypeFromString(std::string_view name) {
  for (int i = 0; i < kJointTypeCount; ++i) {
    if (kTraits[i].name == name) return static_cast<JointType>(i);
  }
  return std::nullopt;
}

}  // namespace voigt
