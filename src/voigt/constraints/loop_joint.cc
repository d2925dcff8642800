#include "voigt/constraints/loop_joint.h"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "voigt/constraints/joint_rows.h"
#include "voigt/math/rotation.h"
#include "voigt/model/joint_motion.h"

namespace voigt {
namespace {

// Which of the conditions a type of joint has.
struct Conditions {
  bool p_x = false, p_y = false, p_z = false;  // no displacement
  bool no_turn = false;                        // θ = 0
  bool parallel = false;                       // z_M along z_F
  bool perpendicular = false;                  // y_M to x_F
  bool pitch = false;
};

Conditions ConditionsOf(JointType type) {
  switch (type) {
    case JointType::kFixed:
      return {.p_x = true, .p_y = true, .p_z = true, .no_turn = true};
    case JointType::kRevolute:
      return {.p_x = true, .p_y = true, .p_z = true, .parallel = true};
    case JointType::kPrismatic:
      return {.p_x = true, .p_y = true, .no_turn = true};
    case JointType::kScrew:
      return {.p_x = true, .p_y = true, .parallel = true, .pitch = true};
    case JointType::kCylindrical:
      return {.p_x = true, .p_y = true, .parallel = true};
    case JointType::kUniversal:
      return {.p_x = true, .p_y = true, .p_z = true, .perpendicular = true};
    case JointType::kPlanar:
      return {.p_z = true, .parallel = true};
    case JointType::kBall:
      return {.p_x = true, .p_y = true, .p_z = true};
    case JointType::kFree:
      break;
  }
  return {};
}

class LoopJoint final : public Constraint {
 public:
  LoopJoint(const Model& model, int loop)
      : Constraint(fmt::format("joint '{}'", model.loops()[loop].name), model.loops()[loop].where),
        joint_(JointRows::OfLoop(model, loop)),
        conditions_(ConditionsOf(model.loops()[loop].type)),
        compliance_{model.loops()[loop].loop_stiffness, model.loops()[loop].loop_damping},
        angular_{model.loops()[loop].loop_angular_stiffness,
                 model.loops()[loop].loop_angular_damping} {}

  bool IsHolonomic() const override { return true; }

  std::optional<std::string> DescribeWrongBranch(const ConstraintContext& at) const override {
    if (!conditions_.parallel) return std::nullopt;
    const JointFrames frames = CalcJointFrames(at, joint_.joint(at.model));
    if (frames.X_WF.R.col(2).dot(frames.X_WM.R.col(2)) >= 0) return std::nullopt;
    return "the axes on its two bodies point in opposite directions: turn one of the frames";
  }

  // φ = 1 − z_F · z_M.
  void AddBranchRows(const ConstraintContext& at, RowWriter* rows) const override {
    if (!conditions_.parallel || !angular_.is_rigid()) return;
    const JointFrames frames = CalcJointFrames(at, joint_.joint(at.model));
    const Vec3 z_F = frames.X_WF.R.col(2), z_M = frames.X_WM.R.col(2);
    rows->BeginOnBodies(Law::kBilateral, frames.parent, frames.child);
    AddAngular(at, 1 - z_F.dot(z_M), z_F.cross(z_M), frames, rows);
  }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Joint& joint = joint_.joint(at.model);
    const JointFrames frames = CalcJointFrames(at, joint);
    rows->BeginOnBodies(Law::kBilateral, frames.parent, frames.child);
    AddTranslations(at, joint, frames, rows);
    if (conditions_.no_turn) AddRotationVector(at, frames, rows);
    if (conditions_.parallel) {
      AddPerpendicular(at, frames.X_WF.R.col(0), frames.X_WM.R.col(2), frames, rows);
      AddPerpendicular(at, frames.X_WF.R.col(1), frames.X_WM.R.col(2), frames, rows);
    }
    if (conditions_.perpendicular) {
      AddPerpendicular(at, frames.X_WF.R.col(0), frames.X_WM.R.col(1), frames, rows);
    }
  }

 private:
  void AddTranslations(const ConstraintContext& at, const Joint& joint, const JointFrames& frames,
                       RowWriter* rows) const {
    const Vec3 p_M = frames.X_WM.p, p = frames.X_WF.R.transpose() * (p_M - frames.X_WF.p);
    const bool held[] = {conditions_.p_x, conditions_.p_y, conditions_.p_z};
    for (int i = 0; i < 3; ++i) {
      if (!held[i]) continue;
      Row* const row = rows->AddWrench(p[i], p_M, Vec3::Zero(), frames.X_WF.R.col(i));
      SetSpring(compliance_, at.h, row);
    }
    if (!conditions_.pitch) return;
    // The rise tells how many turns the screw has made.
    const Vec3 z_F = frames.X_WF.R.col(2), z_M = frames.X_WM.R.col(2);
    double angle = 0;
    const double hint = 0;
    FitCoordinates(JointType::kScrew, joint.pitch, frames.X_WF.Inverse() * frames.X_WM, &hint,
                   &angle);
    const Vec3 torque = -joint.pitch * CalcAngleGradient(z_F, z_M);
    SetSpring(compliance_, at.h, rows->AddWrench(p[2] - joint.pitch * angle, p_M, torque, z_F));
  }

  void AddRotationVector(const ConstraintContext& at, const JointFrames& frames,
                         RowWriter* rows) const {
    const Mat3 R_FM = frames.X_WF.R.transpose() * frames.X_WM.R;
    const Vec3 theta = QuaternionLog(MatrixToQuaternion(R_FM));
    const Mat3 A = LogRateMatrix(theta);  // θ̇ = A ω, ω in axes of M
    for (int i = 0; i < 3; ++i) {
      const Vec3 torque = frames.X_WM.R * A.row(i).transpose();
      AddAngular(at, theta[i], torque, frames, rows);
    }
  }

  // φ = a_F · b_M.
  void AddPerpendicular(const ConstraintContext& at, const Vec3& a, const Vec3& b,
                        const JointFrames& frames, RowWriter* rows) const {
    AddAngular(at, a.dot(b), b.cross(a), frames, rows);
  }

  void AddAngular(const ConstraintContext& at, double phi, const Vec3& torque,
                  const JointFrames& frames, RowWriter* rows) const {
    Row* const row = rows->AddWrench(phi, frames.X_WM.p, torque, Vec3::Zero());
    row->angular = true;
    SetSpring(angular_, at.h, row);
  }

  JointRows joint_;
  Conditions conditions_;
  Compliance compliance_, angular_;  // of displacements and of rotations
};

}  // namespace

std::shared_ptr<const Constraint> MakeLoopJoint(const Model& model, int loop) {
  return std::make_shared<LoopJoint>(model, loop);
}

}  // namespace voigt
