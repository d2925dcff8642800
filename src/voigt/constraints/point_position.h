#pragma once

#include <memory>

#include "voigt/constraints/constraint.h"

// Constraints of where a point of body B is relative to body A. Rows are components of p_B along
// directions d fixed to A: a force along d at p_B on both bodies is the exact derivative.
namespace voigt {

// On the line through p_A: the components along two directions across it are zero.
std::shared_ptr<const Constraint> MakePointOnLine(const Model& model, const ConstraintSpec& spec,
                                                  const PointOnLineSpec& kind);

// In the plane through p_A, or on one side of it: φ = ± n · (p_B − p_A).
// Point B stays on a circle: φ are its height over the circle's plane and its distance from the
// axis, less the radius. On the axis itself any direction is taken as outwards.
std::shared_ptr<const Constraint> MakePointOnCircle(const Model& model, const ConstraintSpec& spec,
                                                    const PointOnCircleSpec& kind);

std::shared_ptr<const Constraint> MakePointInPlane(const Model& model, const ConstraintSpec& spec,
                                                   const PointInPlaneSpec& kind);

// Moved along s(t), in the frame of A: φ = p_AB − s(t), φ_t = −(s(t + h) − s(t))/h, so that the
// point is at s(t + h) at the end of the step.
std::shared_ptr<const Constraint> MakePrescribedPoint(const Model& model,
                                                      const ConstraintSpec& spec,
                                                      const PrescribedPointSpec& kind);

}  // namespace voigt
