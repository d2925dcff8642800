#pragma once

#include "voigt/model/model.h"

namespace voigt {

// Throws InputError naming every joint that has a rate which moves no inertia at q: a massless
// link with nothing on it, a point mass turned about itself. M would be singular there.
void CheckEveryDofMovesInertia(const Model& model, const VecX& q);

}  // namespace voigt
