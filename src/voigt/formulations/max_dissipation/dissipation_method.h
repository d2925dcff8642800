#pragma once

#include "voigt/formulations/impulse_space/impulse_formulation.h"
#include "voigt/formulations/max_dissipation/dissipation_program.h"
#include "voigt/kernels/accelerated_projected_gradient.h"
#include "voigt/kernels/boxed_pivoting.h"
#include "voigt/kernels/cone_qp.h"
#include "voigt/kernels/lemke.h"

namespace voigt {

// Contact by the principle of maximum dissipation [Drumwright & Shell 2010], phase I without
// friction, which bounds the sum of normal impulses, and phase II with it.
class DissipationMethod : public IslandMethod {
 public:
  explicit DissipationMethod(const ImpulseSpaceSettings& settings);

  // What normals and unilateral rows push at least, per row of the problem, until this is called
  // again; null: nothing. For phase III, in which impulses of phase II return in part.
  void SetLeast(const VecX* least) { given_least_ = least; }

  void Claim(const VelocityProblem& problem, Solution* solution) override;
  // Where phase II fails, gamma is that of phase I: no friction, but everything else holds.
  IslandOutcome Solve(const ImpulseIsland& island, VecX* gamma) override;
  void AddToClaim(const ImpulseIsland& island, Solution* solution) const override;
  bool claims_tangents() const override { return true; }
  bool gains_by_proximal_steps() const override { return false; }

 private:
  bool SolveWithoutFriction(const ImpulseIsland& island, IslandOutcome* out);
  void SetBounds(const ImpulseIsland& island);
  bool SolveByPath(const ImpulseIsland& island, IslandOutcome* out);
  bool SolveByProximalPivoting(const ImpulseIsland& island, IslandOutcome* out);
  bool SolveByGradients(const ImpulseIsland& island);
  bool SolveWithFriction(const ImpulseIsland& island, VecX* gamma, IslandOutcome* out);
  bool SolveConeProgram(const ImpulseIsland& island, VecX* gamma, IslandOutcome* out);
  void CalcSlips(const ImpulseIsland& island);
  double UpdateCones(const ImpulseIsland& island, const VecX& gamma);

  ConeQpSettings settings_;
  double aim_;
  ViscousFriction viscous_ = ViscousFriction::kDamper;
  bool has_viscous_ = false;        // in a cone of the island
  std::vector<double> slip_;        // per group of the island, of the free motion, m/s
  std::vector<WidenedCone> cones_;  // per group of the island, of its slip
  const VecX* given_least_ = nullptr;
  VecX least_;  // of the island
  VecX lower_, upper_, frictionless_;
  MatX A_;  // with proximal terms; their right side, and the best impulses so far
  VecX q_, best_, scratch_;
  BoxedPivoting pivoting_;
  Lemke lemke_;
  AcceleratedProjectedGradient gradient_;
  DissipationProgram program_;
  ConeQp kernel_;
  ConeQpPoint point_;
  // Of the last island: impulses, whether they are those sought, and whether by phase II.
  VecX gamma_;
  bool has_arrived_ = false, has_multipliers_ = false;
};

}  // namespace voigt
