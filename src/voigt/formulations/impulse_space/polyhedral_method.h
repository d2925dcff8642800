#pragma once

#include "voigt/formulations/impulse_space/contact_as_lcp.h"
#include "voigt/formulations/impulse_space/impulse_formulation.h"

namespace voigt {

// Which polyhedral cones a method takes.
struct PolyhedralSettings {
  int directions = 4;
  bool align = true;  // the first direction is against the slip of the free motion, u at γ = 0
  double angle = 0;   // rad, otherwise
};

SolveStatus ToSolveStatus(ComplementarityStatus status);

// Methods that solve islands as linear complementarity problems (contact_as_lcp.h).
class PolyhedralMethod : public IslandMethod {
 public:
  explicit PolyhedralMethod(const PolyhedralSettings& settings) : settings_(settings) {}

  void Claim(const VelocityProblem& problem, Solution* solution) override;
  IslandOutcome Solve(const ImpulseIsland& island, VecX* gamma) override;

 protected:
  // z: guess and result; `set`: which of its variables are basic (Lemke::set).
  virtual IslandOutcome SolveLcp(const ComplementarityProblem& problem,
                                 const std::vector<char>& set, Eigen::Ref<VecX> z) = 0;

 private:
  PolyhedralSettings settings_;
  std::vector<double> cone_angle_;  // per group
  ContactAsLcp reduction_;
  KeptVector z_;
};

}  // namespace voigt
