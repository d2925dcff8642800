#pragma once

#include "voigt/io/scene.h"
#include "voigt/sim/run.h"

namespace voigt {

void PrintSummary(const Scene& scene, const RunSummary& summary);

// One JSON object, the final state included.
void PrintSummaryAsJson(const Scene& scene, const State& final_state, const RunSummary& summary);

}  // namespace voigt
