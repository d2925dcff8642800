#include "voigt/constraints/cone_limit.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

namespace voigt {
namespace {

class ConeLimit final : public Constraint {
 public:
  ConeLimit(const Model& model, const JointRows& rows)
      : Constraint(fmt::format("cone limit of joint '{}'", rows.joint(model).name),
                   rows.joint(model).where),
        joint_(rows) {}

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Joint& joint = joint_.joint(at.model);
    const JointFrames frames = CalcJointFrames(at, joint);
    const Vec3 z_F = frames.X_WF.R.col(2), z_M = frames.X_WM.R.col(2);
    const Vec3 cross = z_F.cross(z_M);
    const double sine = cross.norm(), theta = std::atan2(sine, z_F.dot(z_M));
    // At θ = 0 and π every axis across is as good as another.
    const Vec3 axis = sine > 0 ? Vec3(cross / sine) : Vec3(frames.X_WF.R.col(0));
    rows->BeginOnBodies(Law::kUnilateral, frames.parent, frames.child);
    Row* const row = rows->AddWrench(*joint.cone_limit - theta, frames.X_WM.p, -axis, Vec3::Zero());
    row->angular = true;
    SetUnilateralSpring({joint.limit_stiffness, joint.limit_damping}, at.h, at.recovery_speed, row,
                        at.stabilization.contacts);
  }

 private:
  JointRows joint_;
};

}  // namespace

std::shared_ptr<const Constraint> MakeConeLimit(const Model& model, const JointRows& joint) {
  return std::make_shared<ConeLimit>(model, joint);
}

}  // namespace voigt
