#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "voigt/constraints/constraint_set.h"

namespace voigt {

// Bilateral rows whose gap is also a function of time, φ = f(q) − s(t), as those of points and loop
// joints whose motion is prescribed: ∂φ/∂t and ∂²φ/∂t². G does not depend on time, but for
// rotations that are prescribed, whose mixed derivatives vanish where φ = 0 and φ̇ = 0. Of bilateral
// rows on velocities, G v = v̂(t), these are −v̂ and its rate.
//
// Constraints that know their rates say them (Constraint::AddTimeRates), as all of scenes do. Of
// others they are differences of order eight with the spacing, of four, whose estimated error is
// least: that of order six beside it, and rounding. Where none is good, as near a kink, they are
// NaN, and nothing moves on.
class MovingRows {
 public:
  explicit MovingRows(const Model& model);

  bool any() const { return !moving_.empty(); }
  // Whether a constraint moves by itself, as its rows at a configuration tell.
  static bool MovesByItself(const Constraint& constraint, const ConstraintContext& at);

  // The first row group of a constraint whose rates the last Update has not found, or zero.
  std::uint64_t unclear() const { return unclear_; }

  // Sets φ_t of these rows among those of `problem` at `at`, and fills their φ_tt, zero elsewhere.
  void Update(const ConstraintSet& constraints, const ConstraintContext& at,
              VelocityProblem* problem, VecX* phi_tt);

 private:
  // From the least spacing to larger ones.
  struct RateEstimate {
    double value = kNaN, error = kInfinity, most = 0;
    // Takes what is better than before and agrees with it: samples that are farther apart may miss
    // what happens between them.
    void Take(double x, double error_of_x, double most_error) {
      const bool agrees = !(std::fabs(x - value) > 10 * (error + error_of_x));
      if (!(error_of_x < error) || !agrees) return;
      value = x;
      error = error_of_x;
      most = most_error;
    }
    double Get() const { return error <= most ? value : kNaN; }
  };
  // Of one row, at moments a spacing apart.
  struct Samples {
    double now = 0;
    std::array<double, 4> before = {}, after = {};
    void Improve(double apart, RateEstimate* first, RateEstimate* second) const;
  };
  void TakeDifferences(const Constraint& constraint, const ConstraintContext& at);

  std::vector<int> moving_;  // constraints
  VelocityProblem now_, there_;
  std::vector<TimeRates> rates_;  // per row of a constraint, as the next two
  std::vector<Samples> samples_;
  std::vector<std::pair<RateEstimate, RateEstimate>> estimates_;  // of f′ and f″
  std::uint64_t unclear_ = 0;
};

}  // namespace voigt
