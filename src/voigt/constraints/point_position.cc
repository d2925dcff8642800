#include "voigt/constraints/point_position.h"

#include <fmt/format.h>

#include <vector>

#include "voigt/constraints/body_point.h"
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
        compliance_{spec.stiffness, spec.damping} {}

  bool IsHolonomic() const override { return true; }

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
};

class PointInPlane final : public Constraint {
 public:
  PointInPlane(const Model& model, const ConstraintSpec& spec, const PointInPlaneSpec& kind)
      : Constraint(fmt::format("constraint '{}'", spec.name), spec.where),
        A_(model, kind.A),
        B_(model, kind.B),
        normal_(kind.normal.stableNormalized()),
        side_(kind.side),
        compliance_{spec.stiffness, spec.damping} {}

  bool IsHolonomic() const override { return side_ == Side::kBoth; }

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
};

class PrescribedPoint final : public Constraint {
 public:
  PrescribedPoint(const Model& model, const ConstraintSpec& spec, const PrescribedPointSpec& kind)
      : Constraint(fmt::format("constraint '{}'", spec.name), spec.where),
        body_A_(*model.FindBody(kind.on)),
        B_(model, kind.B),
        compliance_{spec.stiffness, spec.damping} {
    for (const TimeFunction& component : kind.position) position_.emplace_back(component);
  }

  bool IsHolonomic() const override { return true; }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Pose X_WA = CalcBodyPose(at.model, at.kin, body_A_);
    const Vec3 p_W = B_.CalcPosition(at), p_A = X_WA.Inverse() * p_W;
    rows->BeginOnBodies(Law::kBilateral, body_A_, B_.body);
    for (int i = 0; i < 3; ++i) {
      const double s0 = position_[i](at.t), s1 = position_[i](at.t + at.h);
      Row* const row = rows->AddWrench(p_A[i] - s0, p_W, Vec3::Zero(), X_WA.R.col(i));
      row->phi_t = -(s1 - s0) / at.h;
      SetSpring(compliance_, at.h, row);
    }
  }

 private:
  int body_A_;
  BodyPoint B_;
  std::vector<CompiledTimeFunction> position_;
  Compliance compliance_;
};

}  // namespace

std::shared_ptr<const Constraint> MakePointOnLine(const Model& model, const ConstraintSpec& spec,
                                                  const PointOnLineSpec& kind) {
  return std::make_shared<PointOnLine>(model, spec, kind);
}

std::shared_ptr<const Constraint> MakePointInPlane(const Model& model, const ConstraintSpec& spec,
                                                   const PointInPlaneSpec& kind) {
  return std::make_shared<PointInPlane>(model, spec, kind);
}

std::shared_ptr<const Constraint> MakePrescribedPoint(const Model& model,
                                                      const ConstraintSpec& spec,
                                                      const PrescribedPointSpec& kind) {
  return std::make_shared<PrescribedPoint>(model, spec, kind);
}

}  // namespace voigt
