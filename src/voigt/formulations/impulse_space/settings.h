#pragma once

#include <optional>

namespace voigt {

// What the formulations in the space of impulses have in common.
struct ImpulseSpaceSettings {
  double tolerance = 1e-12;  // of the residual, relative to the velocities of the problem
  // Pivots or steps of each attempt on an island; there may be several (ImpulseFormulation, and
  // restarts of the kernels). 0: as the method thinks fit.
  int max_iterations = 0;

  // Polyhedral cones: how many directions, and where the first one lies: against the slip of the
  // free motion, or at a fixed angle from the first tangent. What is not given depends on the
  // formulation: 4 aligned ones in mlcp, 8 fixed ones in stabilized-lcp.
  std::optional<int> directions;
  std::optional<bool> align;
  double angle = 0;  // rad
};

}  // namespace voigt
