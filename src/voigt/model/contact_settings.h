#pragma once

#include "voigt/base/source_location.h"

namespace voigt {

// What contact needs to know beside materials.
struct ContactSettings {
  // How fast rigid shapes that overlap are pushed apart at most, m/s. Large enough that what bodies
  // sink in while they roll with large steps is made up for, small enough that shapes that overlap
  // from the start do not fly apart.
  double recovery_speed = 1;

  // Impacts slower than this do not bounce, m/s: rest is reached in finitely many bounces.
  double restitution_speed = 0.01;

  // Contacts are foreseen: pairs of shapes whose gap is at most 2 h (|v_A| + |v_B| + h a) get rows,
  // where the speeds are those at the start of the step and a is the larger of gravity and this,
  // m/s². The relative speed would not do: of two spheres that fall together, an impact may stop
  // the lower one within the step, and in a tall stack all pairs would then overlap at once and fly
  // apart. Rows of a gap that stays open change nothing but the effort.
  double acceleration = 9.81;

  SourceLocation where = {};
};

}  // namespace voigt
