#pragma once

#include <memory>
#include <vector>

#include "voigt/audit/contradiction.h"
#include "voigt/formulations/formulation.h"
#include "voigt/formulations/impulse_space/held_response.h"
#include "voigt/formulations/impulse_space/impulse_island.h"
#include "voigt/formulations/impulse_space/law_tangent.h"

namespace voigt {

// What a method made of an island.
struct IslandOutcome {
  SolveStatus status =
      SolveStatus::kFailed;  // kSolved if it thinks so; the residual is judged here
  int iterations = 0;        // pivots, or steps of Levenberg and Marquardt
  int factorizations = 0;
  bool by_other_ways = false;  // something else than the method's own way was tried
};

// Solves the laws of one island, u = A γ + q (impulse_island.h).
class IslandMethod {
 public:
  virtual ~IslandMethod() = default;

  // What friction law it is to be judged by. Comes before the islands of a problem.
  virtual void Claim(const VelocityProblem& problem, Solution* solution) = 0;

  // gamma: start and result, one per row of the island. Force laws are linear by now.
  virtual IslandOutcome Solve(const ImpulseIsland& island, VecX* gamma) = 0;

  // What the last Solve adds to the claim.
  virtual void AddToClaim(const ImpulseIsland&, Solution*) const {}

  // Whether the claim depends on the tangents of force laws, which are then to be those of the
  // solution itself and not of one that is near enough.
  virtual bool claims_tangents() const { return false; }

  // Whether rows may push more than their force laws say, which are then lower bounds.
  virtual bool exceeds_laws() const { return false; }

  // Whether asking again with proximal terms (ImpulseFormulation) can help.
  virtual bool gains_by_proximal_steps() const { return true; }

  // Whether Solve can go on by other ways where its own stalls, and whether it may.
  virtual bool has_restarts() const { return false; }
  virtual void AllowRestarts(bool) {}
};

// A formulation in the space of impulses: island by island, the problem is assembled, force laws
// are replaced by their tangents until those settle, and a method solves what is left.
//
// Gaps that are too wide to close in a step ask for velocities far beyond all others, and methods
// that measure themselves by the largest number overlook what is small. Where a method has failed,
// it is asked again with such gaps made narrow.
//
// Where rows repeat each other nearly, a method may fail, or return impulses of any size that
// cancel. Then it is asked again with A + ε, q − ε γ_k for impulses γ_k that it returned the last
// time, ε becoming smaller: the proximal-point method, whose solutions are those of the problem
// itself and stay near its start. All of these are told as other ways. Restarts of a method of its
// own take longer and help less often: they come last.
class ImpulseFormulation : public Formulation {
 public:
  ImpulseFormulation(const ImpulseSpaceSettings& settings, std::unique_ptr<IslandMethod> method);

  void Solve(const VelocityProblem& problem, const VecX& warm_start, Solution* solution) override;
  void SolveHeld(const VelocityProblem& problem, VecX* x, VecX* gamma) override;

 private:
  IslandOutcome RunMethod(int index, Solution* out);
  SolveStatus SolveIsland(int index, Solution* out);
  bool IsSolved(int index) const;  // after residual_.Calc
  void Remember(int index, const Solution& out);
  void KeepIfBetter(int index, Solution* out);  // after residual_.Calc
  void SolveWithNarrowGaps(int index, Solution* out);
  void SolveByProximalSteps(int index, Solution* out);
  void SolveWithRestarts(int index, Solution* out);
  double CalcResidual(const ImpulseIsland& island) const;
  void TakeImpulses(int index, const Solution& from);
  void PutImpulses(int index, Solution* to) const;

  struct Before {
    VecX gamma;  // of one island
    MaxDissipationClaim claim;
    double residual = kNaN;
  };

  ImpulseSpaceSettings settings_;
  std::unique_ptr<IslandMethod> method_;
  ImpulseSpace space_;
  std::vector<ImpulseIsland> islands_;
  std::vector<LawTangents> tangents_;  // per island
  LawResidual residual_;
  Contradiction contradiction_;
  HeldResponse held_;
  std::vector<VecX> gamma_;  // per island
  VecX start_, best_;        // of one island: where it began, and the best of several
  Before before_;            // other ways were tried
  VecX wide_;                // q with all gaps as they are
  VecX guess_;               // of all rows
  VecX solution_;            // impulses of the last Solve
};

}  // namespace voigt
