#pragma once

#include <memory>
#include <string>

#include "voigt/constraints/row_writer.h"

// A constraint of one's own: a point of a body stays on the surface z = a x² of the world, as a
// bead on a bent track. Put it into a model with
//
//   builder.spec().user_constraints.push_back(
//       std::make_shared<BeadOnParabola>("bead", 0.5, 1e4));
//
// before building it.
namespace voigt::examples {

class BeadOnParabola final : public Constraint {
 public:
  // a in 1/m; K in N/m at the bottom, where the track is softest: it stiffens as K (1 + (2 a x)²).
  BeadOnParabola(std::string body, double a, double K)
      : Constraint("bead on a parabola"), body_(std::move(body)), a_(a), K_(K) {}

  // It can be met by moving bodies, so assembly may do so where it is rigid (K infinite).
  bool IsHolonomic() const override { return true; }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    // Where the point is.
    const int body = *at.model.FindBody(body_);
    const Vec3 p = CalcBodyPose(at.model, at.kin, body).p;

    // The gap and its gradient: φ = z − a x², φ̇ = (−2 a x, 0, 1) · ṗ.
    const double phi = p[2] - a_ * p[0] * p[0];
    const Vec3 gradient(-2 * a_ * p[0], 0, 1);

    // One row that holds both ways, between the world (body 0) and the body: a force along the
    // gradient at p.
    rows->BeginOnBodies(Law::kBilateral, 0, body);
    Row* const row = rows->AddWrench(phi, p, Vec3::Zero(), gradient);

    // Stiffness may depend on the configuration: it is evaluated at the start of every step.
    const double slope = 2 * a_ * p[0];
    SetSpring({K_ * (1 + slope * slope), 0}, at.h, row);
  }

 private:
  std::string body_;
  double a_, K_;
};

}  // namespace voigt::examples
