#pragma once

#include <string>

#include "voigt/io/json_text.h"

namespace voigt {

inline std::string Quote(const std::string& text) { return JsonQuote(text); }

}  // namespace voigt
