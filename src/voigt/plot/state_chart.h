#pragma once

#include <string>
#include <vector>

#include "voigt/io/recording_reader.h"
#include "voigt/plot/chart.h"

namespace voigt {

// What friction does over time, a line of steps per contact point, joint or guided point: open,
// stick, creep, slip. Of many the first that change, or those of the bodies named. Lines lie a
// little above each other where they would cover one another.
Chart DrawStates(const Recording& recording, const std::vector<std::string>& bodies);

}  // namespace voigt
