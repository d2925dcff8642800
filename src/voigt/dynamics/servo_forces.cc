#include "voigt/dynamics/servo_forces.h"

#include <algorithm>

namespace voigt {

ServoForces::ServoForces(const Model& model)
    : stiffness_(VecX::Zero(model.nv())),
      damping_(VecX::Zero(model.nv())),
      offset_(VecX::Zero(model.nv())) {
  const Tree& tree = model.tree();
  const auto pick = [](const auto& list, int k) {
    return list.empty() ? decltype(list[0] + 0)(0) : list.size() == 1 ? list[0] : list[k];
  };
  for (const Servo& servo : model.servos()) {
    const auto body = model.FindJoint(servo.joint);
    // Drives of loop joints and those with a force limit belong to the constraints.
    if (!body || !servo.force_limit.empty()) continue;
    for (int k = 0; k < tree.dof_count[*body]; ++k) {
      const int dof = tree.v_start[*body] + k, coordinate = tree.q_start[*body] + k;
      const TimeFunction rate = servo.target_rate.empty() ? TimeFunction(0) : servo.target_rate[k];
      entries_.push_back({dof, pick(servo.stiffness, k), pick(servo.damping, k),
                          CompiledTimeFunction(servo.target[k]), CompiledTimeFunction(rate)});
      stiffness_[dof] += entries_.back().stiffness;
      damping_[dof] += entries_.back().damping;
      if (std::find(dofs_.begin(), dofs_.end(), dof) != dofs_.end()) continue;
      dofs_.push_back(dof);
      coordinates_.push_back(coordinate);
    }
  }
}

void ServoForces::Update(double t) {
  for (int dof : dofs_) offset_[dof] = 0;
  for (const Entry& entry : entries_) {
    offset_[entry.dof] += entry.stiffness * entry.target(t) + entry.damping * entry.rate(t);
  }
}

void ServoForces::AddForces(const VecX& q, const VecX& v, VecX* tau) const {
  for (size_t i = 0; i < dofs_.size(); ++i) {
    const int dof = dofs_[i];
    (*tau)[dof] += offset_[dof] - stiffness_[dof] * q[coordinates_[i]] - damping_[dof] * v[dof];
  }
}

}  // namespace voigt
