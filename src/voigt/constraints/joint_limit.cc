#include "voigt/constraints/joint_limit.h"

#include <fmt/format.h>

#include <cmath>

namespace voigt {
namespace {

double HintOf(double lower, double upper) {
  if (std::isfinite(lower) && std::isfinite(upper)) return lower + (upper - lower) / 2;
  return std::isfinite(lower) ? lower : upper;
}

class JointLimit final : public Constraint {
 public:
  JointLimit(const Model& model, const JointRows& rows)
      : Constraint(fmt::format("limits of joint '{}'", rows.joint(model).name),
                   rows.joint(model).where),
        joint_(rows) {}

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Joint& joint = joint_.joint(at.model);
    const Compliance compliance{joint.limit_stiffness, joint.limit_damping};
    for (int k = 0; k < joint_.dof_count(); ++k) {
      const double lower = joint.lower[k], upper = joint.upper[k];
      if (!std::isfinite(lower) && !std::isfinite(upper)) continue;
      const double q = joint_.CalcCoordinate(at, k, HintOf(lower, upper));
      const auto add = [&](double phi, double sign) {
        joint_.BeginOne(Law::kUnilateral, k, rows);
        SetUnilateralSpring(compliance, at.h, at.recovery_speed,
                            joint_.AddOne(at, k, sign, phi, rows), at.stabilization.contacts);
      };
      if (std::isfinite(lower)) add(q - lower, 1);
      if (std::isfinite(upper)) add(upper - q, -1);
    }
  }

 private:
  JointRows joint_;
};

}  // namespace

std::shared_ptr<const Constraint> MakeJointLimit(const Model& model, const JointRows& joint) {
  return std::make_shared<JointLimit>(model, joint);
}

}  // namespace voigt
