#pragma once

#include <string>

namespace voigt {

// A text in quotes, as JSON writes it.
std::string Quote(const std::string& text);

// JSON knows no NaN and no infinity: null stands for them.
std::string JsonNumber(double value);

}  // namespace voigt
