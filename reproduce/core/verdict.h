#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reproduce/core/data_file.h"

namespace voigt::reproduce {

// What a comparison came to, from the best to the worst.
enum class Verdict {
  kReproduced,       // the paper's value is ours
  kBeyondPaper,      // the paper gives no value; ours is that of the reference
  kPaperNotReached,  // ours is that of the reference, the paper's is another
  kSkipped,          // left out by --quick
  kNotRun,           // the run was interrupted before it had come to an end
  kNotAvailable,     // the program lacks something
  kNoMatch,          // ours is neither: something is wrong here
};

// For readers, and for JSON.
std::string_view ToString(Verdict verdict);

// One quantity, compared.
struct Finding {
  Quantity quantity;
  std::optional<double> ours;
  Verdict verdict = Verdict::kNoMatch;
  std::string why;  // of a verdict that is not plain
};

// `is_quick`: a slow quantity may be missing.
Finding Judge(const Quantity& quantity, std::optional<double> ours, bool is_quick);

// Of all findings together: the worst, where what the paper gives counts more than what it does
// not, and what was skipped only where nothing else is there.
Verdict Summarize(const std::vector<Finding>& findings);

}  // namespace voigt::reproduce
