#pragma once

#include <vector>

#include "voigt/plot/chart.h"
#include "voigt/sim/recorder.h"

namespace voigt {

// The charts of a run: the motion as a time-lapse of outlines, energies, and joint coordinates
// (those of the first joints where there are many).
std::vector<Chart> MakeRunCharts(const Model& model, const std::vector<Sample>& samples);

}  // namespace voigt
