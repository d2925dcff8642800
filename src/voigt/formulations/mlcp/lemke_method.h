#pragma once

#include "voigt/formulations/impulse_space/polyhedral_method.h"
#include "voigt/kernels/lemke.h"

namespace voigt {

// Lemke's pivoting, begun from the last step's set of active rows.
class LemkeMethod : public PolyhedralMethod {
 public:
  LemkeMethod(const PolyhedralSettings& cone, const ImpulseSpaceSettings& settings);

 protected:
  IslandOutcome SolveLcp(const ComplementarityProblem& problem, const std::vector<char>& set,
                         Eigen::Ref<VecX> z) override;

 private:
  LemkeSettings settings_;
  Lemke kernel_;
};

}  // namespace voigt
