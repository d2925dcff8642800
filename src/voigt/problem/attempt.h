#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace voigt {

// Ways to the impulses of an island, about in the order in which they are tried: who has more
// islands than one tells the last of those that they took. What each does is told where it is
// (formulations/compliant/README.md).
enum class Attempt {
  kNothing,        // no impulses: what is foreseen stays open
  kSweeps,         // contact by contact over a packed bed
  kLastImpulses,   // Newton's method on the natural map from those of the last step
  kLocalSweeps,    // a few sweeps from them, then Newton's method
  kConvexProgram,  // a convex program, then Newton's method
  kInteriorPoint,  // an interior point, then Newton's method
  kMethod,         // of formulations with a method of their own: that method
  kImplicit,       // an implicit complementarity problem in impulses alone
  kCarefulSteps,   // Newton's steps that end where something gives way
  kPivots,         // a linear complementarity problem in impulses alone
  kProximalSteps,  // convex programs about the impulses that are there, one after the other
  kCones,          // a program with second-order cones in impulses alone
  kLeastSquares,   // what rows that contradict each other leave is taken from what they ask for
  kOtherWays,      // of formulations with a method of their own: what is tried beside it
  kNone,           // not solved
};

inline constexpr int kAttemptCount = static_cast<int>(Attempt::kNone) + 1;

std::string_view ToString(Attempt attempt);
std::optional<Attempt> AttemptFromString(std::string_view name);
std::span<const std::string_view> ListAttemptNames();

// Those that may be tried.
class AttemptSet {
 public:
  static AttemptSet All();
  static AttemptSet Only(Attempt attempt);

  bool has(Attempt attempt) const { return has_[static_cast<int>(attempt)]; }
  void Add(Attempt attempt) { has_[static_cast<int>(attempt)] = true; }
  void Remove(Attempt attempt) { has_[static_cast<int>(attempt)] = false; }

 private:
  std::array<bool, kAttemptCount> has_{};
};

}  // namespace voigt
