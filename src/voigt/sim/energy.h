#pragma once

#include "voigt/dynamics/kinematics.h"
#include "voigt/model/state.h"

namespace voigt {

// The energy of a state [J].
struct Energy {
  double kinetic = 0;
  double gravity = 0;
  double spring = 0;
  double Total() const { return kinetic + gravity + spring; }
};

// Uses *kin as scratch.
Energy CalcEnergy(const Model& model, const State& state, Kinematics* kin);

}  // namespace voigt
