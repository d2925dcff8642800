#pragma once

#include <vector>

#include "voigt/model/model.h"

namespace voigt {

// The functions of time that prescribe motion, of joints and points, and speeds, and are made of
// pieces: where one ends, rates may jump.
std::vector<CompiledTimeFunction> ListMotionPieces(const Model& model);

}  // namespace voigt
