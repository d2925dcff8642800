#pragma once

#include <cstdint>

namespace voigt {

// How normal forces are found that friction depends on, while they depend on friction.
enum class NormalForceIteration : std::uint8_t {
  kNewton,      // with a matrix that is kept, from one problem to the next, while errors fall fast
  kFixedPoint,  // N ← N(λ(N)), by Newton's method where that does not contract
};

// Of the formulation `working` (working_set.h).
struct WorkingSettings {
  double tolerance = 1e-12;  // relative to the accelerations and forces of the problem
  NormalForceIteration iteration = NormalForceIteration::kNewton;
  int max_newton = 50;
  int max_fixed_point = 200;
  int max_tried = 4096;  // choices of states, if the search by swaps goes in circles
};

}  // namespace voigt
