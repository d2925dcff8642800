#pragma once

#include "voigt/dynamics/kinematics.h"
#include "voigt/dynamics/mass_matrix.h"
#include "voigt/math/tree_factor.h"

namespace voigt {

// Everything that follows from q alone: poses, axes, inertias, the mass matrix and its factor. The
// end of one step is the start of the next, so it is kept between them.
class Configuration {
 public:
  explicit Configuration(const Model& model);

  // Brings everything up to date with q; does nothing if it is already. Returns false if the mass
  // matrix is not positive definite there (a configuration or a model that is not physical).
  bool Update(const Model& model, const VecX& q);

  const Kinematics& kin() const { return kin_; }
  const CompositeInertia& composite() const { return composite_; }
  const VecX& M() const { return M_; }
  const TreeFactor& factor() const { return factor_; }

  // Velocities in kin() become those of the rates v.
  void SetRates(const Model& model, const VecX& v) { UpdateVelocities(model, v, &kin_); }

 private:
  VecX q_;
  Kinematics kin_;
  CompositeInertia composite_;
  VecX M_;
  TreeFactor factor_;
};

}  // namespace voigt
