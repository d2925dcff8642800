#pragma once

#include <string>
#include <vector>

#include "reproduce/core/runner.h"

namespace voigt::reproduce {

// One page that holds everything: what was compared with what, charts, and runs in motion. The
// viewer is in it once; a run is put into it when somebody asks to see it.
std::string MakeHtml(const std::vector<Outcome>& outcomes);

}  // namespace voigt::reproduce
