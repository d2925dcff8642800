#include "voigt/constraints/rows_at.h"

namespace voigt {

VelocityProblem ListRowsAt(const Model& model, const ConstraintSet& constraints, const VecX& q) {
  Kinematics kin(model);
  const VecX v = VecX::Zero(model.nv());
  UpdatePositions(model, q, &kin);
  UpdateVelocities(model, v, &kin);
  VelocityProblem out;
  out.pattern = &model.tree().pattern;
  out.h = 1;
  constraints.AddRows({model, kin, q, v, 0, out.h}, &out);
  return out;
}

}  // namespace voigt
