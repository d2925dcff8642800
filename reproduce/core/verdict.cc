#include "reproduce/core/verdict.h"

#include <fmt/format.h>

#include <algorithm>

namespace voigt::reproduce {

std::string_view ToString(Verdict verdict) {
  switch (verdict) {
    case Verdict::kReproduced:
      return "reproduced";
    case Verdict::kBeyondPaper:
      return "beyond the paper";
    case Verdict::kPaperNotReached:
      return "paper not reproducible";
    case Verdict::kSkipped:
      return "skipped";
    case Verdict::kNotRun:
      return "not run";
    case Verdict::kNotAvailable:
      return "not available yet";
    case Verdict::kNoMatch:
      return "does not match";
  }
  return "";
}

Finding Judge(const Quantity& quantity, std::optional<double> ours, bool is_quick) {
  Finding out{quantity, ours, Verdict::kNoMatch, ""};
  if (!ours) {
    if (is_quick && quantity.is_slow) out.verdict = Verdict::kSkipped;
    out.why = out.verdict == Verdict::kSkipped ? "left out by --quick" : "was not computed";
    return out;
  }
  const auto complain = [&](const char* who, const Claim& claim) {
    const double tolerance =
        claim.value ? std::max(claim.absolute, claim.relative * std::abs(*claim.value)) : 0;
    out.why = fmt::format("{} has {}{}", who, claim.ToString(),
                          claim.value ? fmt::format(" to {:.2g}", tolerance) : "");
  };
  // Where there is a reference, nothing is right without it.
  if (quantity.reference && !quantity.reference->Holds(*ours)) {
    complain("the reference", *quantity.reference);
    return out;
  }
  if (!quantity.paper) {
    out.verdict = Verdict::kBeyondPaper;
  } else if (quantity.paper->Holds(*ours)) {
    out.verdict = Verdict::kReproduced;
  } else if (quantity.reference && !quantity.why_not.empty()) {
    out.verdict = Verdict::kPaperNotReached;
    out.why = quantity.why_not;
  } else {
    complain("the paper", *quantity.paper);
  }
  return out;
}

Verdict Summarize(const std::vector<Finding>& findings) {
  const auto has = [&](Verdict verdict) {
    return std::any_of(findings.begin(), findings.end(),
                       [&](const Finding& finding) { return finding.verdict == verdict; });
  };
  for (Verdict verdict : {Verdict::kNoMatch, Verdict::kNotAvailable, Verdict::kPaperNotReached,
                          Verdict::kReproduced, Verdict::kBeyondPaper}) {
    if (has(verdict)) return verdict;
  }
  return findings.empty() ? Verdict::kNoMatch : Verdict::kSkipped;
}

}  // namespace voigt::reproduce
