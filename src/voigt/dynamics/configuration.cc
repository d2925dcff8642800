#include "voigt/dynamics/configuration.h"

namespace voigt {

Configuration::Configuration(const Model& model)
    : q_(VecX::Constant(model.nq(), kNaN)),  // equal to nothing
      kin_(model),
      composite_(model),
      M_(VecX::Zero(model.tree().pattern.nonzeros())),
      factor_(model.tree().pattern) {}

bool Configuration::Update(const Model& model, const VecX& q) {
  if (q == q_ && model.nq() > 0) return true;
  UpdatePositions(model, q, &kin_);
  CalcMassMatrix(model, kin_, &composite_, &M_);
  if (factor_.Factor(model.tree().pattern, M_) >= 0) {
    q_.setConstant(kNaN);
    return false;
  }
  q_ = q;
  return true;
}

}  // namespace voigt
