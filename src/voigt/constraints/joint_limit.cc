#include "voigt/constraints/joint_limit.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

namespace voigt {
namespace {

double HintOf(double lower, double upper) {
  if (std::isfinite(lower) && std::isfinite(upper)) return lower + (upper - lower) / 2;
  return std::isfinite(lower) ? lower : upper;
}

class JointLimit final : public Constraint {
 public:
  JointLimit(const Model& model, const JointRows& rows)
      : Constraint(fmt::format("limits of joint '{}'", rows.joint(model).name),
                   rows.joint(model).where),
        joint_(rows) {}

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Joint& joint = joint_.joint(at.model);
    const Compliance compliance{joint.limit_stiffness, joint.limit_damping};
    for (int k = 0; k < joint_.dof_count(); ++k) {
      const double lower = joint.lower[k], upper = joint.upper[k];
      if (!std::isfinite(lower) && !std::isfinite(upper)) continue;
      const double q = joint_.CalcCoordinate(at, k, HintOf(lower, upper));
      const auto add = [&](double phi, double sign) {
        joint_.BeginOne(Law::kUnilateral, k, rows);
        SetUnilateralSpring(compliance, at.h, at.recovery_speed,
                            joint_.AddOne(at, k, sign, phi, rows), at.stabilization.contacts);
      };
      if (std::isfinite(lower)) add(q - lower, 1);
      if (std::isfinite(upper)) add(upper - q, -1);
    }
  }

 private:
  JointRows joint_;
};

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

std::shared_ptr<const Constraint> MakeJointLimit(const Model& model, const JointRows& joint) {
  return std::make_shared<JointLimit>(model, joint);
}

std::shared_ptr<const Constraint> MakeConeLimit(const Model& model, const JointRows& joint) {
  return std::make_shared<ConeLimit>(model, joint);
}

}  // namespace voigt
