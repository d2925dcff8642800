#pragma once

#include "voigt/formulations/impulse_space/polyhedral_method.h"
#include "voigt/kernels/fischer_burmeister.h"

namespace voigt {

// Fischer–Burmeister equations, solved by Levenberg and Marquardt's method from the last step's
// impulses.
class FischerBurmeisterMethod : public PolyhedralMethod {
 public:
  FischerBurmeisterMethod(LevenbergMarquardtVariant variant, const PolyhedralSettings& cone,
                          const ImpulseSpaceSettings& settings);

  bool has_restarts() const override { return true; }
  void AllowRestarts(bool allow) override { settings_.allow_restarts = allow; }

 protected:
  IslandOutcome SolveLcp(const ComplementarityProblem& problem, const std::vector<char>& set,
                         Eigen::Ref<VecX> z) override;

 private:
  FischerBurmeisterSettings settings_;
  FischerBurmeister kernel_;
};

}  // namespace voigt
