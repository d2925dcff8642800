#pragma once

#include <memory>

#include "voigt/constraints/constraint.h"

namespace voigt {

// Whether a tendon has a spring, a damper, limits or friction, and is not only there for actuators.
bool ActsByItself(const TendonSpec& tendon);

// What acts along the length l of a tendon, each a row where there is such: the spring and damper
// λ = −K (l₁ − rest) − B l̇₁, the ends of its range, dry friction. With slack, the spring is one at
// either end of [rest, rest + slack] and nothing between.
std::shared_ptr<const Constraint> MakeTendon(const Model& model, const TendonSpec& tendon);

}  // namespace voigt
