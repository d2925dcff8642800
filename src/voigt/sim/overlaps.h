#pragma once

#include <string>
#include <vector>

#include "voigt/model/model.h"
#include "voigt/model/state.h"

namespace voigt {

// Two shapes that overlap by more than what the weight of all bodies would press into their
// contact.
struct ShapeOverlap {
  std::string pair;  // "block and floor"
  double depth = 0;  // m, of the deepest point
};

// The deepest first.
std::vector<ShapeOverlap> ListShapeOverlaps(const Model& model, const State& state);

}  // namespace voigt
