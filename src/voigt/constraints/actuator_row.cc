#include "voigt/constraints/actuator_row.h"

#include <fmt/format.h>

#include "voigt/constraints/joint_sum.h"

namespace voigt {
namespace {

class ActuatorRow final : public Constraint {
 public:
  ActuatorRow(const Model& model, int actuator)
      : Constraint(fmt::format("actuator '{}'", model.actuators()[actuator].name),
                   model.actuators()[actuator].where),
        index_(actuator),
        sum_(model, model.transmission(actuator)) {}

  std::optional<EnergyLine> energy_line() const override { return EnergyLine::kActuators; }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const ActuatorSpec& actuator = at.model.actuators()[index_];
    const ValueRange& limits = actuator.force_range;
    const double l = sum_.CalcLength(at);
    const double a = at.drive == nullptr ? 0 : (*at.drive)[index_];
    SpringForce force = CalcActuatorForce(actuator, a);
    const bool is_explicit = force.stiffness < 0 || force.damping < 0;
    const bool is_bounded = limits.is_bounded() || (force.stiffness <= 0 && force.damping <= 0);
    Row* const row = sum_.AddRow(at, is_bounded ? Law::kBounded : Law::kBilateral, 1, l, rows);
    if (is_explicit) force = force.MakeStable(l, rows->CalcRate(at.v));
    if (is_bounded) {
      row->lower = at.h * limits.lower;
      row->upper = at.h * limits.upper;
    }
    if (force.is_constant()) {
      row->phi = 0;
      row->lower = row->upper = at.h * limits.Clamp(force.offset);
    } else if (force.stiffness > 0) {
      row->phi -= force.offset / force.stiffness;
      SetSpring({force.stiffness, force.damping}, at.h, row);
    } else {
      row->phi = 0;
      SetVelocityRow(force.offset / force.damping, force.damping, at.h, row);
    }
  }

 private:
  int index_;
  JointSum sum_;
};

}  // namespace

std::shared_ptr<const Constraint> MakeActuatorRow(const Model& model, int actuator) {
  return std::make_shared<ActuatorRow>(model, actuator);
}

}  // namespace voigt
