#include "voigt/constraints/reaction_friction.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace voigt {
namespace {

class JointReactionFriction final : public Constraint {
 public:
  JointReactionFriction(const Model& model, const JointRows& rows)
      : Constraint(fmt::format("friction of joint '{}'", rows.joint(model).name),
                   rows.joint(model).where),
        joint_(rows) {}

  void AddRows(const ConstraintContext&, RowWriter*) const override {}
  bool HasReactionFriction() const override { return true; }

  void AddFriction(const ConstraintContext& at, RowWriter* rows,
                   std::vector<FrictionRows>* out) const override {
    const Joint& joint = joint_.joint(at.model);
    FrictionRows& friction = out->emplace_back();
    friction.row_count = joint_.dof_count();
    friction.law = joint.reaction_friction;
    if (joint.type != JointType::kPrismatic) friction.lever = joint.reaction_friction.radius;
    const Pose X_WM = CalcJointFrames(at, joint).X_WM;
    const Mat3 along = X_WM.R.col(2) * X_WM.R.col(2).transpose();
    friction.origin = X_WM.p;
    if (joint.type == JointType::kScrew) {
      const double r = joint.reaction_friction.radius;
      friction.lever = std::hypot(r, joint.pitch);
      friction.P = r / friction.lever * along;
      friction.P_m = -joint.pitch / (r * friction.lever) * along;
    } else if (joint.type != JointType::kBall) {
      friction.P -= along;
    }
    if (joint_.is_loop()) {
      friction.loop = *at.model.FindLoop(joint.name);
    } else {
      friction.body = *at.model.FindJoint(joint.name);
    }
    joint_.BeginAll(Law::kBounded, rows);
    for (int k = 0; k < joint_.dof_count(); ++k) {
      std::array<double, kMaxJointDofs> factors{};
      factors[k] = 1;
      Row* const row = joint_.AddMixed(at, factors.data(), 0, rows);
      row->angular = joint_.IsAngular(k);
    }
  }

 private:
  JointRows joint_;
};

}  // namespace

std::shared_ptr<const Constraint> MakeJointReactionFriction(const Model& model,
                                                            const JointRows& joint) {
  return std::make_shared<JointReactionFriction>(model, joint);
}

}  // namespace voigt
