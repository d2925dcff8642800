#include "voigt/dynamics/drive_forces.h"

#include <algorithm>

namespace voigt {

bool IsAppliedAsForce(const Model& model, int actuator) {
  const ActuatorSpec& spec = model.actuators()[actuator];
  const std::vector<JointTerm>& terms = model.transmission(actuator);
  for (const JointTerm& term : terms) {
    const auto body = model.FindJoint(term.joint);
    if (!body) return false;
    if (spec.has_feedback() && HasQuaternion(model.joint(*body).type)) return false;
  }
  return !spec.has_feedback() || (terms.size() == 1 && !spec.force_range.is_bounded());
}

DriveForces::DriveForces(const Model& model)
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
      const int dof = tree.v_start[*body] + k;
      const TimeFunction rate = servo.target_rate.empty() ? TimeFunction(0) : servo.target_rate[k];
      servos_.push_back({dof, tree.q_start[*body] + k, pick(servo.stiffness, k),
                         pick(servo.damping, k), CompiledTimeFunction(servo.target[k]),
                         CompiledTimeFunction(rate)});
      UseDof(dof, tree.q_start[*body] + k);
      has_feedback_ = true;
    }
  }
  for (int i = 0; i < model.actuator_count(); ++i) {
    if (!IsAppliedAsForce(model, i)) continue;
    const bool has_feedback = model.actuators()[i].has_feedback();
    has_feedback_ = has_feedback_ || has_feedback;
    for (const JointTerm& term : model.transmission(i)) {
      const int body = *model.FindJoint(term.joint);
      const int dof = tree.v_start[body] + term.dof;
      const int coordinate = has_feedback ? tree.q_start[body] + term.dof : -1;
      actuators_.push_back({i, dof, coordinate, term.factor});
      UseDof(dof, coordinate);
    }
  }
}

void DriveForces::UseDof(int dof, int coordinate) {
  const auto known = std::find(dofs_.begin(), dofs_.end(), dof);
  if (known == dofs_.end()) {
    dofs_.push_back(dof);
    coordinates_.push_back(coordinate);
  } else if (coordinate >= 0) {
    coordinates_[known - dofs_.begin()] = coordinate;
  }
}

void DriveForces::Update(const Model& model, double t, const VecX& drive, const VecX& q,
                         const VecX& v) {
  for (int dof : dofs_) offset_[dof] = stiffness_[dof] = damping_[dof] = 0;
  for (ServoDof& servo : servos_) {
    servo.offset = servo.stiffness * servo.target(t) + servo.damping * servo.rate(t);
    offset_[servo.dof] += servo.offset;
    stiffness_[servo.dof] += servo.stiffness;
    damping_[servo.dof] += servo.damping;
  }
  for (const ActuatorDof& entry : actuators_) {
    const ActuatorSpec& actuator = model.actuators()[entry.actuator];
    SpringForce force = CalcActuatorForce(actuator, drive[entry.actuator]);
    if (entry.coordinate < 0) {
      offset_[entry.dof] += entry.gear * actuator.force_range.Clamp(force.offset);
      continue;
    }
    force = force.MakeStable(entry.gear * q[entry.coordinate], entry.gear * v[entry.dof]);
    offset_[entry.dof] += entry.gear * force.offset;
    stiffness_[entry.dof] += entry.gear * entry.gear * force.stiffness;
    damping_[entry.dof] += entry.gear * entry.gear * force.damping;
  }
}

void DriveForces::AddForces(const VecX& q, const VecX& v, VecX* tau) const {
  for (size_t i = 0; i < dofs_.size(); ++i) {
    const int dof = dofs_[i];
    const double x = coordinates_[i] < 0 ? 0 : q[coordinates_[i]];
    (*tau)[dof] += offset_[dof] - stiffness_[dof] * x - damping_[dof] * v[dof];
  }
}

double DriveForces::CalcServoWork(const VecX& q, const VecX& v1, const VecX& path, double h) const {
  double work = 0;
  for (const ServoDof& servo : servos_) {
    const double rate = v1[servo.dof];
    // Servos of ball joints have no stiffness, and no coordinate.
    const double spring =
        servo.stiffness == 0 ? 0 : servo.stiffness * (q[servo.coordinate] + h * rate);
    work += (servo.offset - spring - servo.damping * rate) * path[servo.dof];
  }
  return work;
}

}  // namespace voigt
