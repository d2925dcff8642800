#include "voigt/constraints/rolling.h"

#include <fmt/format.h>

#include "voigt/constraints/body_point.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

class Wheel {
 public:
  Wheel(const Model& model, const RollingSpec& kind)
      : A_(model, kind.A),
        B_(model, kind.B),
        R_(RotationWithZ(kind.normal.stableNormalized())),
        radius_(kind.radius) {
    if (kind.axis) axis_ = kind.axis->stableNormalized();
  }

  int body_A() const { return A_.body; }
  int body_B() const { return B_.body; }

  struct Contact {
    Mat3 R;  // two directions in the plane, its normal
    Vec3 p;  // lowest point of the wheel
    double height = 0;
  };
  Contact CalcContact(const ConstraintContext& at) const {
    const Pose X_WA = CalcBodyPose(at.model, at.kin, A_.body);
    const Pose X_WB = CalcBodyPose(at.model, at.kin, B_.body);
    Contact contact;
    contact.R = X_WA.R * R_;
    const Vec3 normal = contact.R.col(2);
    Vec3 up = normal;
    if (axis_) {
      const Vec3 axis = X_WB.R * *axis_;
      up -= normal.dot(axis) * axis;
      // A disc that lies flat has no lowest point; any one of its rim is as good.
      up = up.norm() > 1e-9 ? Vec3(up.normalized()) : Vec3(RotationWithZ(axis).col(0));
    }
    contact.p = X_WB * B_.point - radius_ * up;
    contact.height = normal.dot(contact.p - X_WA * A_.point);
    return contact;
  }

 private:
  BodyPoint A_, B_;
  Mat3 R_;  // in the frame of A
  double radius_;
  std::optional<Vec3> axis_;  // in the frame of B
};

class Rolling final : public Constraint {
 public:
  Rolling(const Model& model, const ConstraintSpec& spec, const RollingSpec& kind)
      : Constraint(fmt::format("constraint '{}'", spec.name), spec.where),
        wheel_(model, kind),
        damping_(spec.damping > 0 ? spec.damping : kInfinity) {}

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Wheel::Contact contact = wheel_.CalcContact(at);
    rows->BeginOnBodies(Law::kBilateral, wheel_.body_A(), wheel_.body_B());
    for (int i = 0; i < 2; ++i) {
      SetVelocityRow(0, damping_, at.h,
                     rows->AddWrench(0, contact.p, Vec3::Zero(), contact.R.col(i)));
    }
  }

 private:
  Wheel wheel_;
  double damping_;
};

class RollingTouch final : public Constraint {
 public:
  RollingTouch(const Model& model, const ConstraintSpec& spec, const RollingSpec& kind)
      : Constraint(fmt::format("touch of constraint '{}'", spec.name), spec.where),
        wheel_(model, kind) {}

  bool IsHolonomic() const override { return true; }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Wheel::Contact contact = wheel_.CalcContact(at);
    rows->BeginOnBodies(Law::kBilateral, wheel_.body_A(), wheel_.body_B());
    SetSpring({}, at.h, rows->AddWrench(contact.height, contact.p, Vec3::Zero(), contact.R.col(2)));
  }

 private:
  Wheel wheel_;
};

}  // namespace

std::shared_ptr<const Constraint> MakeRolling(const Model& model, const ConstraintSpec& spec,
                                              const RollingSpec& kind) {
  return std::make_shared<Rolling>(model, spec, kind);
}

std::shared_ptr<const Constraint> MakeRollingTouch(const Model& model, const ConstraintSpec& spec,
                                                   const RollingSpec& kind) {
  return std::make_shared<RollingTouch>(model, spec, kind);
}

}  // namespace voigt
