#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "voigt/base/source_location.h"
#include "voigt/math/pose.h"
#include "voigt/model/drive_safety.h"
#include "voigt/model/reaction_friction.h"

namespace voigt {

// A joint lets a frame M, fixed to its child body, move relative to a frame F, fixed to its parent
// body. Coordinates q place M in F, rates v move it; q = 0 (identity quaternion) makes M and F
// coincide.
//
//   type         q                                   v                              nq  nv
//   fixed        –                                   –                               0   0
//   revolute     angle about z                       rate                            1   1
//   prismatic    displacement along z                rate                            1   1
//   screw        angle about z; rises pitch·q        rate                            1   1
//   cylindrical  angle about z, displacement along z rates                           2   2
//   universal    angle about x of F, about y of M    rates                           2   2
//   planar       x, y, angle about z                 rates                           3   3
//   ball         unit quaternion of R_FM             ω of M in F, in axes of M       4   3
//   free         p_FM, unit quaternion of R_FM       ṗ_FM, ω of M in F in axes of M  7   6
enum class JointType {
  kFixed,
  kRevolute,
  kPrismatic,
  kScrew,
  kCylindrical,
  kUniversal,
  kPlanar,
  kBall,
  kFree,
};

inline constexpr int kJointTypeCount = 9;
inline constexpr int kMaxJointDofs = 6;

// Sizes of q and v.
int CoordinateCount(JointType type);
int DofCount(JointType type);

// Ball and free joints turn by a quaternion; it starts at this place of q, the rotation at the same
// place of v. All other joints have one scalar coordinate per rate.
inline bool HasQuaternion(JointType type) {
  return type == JointType::kBall || type == JointType::kFree;
}
inline int QuaternionStart(JointType type) { return type == JointType::kFree ? 3 : 0; }

// True if rate `dof` is that of an angle, false for a displacement.
bool IsAngularDof(JointType type, int dof);

std::string_view ToString(JointType type);
std::optional<JointType> JointTypeFromString(std::string_view name);

// Whether the builder may choose if a joint belongs to the spanning tree.
enum class TreeChoice { kAuto, kTree, kLoop };

// A joint as the user describes it. Lists over degrees of freedom are empty (meaning none or
// zero), or hold one value for all, or one value per degree of freedom.
struct JointSpec {
  std::string name;
  JointType type = JointType::kFixed;
  std::string parent = "world";
  std::string child;
  Pose X_PF;  // F in the parent body's frame
  Pose X_CM;  // M in the child body's frame

  // Directions in F and M: the z axis of one-axis joints and the normal of a planar joint; for a
  // universal joint the x axis, with axis2 the y axis. They turn both frames alike.
  std::optional<Vec3> axis, axis2;
  double pitch = 0;  // screw: m per rad

  std::vector<double> lower, upper;    // limits of q: m or rad; joints with scalar coordinates
  std::optional<double> cone_limit;    // ball: largest angle between the z axes of F and M, rad
  double limit_stiffness = kInfinity;  // of all these limits: N/m or N m/rad; infinite is rigid
  double limit_damping = 0;            // N s/m or N m s/rad
  std::vector<double> stiffness;       // spring, N/m or N m/rad
  std::vector<double> rest;            // where the spring is relaxed: nq values, or empty for q = 0
  std::vector<double> damping;         // N s/m or N m s/rad
  std::vector<double> armature;        // inertia of drive or rotor seen by the rate, kg or kg m²
  std::vector<double> dry_friction;    // largest friction force, N or N m
  std::vector<double> viscous_friction;  // N s/m or N m s/rad
  // Viscous friction is no damper but widens the bounds of dry friction, ± (dry + viscous |rate|).
  bool viscous_in_bounds = false;
  ReactionFriction reaction_friction;  // of revolute, prismatic and ball joints

  bool bodies_touch = false;  // whether the two bodies may touch each other
  TreeChoice tree = TreeChoice::kAuto;
  // Of the joint itself where it closes a loop: N/m for its translations, N m/rad for its
  // rotations. Joints of the tree are rigid by construction.
  double loop_stiffness = kInfinity;
  double loop_damping = 0;
  // Of its rotations, where these are to be held otherwise: N m/rad, N m s/rad.
  std::optional<double> loop_angular_stiffness, loop_angular_damping;

  // What its motor can give: bounds servos, motors and actuators on this joint that have no limit
  // of their own, N or N m.
  double drive_limit = kInfinity;
  std::optional<DriveSafety> drive_safety;  // of a joint with one degree of freedom
  SourceLocation where;
};

}  // namespace voigt
