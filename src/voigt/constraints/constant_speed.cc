#include "voigt/constraints/constant_speed.h"

#include <fmt/format.h>

#include "voigt/constraints/joint_sum.h"
#include "voigt/constraints/time_rates.h"

namespace voigt {
namespace {

class ConstantSpeed final : public Constraint {
 public:
  ConstantSpeed(const Model& model, const ConstraintSpec& spec, const ConstantSpeedSpec& kind)
      : Constraint(fmt::format("constraint '{}'", spec.name), spec.where),
        sum_(model, kind.terms),
        speed_(kind.speed),
        damping_(spec.damping > 0 ? spec.damping : kInfinity) {}

  bool IsPrescribed() const override { return !speed_.is_constant() || speed_(0) != 0; }
  bool AddTimeRates(const ConstraintContext& at, std::vector<TimeRates>* out) const override {
    AddRatesOfSpeed(speed_, at.t, out);
    return true;
  }

  std::optional<EnergyLine> energy_line() const override { return EnergyLine::kPrescribed; }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    SetVelocityRow(speed_(at.t + at.h), damping_, at.h,
                   sum_.AddRow(at, Law::kBilateral, 1, 0, rows));
  }

 private:
  JointSum sum_;
  CompiledTimeFunction speed_;
  double damping_;
};

}  // namespace

std::shared_ptr<const Constraint> MakeConstantSpeed(const Model& model, const ConstraintSpec& spec,
                                                    const ConstantSpeedSpec& kind) {
  return std::make_shared<ConstantSpeed>(model, spec, kind);
}

}  // namespace voigt
