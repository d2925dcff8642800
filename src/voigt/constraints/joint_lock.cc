#include "voigt/constraints/joint_lock.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "voigt/constraints/joint_rows.h"

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
    joint_.AddDeflection(at, place_.data(), rows,
                         [&](int, Row* row) { SetSpring(compliance_, at.h, row); });
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
