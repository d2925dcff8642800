#include "voigt/constraints/point_in_plane.h"

#include <fmt/format.h>

#include "voigt/constraints/body_point.h"
#include "voigt/constraints/point_friction.h"
#include "voigt/constraints/reaction_friction.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

class PointInPlane final : public Constraint {
 public:
  PointInPlane(const Model& model, const ConstraintSpec& spec, const PointInPlaneSpec& kind)
      : Constraint(fmt::format("constraint '{}'", spec.name), spec.where),
        A_(model, kind.A),
        B_(model, kind.B),
        normal_(kind.normal.stableNormalized()),
        side_(kind.side),
        compliance_{spec.stiffness, spec.damping},
        friction_(spec.friction) {}

  bool IsHolonomic() const override { return side_ == Side::kBoth; }
  bool HasReactionFriction() const override { return friction_.is_present(); }

  void AddFriction(const ConstraintContext& at, RowWriter* rows,
                   std::vector<FrictionRows>* out) const override {
    const Mat3 frame = CalcBodyPose(at.model, at.kin, A_.body).R * RotationWithZ(normal_);
    AddPointFriction(friction_, A_.body, B_.body, B_.CalcPosition(at), {frame.col(0), frame.col(1)},
                     rows, out);
  }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Pose X_WA = CalcBodyPose(at.model, at.kin, A_.body);
    const Vec3 normal = X_WA.R * normal_, p_B = B_.CalcPosition(at);
    BeginOnSide(side_, A_.body, B_.body, rows);
    AddRowOnSide(side_, compliance_, at, normal.dot(p_B - X_WA * A_.point), p_B, normal, rows);
  }

 private:
  BodyPoint A_, B_;
  Vec3 normal_;  // in the frame of A
  Side side_;
  Compliance compliance_;
  ReactionFriction friction_;
};

}  // namespace

std::shared_ptr<const Constraint> MakePointInPlane(const Model& model, const ConstraintSpec& spec,
                                                   const PointInPlaneSpec& kind) {
  return std::make_shared<PointInPlane>(model, spec, kind);
}

}  // namespace voigt
