#pragma once

#include "voigt/constraints/constraint.h"

namespace voigt {

// What the hand at the mouse holds: a point of a body, and where it is pulled to.
struct Grip {
  int body = 0;                // 0: nothing is held
  Vec3 point = Vec3::Zero();   // in the body's frame, m
  Vec3 target = Vec3::Zero();  // in the world, m
  double stiffness = 0, damping = 0;
};

// A spring and damper between the point and the target, implicit like every other: it is stable
// whatever the step. Whoever owns the grip may change it between steps.
class DragSpring final : public Constraint {
 public:
  explicit DragSpring(const Grip* grip) : Constraint("the hand"), grip_(grip) {}

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override;

 private:
  const Grip* grip_;
};

// Stiffness and damping with which a hand pulls the body's whole mechanism along at about 1.5 Hz
// without letting it swing.
void ChooseSpring(const Model& model, Grip* grip);

}  // namespace voigt
