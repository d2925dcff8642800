#pragma once

#include <string_view>
#include <vector>

#include "voigt/math/types.h"
#include "voigt/problem/attempt.h"
#include "voigt/problem/friction_mode.h"

namespace voigt {

enum class SolveStatus {
  kSolved,          // the residual is below the tolerance
  kRedundant,       // the same but for rigid rows that repeat each other and ask for different
                    // velocities: met in the least-squares sense (dependent_rows.h)
  kInaccurate,      // converged as far as rounding or inconsistent rows allow; see the residual
  kIterationLimit,  // stopped on the way; the best point so far
  kTimeLimit,       // the same, for time
  kNoFixedPoint,    // the friction law's iteration did not settle; the best pass
  kRay,             // a pivoting method ended on a ray: it found no solution, and there may be none
  kFailed,          // nothing useful: not finite, or a matrix that could not be factored
};

// Whether all laws hold, but for rigid rows that repeat each other.
inline bool IsSolved(SolveStatus status) {
  return status == SolveStatus::kSolved || status == SolveStatus::kRedundant;
}

std::string_view ToString(SolveStatus status);

struct SolveStats {
  int islands = 0;
  int newton_iterations = 0;
  int factorizations = 0;
  int sweeps = 0;  // over packed beds, contact by contact
  int friction_passes = 0;
  int dependent_directions = 0;  // of rigid rows that contradict each other
  int inflated = 0;  // normals and unilateral rows that push more than their law (minimum norm)
  Attempt solved_by = Attempt::kNothing;  // the last one that an island took

  // Of a step that solves several problems.
  SolveStats& operator+=(const SolveStats& other);
};

// What proves that impulses dissipate most (formulations/max_dissipation/README.md): the impulses
// without friction, whose sums bound the normal impulses, and the multipliers of the conditions.
struct MaxDissipationClaim {
  VecX frictionless;          // per row, N s
  VecX multiplier;            // per row: of u ≥ 0 or u = 0, N s; zero for friction
  std::vector<int> sum;       // per row: to which sum it belongs; −1: to none
  std::vector<double> price;  // per sum: the multiplier of its bound, ≥ 0, m/s or rad/s

  // Viscous friction in the cone, of groups that have it (RowGroup::viscous) and press without
  // friction: ‖u_t‖ of the free motion, per group; or empty.
  ViscousFriction viscous = ViscousFriction::kDamper;
  std::vector<double> slip;  // m/s
};

// What minimum-norm impulses minimise (formulations/compliant_qcqp/README.md), and what proves that
// they do.
struct MinimumNormClaim {
  double zeta = 1;      // weight of normals and of unilateral rows; friction has 1
  double softness = 0;  // 1/(h B_r), 1/kg: R of friction and bounded rows that have none
  VecX multiplier;      // per row: of u ≥ 0 or u = 0, and −u/r² of friction and bounds, N s kg
};

// What every formulation returns.
struct Solution {
  VecX gamma;  // impulses per row, N s
  VecX v1;     // v* + M⁻¹ Gᵀ γ
  SolveStatus status = SolveStatus::kFailed;
  double residual =
      kNaN;  // of the law that the formulation claims, relative (audit/law_residual.h; `compliant`
             // takes less of what impulses make of one another: its README)
  double tolerance = 1e-12;  // of the residual, below which it is accepted
  SolveStats stats;
  // All rows are solved, but not with the loads that friction of joints comes from: those have not
  // settled (sim/reaction_passes.h, which alone says so).
  bool has_unsettled_loads = false;

  // The friction law that the formulation claims. Of polyhedral cones (PolyhedralCone), how many
  // directions they have, and per group the angle of the first one.
  FrictionMode friction = FrictionMode::kCoulomb;
  int directions = 0;
  std::vector<double> cone_angle;

  // Per group: the normal impulse that bounded a contact's friction where that is not its own (mode
  // lagged), else NaN; or empty.
  std::vector<double> normal_bound;

  MaxDissipationClaim dissipation;  // mode max-dissipation
  MinimumNormClaim minimum_norm;    // mode minimum-norm
};

}  // namespace voigt
