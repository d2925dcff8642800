#include "voigt/constraints/motor.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "voigt/constraints/drive_bounds.h"
#include "voigt/constraints/time_rates.h"

namespace voigt {
namespace {

class MotorConstraint final : public Constraint {
 public:
  MotorConstraint(const Model& model, const Motor& motor)
      : Constraint(fmt::format("motor '{}'", motor.name), motor.where),
        joint_(*JointRows::Find(model, motor.joint)),
        rate_(CompileFunctions(motor.rate)),
        bounds_(joint_, motor) {
    for (int k = 0; k < joint_.dof_count(); ++k) {
      gain_.push_back(PickForDof(motor.gain, k, kInfinity));
    }
  }

  bool IsPrescribed() const override {
    return std::any_of(rate_.begin(), rate_.end(), [](const CompiledTimeFunction& rate) {
      return !rate.is_constant() || rate(0) != 0;
    });
  }
  bool AddTimeRates(const ConstraintContext& at, std::vector<TimeRates>* out) const override {
    for (const CompiledTimeFunction& rate : rate_) AddRatesOfSpeed(rate, at.t, out);
    return true;
  }

  std::optional<EnergyLine> energy_line() const override { return EnergyLine::kMotors; }

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

}  // namespace

std::shared_ptr<const Constraint> MakeMotor(const Model& model, const Motor& motor) {
  return std::make_shared<MotorConstraint>(model, motor);
}

}  // namespace voigt
