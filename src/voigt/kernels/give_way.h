#pragma once

#include <span>

#include "voigt/kernels/convex_program.h"

namespace voigt {

// Rows that contradict each other push against each other: step by step their impulses grow by the
// same amount, and nothing else changes, until one of them is as large as it can be and gives way.
// How many such steps it takes: the least t > 0 at which γ + t Δγ has a row or a disc at the bound
// of its set, or the most of those that follow closely. Those that are at their bounds already do
// not count. Infinity where nothing can give way.
double CountStepsToBounds(const ConvexProgram& program, std::span<const int> blocks,
                          const VecX& gamma, const std::vector<double>& step);

}  // namespace voigt
