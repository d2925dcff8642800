#include "voigt/dynamics/equations_of_motion.h"

#include "voigt/dynamics/joint_reactions.h"
#include "voigt/dynamics/joint_springs.h"

namespace voigt {

EquationsOfMotion::EquationsOfMotion(const Model& model)
    : model_(&model),
      kin_(model),
      loads_(model),
      drives_(model),
      actuation_(model),
      articulated_(model),
      newton_euler_(model),
      drive_force_(VecX::Zero(model.nv())),
      tau_(VecX::Zero(model.nv())),
      v_dot_(VecX::Zero(model.nv())) {}

void EquationsOfMotion::SetInputs(const Inputs& inputs, const VecX& activation) {
  inputs_ = inputs;
  activation_ = activation;
}

void EquationsOfMotion::UpdateForces(double t, const VecX& q, const VecX& v) {
  const Tree& tree = model_->tree();
  UpdatePositions(*model_, q, &kin_);
  UpdateVelocities(*model_, v, &kin_);
  loads_.Update(*model_, kin_, inputs_, t);
  actuation_.Update(*model_, inputs_, activation_, t, 0);
  drives_.Update(*model_, t, actuation_.drive(), q, v);

  // Everything that does work beyond the potentials first, then the springs.
  tau_ = loads_.tau();
  tau_.array() -= tree.damping.array() * v.array();
  drive_force_.setZero();
  drives_.AddForces(q, v, &drive_force_);
  tau_ += drive_force_;
  power_ = tau_.dot(v);
  AddSpringForces(*model_, q, &tau_);
}

void EquationsOfMotion::CalcAcceleration(double t, const VecX& q, const VecX& v, VecX* v_dot) {
  UpdateForces(t, q, v);
  UpdateArticulatedInertia(*model_, kin_, nullptr, &articulated_);
  CalcForwardDynamics(*model_, kin_, tau_, nullptr, &articulated_, v_dot);
}

void EquationsOfMotion::CalcAcceleration(double t, const VecX& q, const VecX& v,
                                         const PrescribedRates& prescribed, VecX* v_dot) {
  if (!prescribed.any()) return CalcAcceleration(t, q, v, v_dot);
  UpdateForces(t, q, v);
  UpdateArticulatedInertia(*model_, kin_, &prescribed.flags(), &articulated_);
  prescribed.SetAccelerations(t, v_dot);
  tau_hybrid_ = tau_;
  CalcHybridDynamics(*model_, kin_, prescribed.flags(), nullptr, &articulated_, &tau_hybrid_,
                     v_dot);
}

void EquationsOfMotion::CalcReactions(double t, const VecX& q, const VecX& v,
                                      std::vector<Vec6>* reactions) {
  CalcAcceleration(t, q, v, &v_dot_);
  CalcInverseDynamics(*model_, kin_, &v_dot_, &loads_.F_ext(), &newton_euler_, &tau_);
  reactions->assign(model_->nb(), Vec6::Zero());
  for (int b = 1; b < model_->nb(); ++b) {
    (*reactions)[b] = CalcJointReaction(*model_, kin_, newton_euler_, b);
  }
}

}  // namespace voigt
