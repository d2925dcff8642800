#include "voigt/constraints/idle_forces.h"

namespace voigt {

const MatX& IdleForces::Calc(const MatX& G_T) {
  constexpr double kRank = 1e-9;
  Z_.resize(G_T.cols(), 0);
  if (G_T.size() == 0) return Z_;
  factor_.compute(G_T);
  factor_.setThreshold(kRank);
  if (factor_.dimensionOfKernel() == 0) return Z_;
  Z_ = factor_.kernel();
  for (int k = 0; k < Z_.cols(); ++k) Z_.col(k).normalize();
  return Z_;
}

}  // namespace voigt
