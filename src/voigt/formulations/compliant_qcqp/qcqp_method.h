#pragma once

#include "voigt/formulations/compliant_qcqp/qcqp_program.h"
#include "voigt/formulations/impulse_space/impulse_formulation.h"
#include "voigt/kernels/cone_qp.h"

namespace voigt {

// Compliant contact as it was printed, the program of minimum norm (qcqp_program.h): for study.
// Where normals and unilateral rows push more than their laws ask for, SolveStats::inflated counts
// them.
class QcqpMethod : public IslandMethod {
 public:
  explicit QcqpMethod(const ImpulseSpaceSettings& settings);

  void Claim(const VelocityProblem& problem, Solution* solution) override;
  IslandOutcome Solve(const ImpulseIsland& island, VecX* gamma) override;
  void AddToClaim(const ImpulseIsland& island, Solution* solution) const override;
  bool claims_tangents() const override { return true; }
  bool exceeds_laws() const override { return true; }
  bool gains_by_proximal_steps() const override { return false; }

 private:
  bool SolveScaled(const ImpulseIsland& island, const VecX& start, IslandOutcome* out);
  int CountInflated(const ImpulseIsland& island) const;

  std::optional<double> zeta_, tangential_damping_;
  QcqpWeights weights_;  // of the problem at hand
  ConeQpSettings settings_;
  QcqpProgram program_;
  ConeQp kernel_;
  ConeQpPoint point_;
  // Of the last island: impulses, and whether the kernel found them.
  VecX gamma_;
  bool has_multipliers_ = false;
};

}  // namespace voigt
