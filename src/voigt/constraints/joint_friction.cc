#include "voigt/constraints/joint_friction.h"

#include <fmt/format.h>

#include <cmath>

namespace voigt {
namespace {

class JointFriction final : public Constraint {
 public:
  JointFriction(const Model& model, const JointRows& rows)
      : Constraint(fmt::format("friction of joint '{}'", rows.joint(model).name),
                   rows.joint(model).where),
        joint_(rows) {}

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Joint& joint = joint_.joint(at.model);
    for (int k = 0; k < joint_.dof_count(); ++k) {
      const double viscous = joint.viscous_bound(k);
      if (joint.dry_friction[k] == 0 && viscous == 0) continue;
      joint_.BeginOne(Law::kBounded, k, rows);
      Row* const row = joint_.AddOne(at, k, 1, 0, rows);
      SetVelocityRow(0, kInfinity, at.h, row);
      const double rate = viscous > 0 ? rows->CalcRate(at.v) : 0;
      row->upper = at.h * (joint.dry_friction[k] + viscous * std::fabs(rate));
      row->lower = -row->upper;
    }
  }

 private:
  JointRows joint_;
};

}  // namespace

std::shared_ptr<const Constraint> MakeJointFriction(const Model& model, const JointRows& joint) {
  return std::make_shared<JointFriction>(model, joint);
}

}  // namespace voigt
