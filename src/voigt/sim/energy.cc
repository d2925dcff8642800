#include "voigt/sim/energy.h"

#include "voigt/dynamics/joint_springs.h"
#include "voigt/dynamics/momentum_energy.h"

namespace voigt {

Energy CalcEnergy(const Model& model, const State& state, Kinematics* kin) {
  UpdatePositions(model, state.q, kin);
  UpdateVelocities(model, state.v, kin);
  return {CalcKineticEnergy(model, *kin, state.v), CalcGravityEnergy(model, *kin),
          CalcSpringEnergy(model, state.q)};
}

}  // namespace voigt
