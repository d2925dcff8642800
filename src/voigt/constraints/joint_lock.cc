#include "voigt/constraints/joint_lock.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "voigt/constraints/joint_rows.h"
#include "voigt/model/joint_motion.h"

namespace voigt {
namespace {

class JointLock final : public Constraint {
 public:
  JointLock(const Model& model, const ConstraintSpec& spec, const JointLockSpec& kind)
      : Constraint(fmt::format("constraint '{}'", spec.name), spec.where),
        joint_(*JointRows::Find(model, kind.joint)),
        compliance_{spec.stiffness, spec.damping} {
    const JointType type = joint_.joint(model).type;
    SetNeutral(type, place_.data());
    std::copy(kind.at.begin(), kind.at.end(), place_.begin());
    NormalizeCoordinates(type, place_.data());
  }

  bool IsHolonomic() const override { return true; }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const JointType type = joint_.joint(at.model).type;
    std::array<double, kMaxJointDofs + 1> q;
    std::array<double, kMaxJointDofs> e;
    joint_.CalcCoordinates(at, place_.data(), q.data());
    CalcDeflection(type, q.data(), place_.data(), e.data());
    const DeflectionRateMatrix A = CalcDeflectionRateMatrix(type, e.data());
    joint_.BeginAll(Law::kBilateral, rows);
    for (int k = 0; k < joint_.dof_count(); ++k) {
      const Eigen::Matrix<double, kMaxJointDofs, 1> factors = A.row(k);
      Row* const row = joint_.AddMixed(at, factors.data(), e[k], rows);
      row->angular = joint_.IsAngular(k);
      SetSpring(compliance_, at.h, row);
    }
  }

 private:
  JointRows joint_;
  std::array<double, kMaxJointDofs + 1> place_{};
  Compliance compliance_;
};

}  // namespace

std::shared_ptr<const Constraint> MakeJointLock(const Model& model, const ConstraintSpec& spec,
                                                const JointLockSpec& kind) {
  return std::make_shared<JointLock>(model, spec, kind);
}

}  // namespace voigt
