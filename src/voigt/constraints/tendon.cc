#include "voigt/constraints/tendon.h"

#include <fmt/format.h>

#include <cmath>

#include "voigt/constraints/joint_sum.h"

namespace voigt {
namespace {

class Tendon final : public Constraint {
 public:
  Tendon(const Model& model, const TendonSpec& spec)
      : Constraint(fmt::format("tendon '{}'", spec.name), spec.where),
        sum_(model, spec.terms),
        spec_(spec) {}

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const double l = sum_.CalcLength(at);
    AddSpring(at, l, rows);
    const Compliance ends{spec_.limit_stiffness, spec_.limit_damping};
    if (std::isfinite(spec_.range.lower)) AddEnd(at, l - spec_.range.lower, 1, ends, rows);
    if (std::isfinite(spec_.range.upper)) AddEnd(at, spec_.range.upper - l, -1, ends, rows);
    if (spec_.dry_friction > 0) {
      Row* const row = sum_.AddRow(at, Law::kBounded, 1, 0, rows);
      SetVelocityRow(0, kInfinity, at.h, row);
      row->upper = at.h * spec_.dry_friction;
      row->lower = -row->upper;
    }
  }

 private:
  void AddSpring(const ConstraintContext& at, double l, RowWriter* rows) const {
    // A spring that goes slack is one at either end of its slack; the damper acts all along.
    const bool is_slack = spec_.slack > 0 && spec_.stiffness > 0;
    const Compliance spring{is_slack ? 0 : spec_.stiffness, spec_.damping};
    if (!spring.is_absent()) {
      SetSpring(spring, at.h, sum_.AddRow(at, Law::kBilateral, 1, l - spec_.rest, rows));
    }
    if (!is_slack) return;
    AddEnd(at, l - spec_.rest, 1, {spec_.stiffness, 0}, rows);
    AddEnd(at, spec_.rest + spec_.slack - l, -1, {spec_.stiffness, 0}, rows);
  }

  void AddEnd(const ConstraintContext& at, double phi, double sign, const Compliance& compliance,
              RowWriter* rows) const {
    Row* const row = sum_.AddRow(at, Law::kUnilateral, sign, phi, rows);
    SetUnilateralSpring(compliance, at.h, at.recovery_speed, row, at.stabilization.contacts);
  }

  JointSum sum_;
  TendonSpec spec_;
};

}  // namespace

bool ActsByItself(const TendonSpec& tendon) {
  return tendon.stiffness > 0 || tendon.damping > 0 || tendon.dry_friction > 0 ||
         tendon.range.is_bounded();
}

std::shared_ptr<const Constraint> MakeTendon(const Model& model, const TendonSpec& tendon) {
  return std::make_shared<Tendon>(model, tendon);
}

}  // namespace voigt
