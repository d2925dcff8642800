#include "tests/mujoco/mujoco_import.h"

#include <fmt/format.h>

#include "voigt/math/rotation.h"
#include "voigt/model/model_builder.h"

namespace voigt::testing {
namespace {

Vec3 ToVec3(const mjtNum* p) { return {p[0], p[1], p[2]}; }
Mat3 ToRotation(const mjtNum* q) { return QuaternionToMatrix({q[0], q[1], q[2], q[3]}); }

std::string BodyName(int b) { return b == 0 ? "world" : fmt::format("body{}", b); }

BodySpec MakeBody(const mjModel* m, int b) {
  BodySpec body;
  body.name = BodyName(b);
  body.mass_source = MassSource::kExplicit;
  const Mat3 R = ToRotation(m->body_iquat + 4 * b);
  body.mass = {m->body_mass[b], ToVec3(m->body_ipos + 3 * b),
               R * ToVec3(m->body_inertia + 3 * b).asDiagonal() * R.transpose()};
  return body;
}

JointSpec MakeJoint(const mjModel* m, int j) {
  JointSpec joint;
  joint.name = fmt::format("joint{}", j);
  joint.armature = {m->dof_armature[m->jnt_dofadr[j]]};
  switch (m->jnt_type[j]) {
    case mjJNT_FREE:
      joint.type = JointType::kFree;
      return joint;
    case mjJNT_BALL:
      joint.type = JointType::kBall;
      break;
    case mjJNT_SLIDE:
      joint.type = JointType::kPrismatic;
      joint.axis = ToVec3(m->jnt_axis + 3 * j);
      break;
    default:
      joint.type = JointType::kRevolute;
      joint.axis = ToVec3(m->jnt_axis + 3 * j);
  }
  joint.X_PF.p = joint.X_CM.p = ToVec3(m->jnt_pos + 3 * j);
  return joint;
}

}  // namespace

Model ImportMujocoTree(const mjModel* m) {
  ModelBuilder builder;
  builder.spec().gravity = ToVec3(m->opt.gravity);
  for (int b = 1; b < m->nbody; ++b) {
    builder.AddBody(MakeBody(m, b));
    // The body's pose with all joints at their reference, then the joints one after another, each
    // about a point of the body.
    Pose X_PB{ToRotation(m->body_quat + 4 * b), ToVec3(m->body_pos + 3 * b)};
    std::string parent = BodyName(m->body_parentid[b]);
    const int count = m->body_jntnum[b];
    if (count == 0) {
      JointSpec weld;
      weld.name = fmt::format("weld{}", b);
      weld.parent = parent;
      weld.child = BodyName(b);
      weld.X_PF = X_PB;
      builder.AddJoint(weld);
    }
    for (int i = 0; i < count; ++i) {
      JointSpec joint = MakeJoint(m, m->body_jntadr[b] + i);
      joint.parent = parent;
      joint.child = i + 1 == count ? BodyName(b) : fmt::format("body{}_{}", b, i);
      // A free joint's coordinates are the pose in the world itself.
      if (joint.type != JointType::kFree) joint.X_PF = X_PB * joint.X_PF;
      X_PB = Pose{};
      if (i + 1 < count) {
        BodySpec link;
        link.name = joint.child;
        link.mass_source = MassSource::kMassless;
        builder.AddBody(link);
      }
      parent = joint.child;
      builder.AddJoint(joint);
    }
  }
  return builder.Build();
}

}  // namespace voigt::testing
