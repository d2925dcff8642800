#pragma once

#include <optional>

#include "voigt/problem/friction_mode.h"

namespace voigt {

// What the formulations in the space of impulses have in common.
struct ImpulseSpaceSettings {
  // Of the residual, relative to the velocities of the problem: what is accepted, and what methods
  // aim at.
  double tolerance = 1e-8, aim = 1e-12;
  // Pivots or steps of each attempt on an island; there may be several (ImpulseFormulation, and
  // restarts of the kernels). 0: as the method thinks fit.
  int max_iterations = 0;

  // Polyhedral cones: how many directions, and where the first one lies: against the slip of the
  // free motion, or at a fixed angle from the first tangent. What is not given depends on the
  // formulation: 4 aligned ones in mlcp, 8 fixed ones in stabilized-lcp.
  std::optional<int> directions;
  std::optional<bool> align;
  double angle = 0;  // rad

  // Of max-dissipation: whether viscous friction of contacts is in their cones.
  ViscousFriction viscous = ViscousFriction::kDamper;

  // Of compliant-qcqp. What is not given is what was printed [Drumwright 2019, §6.1, §6.4].
  std::optional<double> zeta;                // weight of normal forces beside friction: 1 s/h
  std::optional<double> tangential_damping;  // B_r of rigid friction, N s/m: 10⁶ kg/h
};

}  // namespace voigt
