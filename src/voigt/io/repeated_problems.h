#pragma once

#include "voigt/base/errors.h"

namespace voigt {

// One slip in a repeated element is one problem, not one per copy. Copies differ by the numbers
// that ${…} put into them, so problems at one place of a file are alike when they say the same but
// for numbers: those that say exactly the same are listed once, and of more than three others the
// first is, with their count.
ProblemList MergeRepeats(const ProblemList& all);

}  // namespace voigt
