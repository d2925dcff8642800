#include "voigt/constraints/prescribed_joint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "voigt/constraints/joint_rows.h"
#include "voigt/model/prescribed_motion.h"

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
        motion_(joint_.joint(model).type, motion.position),
        compliance_{motion.stiffness, motion.damping} {}

  bool IsHolonomic() const override { return true; }
  bool IsPrescribed() const override { return !motion_.is_constant(); }

  // Of rotations where the joint is where the motion is.
  bool AddTimeRates(const ConstraintContext& at, std::vector<TimeRates>* out) const override {
    std::array<double, kMaxJointDofs> rates, accelerations;
    motion_.CalcRates(at.t, rates.data());
    motion_.CalcAccelerations(at.t, accelerations.data());
    for (int k = 0; k < joint_.dof_count(); ++k) out->push_back({-rates[k], -accelerations[k]});
    return true;
  }

  std::optional<EnergyLine> energy_line() const override { return EnergyLine::kPrescribed; }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    std::array<double, kMaxJointDofs + 1> s, q;
    std::array<double, kMaxJointDofs> step;
    motion_.CalcCoordinates(at.t, s.data());
    joint_.CalcCoordinates(at, s.data(), q.data());
    motion_.CalcStep(at.t, at.h, q.data(), step.data());
    joint_.AddDeflection(at, s.data(), rows, [&](int k, Row* row) {
      row->phi_t = -step[k] / at.h;
      SetSpring(compliance_, at.h, row);
    });
  }

 private:
  JointRows joint_;
  PrescribedMotion motion_;
  Compliance compliance_;
};

// The motion that a constraint stands for, or null.
const PrescribedJoint* FindMotion(const Model& model, const Constraint& constraint) {
  const auto& motions = model.spec().prescribed_joints;
  const auto found = std::find_if(
      motions.begin(), motions.end(),
      [&](const PrescribedJoint& motion) { return constraint.name() == NamePrescribed(motion); });
  return found == motions.end() ? nullptr : &*found;
}

}  // namespace

std::shared_ptr<const Constraint> MakePrescribedJoint(const Model& model,
                                                      const PrescribedJoint& motion) {
  return std::make_shared<PrescribedJointConstraint>(model, motion);
}

bool IsPrescribedJoint(const Model& model, const Constraint& constraint) {
  return FindMotion(model, constraint) != nullptr;
}

bool IsPrescribedInTree(const Model& model, const Constraint& constraint) {
  const PrescribedJoint* const motion = FindMotion(model, constraint);
  return motion != nullptr && model.FindJoint(motion->joint) && motion->stiffness == kInfinity;
}

}  // namespace voigt
