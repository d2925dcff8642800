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
        argument_(model, kind.argument),
        offset_(kind.offset),
        zero_(kind.zero),
        curve_(kind.curve),
        cols_(JointSum::UniteColumns(sum_, argument_)),
        turn_(curve_.empty() ? 2 * kPi * sum_.CalcCommonFactor(model) : 0),
        compliance_{spec.stiffness, spec.damping} {}

  bool IsHolonomic() const override { return true; }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    double phi = sum_.CalcLength(at) - offset_;
    if (turn_ > 0) phi = std::remainder(phi, turn_);
    if (curve_.empty()) {
      return SetSpring(compliance_, at.h, sum_.AddRow(at, Law::kBilateral, 1, phi, rows));
    }
    // The curve Σ cₖ xᵏ⁺² and its slope by Horner's rule.
    const double x = argument_.CalcLength(at) - zero_;
    double value = 0, slope = 0;
    for (size_t k = curve_.size(); k-- > 0;) {
      slope = slope * x + static_cast<double>(k + 2) * curve_[k];
      value = value * x + curve_[k];
    }
    rows->BeginOnRates(Law::kBilateral, cols_);
    Row* const row = rows->AddZeroRow(phi - value * x * x);
    row->angular = sum_.is_angular();
    sum_.AddToRow(at, 1, rows);
    argument_.AddToRow(at, -slope * x, rows);
    SetSpring(compliance_, at.h, row);
  }

 private:
  JointSum sum_, argument_;
  double offset_, zero_;
  std::vector<double> curve_;
  std::vector<int> cols_;  // of both sums
  double turn_;            // φ is known up to multiples of this
  Compliance compliance_;
};

}  // namespace

std::shared_ptr<const Constraint> MakeCoupler(const Model& model, const ConstraintSpec& spec,
                                              const CouplerSpec& kind) {
  return std::make_shared<Coupler>(model, spec, kind);
}

}  // namespace voigt
