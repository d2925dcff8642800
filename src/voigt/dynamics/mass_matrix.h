#pragma once

#include "voigt/dynamics/kinematics.h"

namespace voigt {

// Arrays that the composite-rigid-body algorithm fills on its way.
struct CompositeInertia {
  CompositeInertia() = default;
  explicit CompositeInertia(const Model& model)
      : I(model.nb()), S_root(model.nv(), Vec6::Zero()) {}

  std::vector<SpatialInertia> I;  // per body: it and all that hangs on it, frozen, at its origin
  std::vector<Vec6> S_root;       // per dof: S read at the origin of its tree's root link
};

// The mass matrix M(q), armature included, by the composite-rigid-body algorithm
// [Featherstone 2008, §6.2]. M is packed as model.tree().pattern says.
void CalcMassMatrix(const Model& model, const Kinematics& kin, CompositeInertia* composite,
                    VecX* M);

}  // namespace voigt
