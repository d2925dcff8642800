#pragma once

#include <string>
#include <vector>

#include "voigt/model/model.h"
#include "voigt/model/state.h"

namespace voigt {

// Joints and guided points that rub by a load which rigid bodies leave open, by name. Where rigid
// constraints repeat each other there are forces λ with Gᵀλ = 0 that move nothing, as those that
// two hinges of a door exchange: if they change what friction comes from, n = n₀ + C λ, how much
// each element bears depends on how its reaction is shared, here in the least-squares sense.
std::vector<std::string> ListUndeterminedFriction(const Model& model, const State& state);

}  // namespace voigt
