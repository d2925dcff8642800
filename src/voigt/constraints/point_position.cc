#include "voigt/constraints/point_position.h"

#include <fmt/format.h>

#include <initializer_list>
#include <vector>

#include "voigt/constraints/body_point.h"
#include "voigt/constraints/reaction_friction.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

// Friction of a guided point: rows along `directions`, from the force of the constraint's own rows.
void AddPointFriction(const ReactionFriction& law, int body_A, int body_B, const Vec3& p,
                      std::initializer_list<Vec3> directions, RowWriter* rows,
                      std::vector<FrictionRows>* out) {
  FrictionRows& friction = out->emplace_back();
  friction.row_count = static_cast<int>(directions.size());
  friction.law = law;
  rows->BeginOnBodies(Law::kBounded, body_A, body_B);
  for (const Vec3& direction : directions) rows->AddWrench(0, p, Vec3::Zero(), direction);
}

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
  bool IsPrescribed() const override { return !AreConstant(position_); }

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

std::shared_ptr<const Constraint> MakePointOnCircle(const Model& model, const ConstraintSpec& spec,
                                                    const PointOnCircleSpec& kind) {
  return std::make_shared<PointOnCircle>(model, spec, kind);
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
