#pragma once

#include "voigt/base/errors.h"
#include "voigt/model/model.h"

namespace voigt {

// Reports joints that have a rate which moves no inertia at q: a massless link with nothing on it,
// a point mass turned about itself. M would be singular there. The outermost are named first, and
// no more than ten rates: what is inside them can be judged once they are mended.
void CheckEveryDofMovesInertia(const Model& model, const VecX& q, ProblemList* problems);

}  // namespace voigt
