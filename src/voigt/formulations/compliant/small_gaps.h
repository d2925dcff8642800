#pragma once

#include <span>
#include <vector>

#include "voigt/kernels/convex_program.h"

namespace voigt {

// Gaps of rigid rows that only push, as small as the accuracy of the steps before left them: where
// many rows hold one body they contradict one another, and what little they ask for, −φ/h, makes
// Newton's method look for the few of them that carry the load. Rows that ask for no more than
// `most`, a velocity below what is accepted, ask for nothing; what they asked for goes to *asked,
// one per row. Returns whether there are any.
bool ForgetSmallGaps(std::span<const int> blocks, double most, ConvexProgram* program,
                     std::vector<double>* asked);
void RecallSmallGaps(std::span<const int> blocks, const std::vector<double>& asked,
                     ConvexProgram* program);

}  // namespace voigt
