#include "voigt/dynamics/prescribed_rates.h"

namespace voigt {

PrescribedRates::PrescribedRates(const Model& model) : flags_(model.nv(), 0) {
  for (const PrescribedJoint& motion : model.spec().prescribed_joints) {
    const auto body = model.FindJoint(motion.joint);
    if (!body || motion.stiffness != kInfinity) continue;
    const Tree& tree = model.tree();
    for (int k = 0; k < tree.dof_count[*body]; ++k) {
      flags_[tree.v_start[*body] + k] = 1;
      motions_.push_back({tree.q_start[*body] + k, tree.v_start[*body] + k,
                          CompiledTimeFunction(motion.position[k])});
    }
  }
}

void PrescribedRates::SetAccelerations(double t, VecX* v_dot) const {
  for (const Motion& motion : motions_) (*v_dot)[motion.v] = motion.position.CalcJet(t).curvature;
}

void PrescribedRates::SetMotion(double t, VecX* q, VecX* v) const {
  for (const Motion& motion : motions_) {
    (*q)[motion.q] = motion.position(t);
    (*v)[motion.v] = motion.position.CalcJet(t).rate;
  }
}

}  // namespace voigt
