#include "voigt/constraints/prescribed_joint.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "voigt/constraints/drive_bounds.h"
#include "voigt/constraints/time_rates.h"

namespace voigt {
namespace {

std::string NamePrescribed(const PrescribedJoint& motion) {
  return fmt::format("prescribed motion '{}'", motion.name);
}

class PrescribedJointConstraint final : public Constraint {
 public:
  PrescribedJointConstraint(const Model& model, const PrescribedJoint& motion)
      : Constraint(NamePrescribed(motion), motion.where),
        joint_(*JointRows::Find(model, motion.joint)),
        position_(CompileFunctions(motion.position)),
        compliance_{motion.stiffness, motion.damping} {}

  bool IsHolonomic() const override { return true; }
  bool IsPrescribed() const override { return !AreConstant(position_); }

  bool AddTimeRates(const ConstraintContext& at, std::vector<TimeRates>* out) const override {
    AddRatesOfGaps(position_, at.t, out);
    return true;
  }

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
