#include "voigt/constraints/point_on_line.h"

#include <fmt/format.h>

#include "voigt/constraints/body_point.h"
#include "voigt/constraints/point_friction.h"
#include "voigt/constraints/reaction_friction.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

class PointOnLine final : public Constraint {
 public:
  PointOnLine(const Model& model, const ConstraintSpec& spec, const PointOnLineSpec& kind)
      : Constraint(fmt::format("constraint '{}'", spec.name), spec.where),
        A_(model, kind.A),
        B_(model, kind.B),
        R_(RotationWithZ(kind.direction.stableNormalized())),
        compliance_{spec.stiffness, spec.damping},
        friction_(spec.friction) {}

  bool IsHolonomic() const override { return true; }
  bool HasReactionFriction() const override { return friction_.is_present(); }

  void AddFriction(const ConstraintContext& at, RowWriter* rows,
                   std::vector<FrictionRows>* out) const override {
    const Pose X_WA = CalcBodyPose(at.model, at.kin, A_.body);
    AddPointFriction(friction_, A_.body, B_.body, B_.CalcPosition(at), {X_WA.R * R_.col(2)}, rows,
                     out);
  }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Pose X_WA = CalcBodyPose(at.model, at.kin, A_.body);
    const Vec3 p_B = B_.CalcPosition(at), r = p_B - X_WA * A_.point;
    rows->BeginOnBodies(Law::kBilateral, A_.body, B_.body);
    for (int i = 0; i < 2; ++i) {
      const Vec3 across = X_WA.R * R_.col(i);
      SetSpring(compliance_, at.h, rows->AddWrench(across.dot(r), p_B, Vec3::Zero(), across));
    }
  }

 private:
  BodyPoint A_, B_;
  Mat3 R_;  // columns in the frame of A: across, across, along
  Compliance compliance_;
  ReactionFriction friction_;
};

}  // namespace

std::shared_ptr<const Constraint> MakePointOnLine(const Model& model, const ConstraintSpec& spec,
                                                  const PointOnLineSpec& kind) {
  return std::make_shared<PointOnLine>(model, spec, kind);
}

}  // namespace voigt
