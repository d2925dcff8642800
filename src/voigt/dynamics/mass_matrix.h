#pragma once

#include "voigt/dynamics/kinematics.h"

namespace voigt {

// Arrays that the composite-rigid-body algorithm fills on its way.
struct CompositeInertia {
  // Aligned, for products that are written long before they are read.
  using PackedVec6 = Eigen::Matrix<double, 6, 1>;

  CompositeInertia() = default;
  explicit CompositeInertia(const Model& model)
      : I(model.nb()), S_root(model.nv()), P_root(model.nv()) {}

  std::vector<SpatialInertia> I;   // per body: it and all that hangs on it, frozen, at its origin
  std::vector<PackedVec6> S_root;  // per dof: S read at the origin of its tree's root link
  std::vector<PackedVec6> P_root;  // per dof: momentum of the outer part for unit rate, read there
};

// The mass matrix M(q), armature included, by the composite-rigid-body algorithm
// [Featherstone 2008, §6.2]. M is packed as model.tree().pattern says.
void CalcMassMatrix(const Model& model, const Kinematics& kin, CompositeInertia* composite,
                    VecX* M);

}  // namespace voigt
