#pragma once

#include <optional>
#include <string>

#include "voigt/model/time_function.h"

namespace voigt {

// The value of a scalar as a number: a plain number or an expression of the constants. Throws
// std::invalid_argument with the reason.
double EvaluateNumber(const std::string& text, const NamedConstants& constants);

// The same for a scalar that may depend on t.
TimeFunction EvaluateFunction(const std::string& text, const NamedConstants& constants);

// What keeps a name from standing for a number in expressions, or nothing.
std::optional<std::string> DescribeNameDefect(const std::string& name);

}  // namespace voigt
