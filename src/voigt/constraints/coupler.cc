#include "voigt/constraints/coupler.h"

#include <fmt/format.h>

#include <cmath>

#include "voigt/constraints/joint_sum.h"

namespace voigt {
namespace {

class Coupler final : public Constraint {
 public:
  Coupler(const Model& model, const ConstraintSpec& spec, const CouplerSpec& kind)
      : Constraint(fmt::format("constraint '{}'", spec.name), spec.where),
        sum_(model, kind.terms),
        offset_(kind.offset),
        turn_(2 * kPi * sum_.CalcCommonFactor(model)),
        compliance_{spec.stiffness, spec.damping} {}

  bool IsHolonomic() const override { return true; }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    double phi = sum_.CalcLength(at) - offset_;
    if (turn_ > 0) phi = std::remainder(phi, turn_);
    SetSpring(compliance_, at.h, sum_.AddRow(at, Law::kBilateral, 1, phi, rows));
  }

 private:
  JointSum sum_;
  double offset_;
  double turn_;  // φ is known up to multiples of this
  Compliance compliance_;
};

class ConstantSpeed final : public Constraint {
 public:
  ConstantSpeed(const Model& model, const ConstraintSpec& spec, const ConstantSpeedSpec& kind)
      : Constraint(fmt::format("constraint '{}'", spec.name), spec.where),
        sum_(model, kind.terms),
        speed_(kind.speed),
        damping_(spec.damping > 0 ? spec.damping : kInfinity) {}

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

std::shared_ptr<const Constraint> MakeCoupler(const Model& model, const ConstraintSpec& spec,
                                              const CouplerSpec& kind) {
  return std::make_shared<Coupler>(model, spec, kind);
}

std::shared_ptr<const Constraint> MakeConstantSpeed(const Model& model, const ConstraintSpec& spec,
                                                    const ConstantSpeedSpec& kind) {
  return std::make_shared<ConstantSpeed>(model, spec, kind);
}

}  // namespace voigt
