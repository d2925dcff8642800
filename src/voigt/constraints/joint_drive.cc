#include "voigt/constraints/joint_drive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "voigt/constraints/joint_rows.h"

namespace voigt {
namespace {

// One value for all degrees of freedom, one for each, or none.
double Pick(const std::vector<double>& list, int k, double none) {
  return list.empty() ? none : list.size() == 1 ? list[0] : list[k];
}

std::vector<CompiledTimeFunction> Compile(const std::vector<TimeFunction>& functions) {
  std::vector<CompiledTimeFunction> out;
  for (const TimeFunction& function : functions) out.emplace_back(function);
  return out;
}

// Of the force of a drive, which safety narrows by the state at the start of the step.
class DriveBounds {
 public:
  template <typename Drive>
  DriveBounds(const JointRows& joint, const Drive& drive)
      : joint_(joint), is_limited_(!drive.force_limit.empty()), safety_(drive.safety) {
    for (int k = 0; k < joint.dof_count(); ++k) {
      limit_.push_back(Pick(drive.force_limit, k, kInfinity));
    }
  }

  Law law() const { return is_limited_ ? Law::kBounded : Law::kBilateral; }

  // Of the row that was written last.
  void Set(const ConstraintContext& at, int k, RowWriter* rows, Row* row) const {
    if (!is_limited_) return;
    row->upper = at.h * limit_[k];
    row->lower = -row->upper;
    if (!safety_) return;
    const double v = rows->CalcRate(at.v);
    const double lower = CalcForce(at, k, v, safety_->lower, -1);
    const double upper = CalcForce(at, k, v, safety_->upper, 1);
    row->lower = std::clamp(at.h * lower, row->lower, row->upper);
    row->upper = std::clamp(at.h * upper, row->lower, row->upper);
  }

 private:
  // That brings the joint to the speed with which it may move towards a soft limit.
  double CalcForce(const ConstraintContext& at, int k, double v, double soft, double sign) const {
    double speed = sign * safety_->speed;
    if (safety_->k_position > 0) {
      const double q = joint_.CalcCoordinate(at, k, std::isfinite(soft) ? soft : 0);
      speed = std::clamp(-safety_->k_position * (q - soft), -safety_->speed, safety_->speed);
    }
    return -safety_->k_velocity * (v - speed);
  }

  JointRows joint_;
  bool is_limited_;
  std::optional<DriveSafety> safety_;
  std::vector<double> limit_;
};

class ServoConstraint final : public Constraint {
 public:
  ServoConstraint(const Model& model, const Servo& servo)
      : Constraint(fmt::format("servo '{}'", servo.name), servo.where),
        joint_(*JointRows::Find(model, servo.joint)),
        target_(Compile(servo.target)),
        rate_(Compile(servo.target_rate)),
        bounds_(joint_, servo) {
    for (int k = 0; k < joint_.dof_count(); ++k) {
      compliance_.push_back({Pick(servo.stiffness, k, 0), Pick(servo.damping, k, 0)});
    }
  }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    for (int k = 0; k < joint_.dof_count(); ++k) {
      if (compliance_[k].is_absent()) continue;
      const double target = target_[k](at.t + at.h);
      const double rate = rate_.empty() ? 0 : rate_[k](at.t + at.h);
      const double phi = joint_.CalcCoordinate(at, k, target) - target + at.h * rate;
      joint_.BeginOne(bounds_.law(), k, rows);
      Row* const row = joint_.AddOne(at, k, 1, phi, rows);
      row->phi_t = -rate;
      SetSpring(compliance_[k], at.h, row);
      bounds_.Set(at, k, rows, row);
    }
  }

 private:
  JointRows joint_;
  std::vector<CompiledTimeFunction> target_, rate_;
  DriveBounds bounds_;
  std::vector<Compliance> compliance_;
};

class MotorConstraint final : public Constraint {
 public:
  MotorConstraint(const Model& model, const Motor& motor)
      : Constraint(fmt::format("motor '{}'", motor.name), motor.where),
        joint_(*JointRows::Find(model, motor.joint)),
        rate_(Compile(motor.rate)),
        bounds_(joint_, motor) {
    for (int k = 0; k < joint_.dof_count(); ++k) {
      gain_.push_back(Pick(motor.gain, k, kInfinity));
    }
  }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    for (int k = 0; k < joint_.dof_count(); ++k) {
      joint_.BeginOne(bounds_.law(), k, rows);
      Row* const row = joint_.AddOne(at, k, 1, 0, rows);
      SetVelocityRow(rate_[k](at.t + at.h), gain_[k], at.h, row);
      bounds_.Set(at, k, rows, row);
    }
  }

 private:
  JointRows joint_;
  std::vector<CompiledTimeFunction> rate_;
  DriveBounds bounds_;
  std::vector<double> gain_;
};

std::string NamePrescribed(const PrescribedJoint& motion) {
  return fmt::format("prescribed motion '{}'", motion.name);
}

class PrescribedJointConstraint final : public Constraint {
 public:
  PrescribedJointConstraint(const Model& model, const PrescribedJoint& motion)
      : Constraint(NamePrescribed(motion), motion.where),
        joint_(*JointRows::Find(model, motion.joint)),
        position_(Compile(motion.position)),
        compliance_{motion.stiffness, motion.damping} {}

  bool IsHolonomic() const override { return true; }
  bool IsPrescribed() const override { return !AreConstant(position_); }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    for (int k = 0; k < joint_.dof_count(); ++k) {
      const double s0 = position_[k](at.t), s1 = position_[k](at.t + at.h);
      joint_.BeginOne(Law::kBilateral, k, rows);
      Row* const row = joint_.AddOne(at, k, 1, joint_.CalcCoordinate(at, k, s0) - s0, rows);
      row->phi_t = -(s1 - s0) / at.h;
      SetSpring(compliance_, at.h, row);
    }
  }

 private:
  JointRows joint_;
  std::vector<CompiledTimeFunction> position_;
  Compliance compliance_;
};

}  // namespace

std::shared_ptr<const Constraint> MakeServo(const Model& model, const Servo& servo) {
  return std::make_shared<ServoConstraint>(model, servo);
}

std::shared_ptr<const Constraint> MakeMotor(const Model& model, const Motor& motor) {
  return std::make_shared<MotorConstraint>(model, motor);
}

std::shared_ptr<const Constraint> MakePrescribedJoint(const Model& model,
                                                      const PrescribedJoint& motion) {
  return std::make_shared<PrescribedJointConstraint>(model, motion);
}

bool IsPrescribedInTree(const Model& model, const Constraint& constraint) {
  const auto& motions = model.spec().prescribed_joints;
  return std::any_of(motions.begin(), motions.end(), [&](const PrescribedJoint& motion) {
    return constraint.name() == NamePrescribed(motion) && model.FindJoint(motion.joint) &&
           motion.stiffness == kInfinity;
  });
}

}  // namespace voigt
