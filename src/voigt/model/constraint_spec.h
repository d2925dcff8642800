#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "voigt/base/source_location.h"
#include "voigt/math/types.h"
#include "voigt/model/reaction_friction.h"
#include "voigt/model/time_function.h"

// What a user says about constraints that are neither joints nor contacts: plain data, checked by
// ModelBuilder. Points and directions are fixed to bodies and given in their frames; directions may
// have any length but zero.
namespace voigt {

// A point of a body; "world" is a body too.
struct PointOnBody {
  std::string body = "world";
  Vec3 point = Vec3::Zero();
};

// A quantity that is to be zero, or kept on one side of it.
enum class Side { kBoth, kAbove, kBelow };

// The distance of two points, less `length`: a rod (both sides), a rope (below), or a least
// distance (above).
struct DistanceSpec {
  PointOnBody A, B;
  double length = 0;  // m
  Side side = Side::kBoth;
};

// Point B stays on the line through A along `direction`, which is fixed to A's body.
struct PointOnLineSpec {
  PointOnBody A, B;
  Vec3 direction = Vec3::UnitZ();
};

// Point B stays on the circle about A, across `normal`, which is fixed to A's body.
struct PointOnCircleSpec {
  PointOnBody A, B;
  Vec3 normal = Vec3::UnitZ();
  double radius = 0;  // m
};

// The height of point B over the plane through A with this normal, fixed to A's body.
struct PointInPlaneSpec {
  PointOnBody A, B;
  Vec3 normal = Vec3::UnitZ();
  Side side = Side::kBoth;
};

// A coordinate or a rate of a joint, times a factor.
struct JointTerm {
  std::string joint;
  int dof = 0;
  double factor = 1;
};

// Σ factor q = offset + Σ curve[k] x^(k+2), for scalar coordinates; x = Σ factor q − zero over the
// terms of `argument`. Without a curve these are gears, with one it is a cam.
struct CouplerSpec {
  std::vector<JointTerm> terms;
  double offset = 0;
  std::vector<JointTerm> argument = {};
  double zero = 0;
  std::vector<double> curve = {};
};

// Holds a joint of any type at these coordinates; at zero if there are none.
struct JointLockSpec {
  std::string joint;
  std::vector<double> at;
};

// A ball of radius `radius` about B, or with `axis` a disc about that axis of B's body, rolls
// without slip on the plane through A. With `touch`, it is held to the plane too.
struct RollingSpec {
  PointOnBody A, B;
  Vec3 normal = Vec3::UnitZ();  // of the plane, on the side of the wheel
  double radius = 0;            // m
  std::optional<Vec3> axis;
  bool touch = true;
};

// Point B has no velocity along `direction`, fixed to B's body, relative to the body `on`.
struct KnifeEdgeSpec {
  PointOnBody B;
  Vec3 direction = Vec3::UnitY();
  std::string on = "world";
};

// Σ factor v = speed(t), for rates of joints of any type.
struct ConstantSpeedSpec {
  std::vector<JointTerm> terms;
  TimeFunction speed;
};

// Point B is at position(t) in the frame of the body `on`.
struct PrescribedPointSpec {
  PointOnBody B;
  std::string on = "world";
  std::array<TimeFunction, 3> position;  // m
};

struct ConstraintSpec {
  std::string name;
  std::variant<DistanceSpec, PointOnLineSpec, PointOnCircleSpec, PointInPlaneSpec, CouplerSpec,
               JointLockSpec, RollingSpec, KnifeEdgeSpec, ConstantSpeedSpec, PrescribedPointSpec>
      kind;
  // Rigid by default. Constraints of velocities (rolling, knife edge, constant speed) have no
  // stiffness: they are rigid, or dampers with stiffness 0. The touch of a wheel is always rigid.
  double stiffness = kInfinity;  // N/m or N m/rad
  double damping = 0;            // N s/m or N m s/rad
  SourceLocation where;
  ReactionFriction friction = {};  // of points on lines, on circles and in planes
};

}  // namespace voigt
