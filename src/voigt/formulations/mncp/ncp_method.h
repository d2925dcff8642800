#pragma once

#include "voigt/formulations/impulse_space/impulse_formulation.h"
#include "voigt/kernels/implicit_ncp.h"

namespace voigt {

// Contact with the exact friction cone as an implicit nonlinear complementarity problem [Todorov
// 2010; Mylapilli & Jain 2014], solved by Levenberg and Marquardt's method.
class NcpMethod : public IslandMethod {
 public:
  NcpMethod(LevenbergMarquardtVariant variant, const ImpulseSpaceSettings& settings);

  void Claim(const VelocityProblem& problem, Solution* solution) override;
  IslandOutcome Solve(const ImpulseIsland& island, VecX* gamma) override;

 private:
  ImplicitNcpSettings settings_;
  std::vector<NcpBlock> blocks_;
  ImplicitNcp kernel_;
};

}  // namespace voigt
