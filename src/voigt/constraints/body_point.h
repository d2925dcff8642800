#pragma once

#include "voigt/constraints/row_writer.h"

namespace voigt {

// A point of a body, by the body's number.
struct BodyPoint {
  BodyPoint(const Model& model, const PointOnBody& spec)
      : body(*model.FindBody(spec.body)), point(spec.point) {}

  Vec3 CalcPosition(const ConstraintContext& at) const {
    return CalcBodyPose(at.model, at.kin, body) * point;
  }

  int body;
  Vec3 point;
};

// Begins a group for a quantity that is to be zero or to stay on one side of it.
inline void BeginOnSide(Side side, int body_A, int body_B, RowWriter* rows) {
  rows->BeginOnBodies(side == Side::kBoth ? Law::kBilateral : Law::kUnilateral, body_A, body_B);
}

// The one row of that group. The quantity is `value`, its rate that of a force along `direction` at
// p; kept below zero, its negative is the gap.
inline void AddRowOnSide(Side side, const Compliance& compliance, const ConstraintContext& at,
                         double value, const Vec3& p, const Vec3& direction, RowWriter* rows) {
  const double sign = side == Side::kBelow ? -1 : 1;
  Row* const row = rows->AddWrench(sign * value, p, Vec3::Zero(), sign * direction);
  if (side == Side::kBoth) {
    SetSpring(compliance, at.h, row);
  } else {
    SetUnilateralSpring(compliance, at.h, at.recovery_speed, row);
  }
}

}  // namespace voigt
