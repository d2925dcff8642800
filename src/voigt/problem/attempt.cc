#include "voigt/problem/attempt.h"

#include <algorithm>

namespace voigt {
namespace {

constexpr std::array<std::string_view, kAttemptCount> kNames = {
    "nothing",        "sweeps", "last-impulses", "local-sweeps",  "convex-program",
    "interior-point", "method", "implicit",      "careful-steps", "pivots",
    "proximal-steps", "cones",  "least-squares", "other-ways",    "none"};

}  // namespace

std::string_view ToString(Attempt attempt) { return kNames[static_cast<int>(attempt)]; }

std::optional<Attempt> AttemptFromString(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Attempt>(found - kNames.begin());
}

std::span<const std::string_view> ListAttemptNames() { return kNames; }

AttemptSet AttemptSet::All() {
  AttemptSet out;
  out.has_.fill(true);
  return out;
}

AttemptSet AttemptSet::Only(Attempt attempt) {
  AttemptSet out;
  out.Add(attempt);
  return out;
}

}  // namespace voigt
