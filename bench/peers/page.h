#pragma once

#include <string>
#include <vector>

#include "bench/peers/table.h"

namespace voigt::peers {

// All results as one page of HTML that needs no other file.
std::string MakePage(const std::vector<Result>& results, const std::vector<Engine>& engines);

}  // namespace voigt::peers
