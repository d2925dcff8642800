#pragma once

#include "voigt/model/model.h"

namespace voigt {

// How many ways a mechanism can move from here, as a mechanic counts them: its rates less the rank
// of what rigid joints and other constraints of positions hold. (Knife edges and rolling hold
// velocities, and leave every place within reach.) A planar slider-crank whose loop is closed in
// space has one, though three rates and five rows. Motors, prescribed motion and everything soft
// hold nothing; dead centres and other singular places have more than their surroundings.
int CountDegreesOfFreedom(const Model& model, const VecX& q);

}  // namespace voigt
