#include "voigt/constraints/servo.h"

#include <fmt/format.h>

#include <vector>

#include "voigt/constraints/drive_bounds.h"

namespace voigt {
namespace {

class ServoConstraint final : public Constraint {
 public:
  ServoConstraint(const Model& model, const Servo& servo)
      : Constraint(fmt::format("servo '{}'", servo.name), servo.where),
        joint_(*JointRows::Find(model, servo.joint)),
        target_(CompileFunctions(servo.target)),
        rate_(CompileFunctions(servo.target_rate)),
        bounds_(joint_, servo) {
    for (int k = 0; k < joint_.dof_count(); ++k) {
      compliance_.push_back({PickForDof(servo.stiffness, k, 0), PickForDof(servo.damping, k, 0)});
    }
  }

  std::optional<EnergyLine> energy_line() const override { return EnergyLine::kServos; }

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

}  // namespace

std::shared_ptr<const Constraint> MakeServo(const Model& model, const Servo& servo) {
  return std::make_shared<ServoConstraint>(model, servo);
}

}  // namespace voigt
