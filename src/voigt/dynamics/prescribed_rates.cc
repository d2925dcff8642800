#include "voigt/dynamics/prescribed_rates.h"

#include <algorithm>

namespace voigt {

PrescribedRates::PrescribedRates(const Model& model) : flags_(model.nv(), 0) {
  for (const PrescribedJoint& motion : model.spec().prescribed_joints) {
    const auto body = model.FindJoint(motion.joint);
    if (!body || motion.stiffness != kInfinity) continue;
    const Tree& tree = model.tree();
    const int q = tree.q_start[*body], v = tree.v_start[*body];
    std::fill_n(flags_.begin() + v, tree.dof_count[*body], char{1});
    motions_.push_back({q, v, PrescribedMotion(model.joint(*body).type, motion.position)});
  }
}

void PrescribedRates::SetAccelerations(double t, VecX* v_dot) const {
  for (const Motion& motion : motions_) {
    motion.of_joint.CalcAccelerations(t, v_dot->data() + motion.v);
  }
}

void PrescribedRates::SetMotion(double t, VecX* q, VecX* v) const {
  for (const Motion& motion : motions_) {
    const JointType type = motion.of_joint.type();
    const int turn = motion.q + QuaternionStart(type);
    const Vec4 before = HasQuaternion(type) ? Vec4(q->segment<4>(turn)) : Vec4::Zero();
    motion.of_joint.CalcCoordinates(t, q->data() + motion.q);
    motion.of_joint.CalcRates(t, v->data() + motion.v);
    if (HasQuaternion(type) && before.dot(q->segment<4>(turn)) < 0) q->segment<4>(turn) *= -1;
  }
}

double PrescribedRates::CalcMiss(double t, const VecX& q, const VecX& v, double small) const {
  double worst = 0;
  for (const Motion& motion : motions_) {
    const double miss =
        motion.of_joint.CalcMiss(t, q.data() + motion.q, v.data() + motion.v, small);
    worst = std::max(worst, miss);
  }
  return worst;
}

}  // namespace voigt
