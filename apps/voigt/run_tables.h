#pragma once

#include <vector>

#include "voigt/io/scene.h"
#include "voigt/replay/replay_page.h"
#include "voigt/sim/run.h"

namespace voigt {

// What a run came to and how it was set, as a page shows it.
std::vector<ReplayTable> MakeRunTables(const Scene& scene, const RunSummary& summary);

}  // namespace voigt
