#include "voigt/dynamics/applied_loads.h"

#include "voigt/base/check.h"
#include "voigt/dynamics/jacobian.h"

namespace voigt {

AppliedLoads::AppliedLoads(const Model& model)
    : tau_(VecX::Zero(model.nv())), F_ext_(model.nb(), Vec6::Zero()) {
  for (const BodyLoad& load : model.body_loads()) {
    OnBody& entry = on_bodies_.emplace_back();
    entry.body = *model.FindBody(load.body);
    entry.point = load.point;
    entry.frame = load.frame;
    for (const TimeFunction& torque : load.torque) entry.components.emplace_back(torque);
    for (const TimeFunction& force : load.force) entry.components.emplace_back(force);
  }
  for (const JointLoad& load : model.joint_loads()) {
    const auto body = model.FindJoint(load.joint);
    if (!body) continue;  // a loop joint: its forces belong to the constraint
    for (size_t k = 0; k < load.force.size(); ++k) {
      on_dofs_.push_back(
          {model.tree().v_start[*body] + static_cast<int>(k), CompiledTimeFunction(load.force[k])});
    }
  }
}

void AppliedLoads::AddForce(const Model& model, const Kinematics& kin, int body, const Vec3& p_W,
                            const Vec6& F) {
  AddJacobianTransposed(model, kin, body, p_W, F, &tau_);
  F_ext_[body] += ShiftForce(F, p_W - kin.X_WL[body].p);
  loaded_.push_back(body);
}

void AppliedLoads::Update(const Model& model, const Kinematics& kin, const Inputs& inputs,
                          double t) {
  tau_.setZero();
  for (int body : loaded_) F_ext_[body].setZero();
  loaded_.clear();
  for (const OnBody& load : on_bodies_) {
    Vec6 F;
    for (int i = 0; i < 6; ++i) F[i] = load.components[i](t);
    const Pose X_WB = CalcBodyPose(model, kin, load.body);
    if (load.frame == LoadFrame::kBody) {
      F.head<3>() = X_WB.R * Vec3(F.head<3>());
      F.tail<3>() = X_WB.R * Vec3(F.tail<3>());
    }
    AddForce(model, kin, load.body, X_WB * load.point, F);
  }
  for (const OnDof& load : on_dofs_) tau_[load.dof] += load.force(t);

  for (const AppliedWrench& wrench : inputs.wrenches) {
    VOIGT_CHECK(wrench.body >= 0 && wrench.body < model.nb());
    Vec6 F;
    F << wrench.torque, wrench.force;
    AddForce(model, kin, wrench.body, CalcBodyPose(model, kin, wrench.body) * wrench.point, F);
  }
  if (inputs.joint_force.size() == 0) return;
  VOIGT_CHECK(inputs.joint_force.size() == tau_.size());
  tau_ += inputs.joint_force;
}

}  // namespace voigt
