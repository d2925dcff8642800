#include "apps/voigt/live/drag_spring.h"

#include "voigt/constraints/row_writer.h"

namespace voigt {

void DragSpring::AddRows(const ConstraintContext& at, RowWriter* rows) const {
  if (grip_->body == 0) return;
  const Vec3 p_W = CalcBodyPose(at.model, at.kin, grip_->body) * grip_->point;
  rows->BeginOnBodies(Law::kBilateral, 0, grip_->body);
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = Vec3::Unit(i);
    Row* const row = rows->AddWrench(axis.dot(p_W - grip_->target), p_W, Vec3::Zero(), axis);
    SetSpring({grip_->stiffness, grip_->damping}, at.h, row);
  }
}

void ChooseSpring(const Model& model, Grip* grip) {
  const Tree& tree = model.tree();
  double mass = 0;
  for (int b = 1; b < model.nb(); ++b) {
    if (tree.root[b] == tree.root[grip->body]) mass += model.body(b).mass.mass;
  }
  constexpr double kRate = 10;  // rad/s
  grip->stiffness = mass * kRate * kRate;
  grip->damping = 2 * mass * kRate;
}

}  // namespace voigt
