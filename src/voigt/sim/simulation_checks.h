#pragma once

#include "voigt/base/errors.h"
#include "voigt/model/model.h"
#include "voigt/model/state.h"
#include "voigt/sim/settings.h"

namespace voigt {

// What of a state does not fit its model.
void CheckState(const Model& model, const State& state, ProblemList* problems);

// Throws InputError with all that keeps a model from running as the settings say, from this state.
void CheckCanRun(const Model& model, const SimulationSettings& settings, const State& initial);

}  // namespace voigt
