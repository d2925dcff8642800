#pragma once

#include <string>
#include <vector>

#include "voigt/io/scene.h"

namespace voigt {

// What a scene asks for and does not get, and what of it is unused. Notes of robots are not among
// them (SummarizeNotes).
std::vector<std::string> ListSceneNotices(const Scene& scene);

}  // namespace voigt
