#pragma once

#include "voigt/constraints/constraint_set.h"

namespace voigt {

// The rows of all constraints where bodies rest at q, at the time 0, as in a step of 1 s.
VelocityProblem ListRowsAt(const Model& model, const ConstraintSet& constraints, const VecX& q);

}  // namespace voigt
