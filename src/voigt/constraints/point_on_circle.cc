#include "voigt/constraints/point_on_circle.h"

#include <fmt/format.h>

#include "voigt/constraints/body_point.h"
#include "voigt/constraints/point_friction.h"
#include "voigt/constraints/reaction_friction.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

class PointOnCircle final : public Constraint {
 public:
  PointOnCircle(const Model& model, const ConstraintSpec& spec, const PointOnCircleSpec& kind)
      : Constraint(fmt::format("constraint '{}'", spec.name), spec.where),
        A_(model, kind.A),
        B_(model, kind.B),
        R_(RotationWithZ(kind.normal.stableNormalized())),
        radius_(kind.radius),
        compliance_{spec.stiffness, spec.damping},
        friction_(spec.friction) {}

  bool IsHolonomic() const override { return true; }
  bool HasReactionFriction() const override { return friction_.is_present(); }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Place place = CalcPlace(at);
    rows->BeginOnBodies(Law::kBilateral, A_.body, B_.body);
    SetSpring(compliance_, at.h,
              rows->AddWrench(place.height, place.p_B, Vec3::Zero(), place.normal));
    SetSpring(compliance_, at.h,
              rows->AddWrench(place.distance - radius_, place.p_B, Vec3::Zero(), place.outwards));
  }

  void AddFriction(const ConstraintContext& at, RowWriter* rows,
                   std::vector<FrictionRows>* out) const override {
    const Place place = CalcPlace(at);
    AddPointFriction(friction_, A_.body, B_.body, place.p_B, {place.normal.cross(place.outwards)},
                     rows, out);
  }

 private:
  struct Place {
    Vec3 p_B, normal, outwards;
    double height = 0, distance = 0;
  };

  Place CalcPlace(const ConstraintContext& at) const {
    const Pose X_WA = CalcBodyPose(at.model, at.kin, A_.body);
    Place out;
    out.p_B = B_.CalcPosition(at);
    out.normal = X_WA.R * R_.col(2);
    const Vec3 r = out.p_B - X_WA * A_.point;
    out.height = out.normal.dot(r);
    const Vec3 across = r - out.height * out.normal;
    out.distance = across.norm();
    out.outwards = out.distance > 0 ? Vec3(across / out.distance) : Vec3(X_WA.R * R_.col(0));
    return out;
  }

  BodyPoint A_, B_;
  Mat3 R_;  // its third column is the normal, in the frame of A
  double radius_;
  Compliance compliance_;
  ReactionFriction friction_;
};

}  // namespace

std::shared_ptr<const Constraint> MakePointOnCircle(const Model& model, const ConstraintSpec& spec,
                                                    const PointOnCircleSpec& kind) {
  return std::make_shared<PointOnCircle>(model, spec, kind);
}

}  // namespace voigt
