// What is tried on an island, in which order, and what is done where nothing helps. An attempt is
// begun only where those before it were not accepted.

#include "voigt/formulations/compliant/island_steps.h"

namespace voigt::internal {

struct IslandSolver::Plans {
  using S = IslandSolver;

  // Before anything is analysed or factored.
  static constexpr PlannedAttempt kWithoutFactor[] = {
      {Attempt::kNothing, &S::HasNoGuess, &S::TryNothing},
      {Attempt::kSweeps, &S::IsBedToSweepFirst, &S::SweepBed},
  };

  // No friction, friction with given bounds, and convex cones.
  static constexpr PlannedAttempt kConvex[] = {
      {Attempt::kLastImpulses, &S::HasUniqueGuess, &S::TryGuess},
      {Attempt::kConvexProgram, &S::Always, &S::SolveConvexProgram},
      {Attempt::kCarefulSteps, &S::HasBoundsAlone, &S::TakeCarefulSteps},
      {Attempt::kPivots, &S::HasBoundsAlone, &S::SolveByPivots},
      {Attempt::kProximalSteps, &S::IsNotLinear, &S::TakeProximalSteps},
      {Attempt::kCones, &S::HasDiscs, &S::SolveByCones},
  };

  // The Coulomb law: where the solution cannot depend on what one starts from, or nobody minds,
  static constexpr PlannedAttempt kCoulombUnique[] = {
      {Attempt::kSweeps, &S::IsBedFarOff, &S::SweepBed},
      {Attempt::kLastImpulses, &S::HasUniqueGuess, &S::TryGuess},
      {Attempt::kSweeps, &S::MaySweep, &S::SweepBed},
  };
  // where loads can be shared in more than one way,
  static constexpr PlannedAttempt kCoulomb[] = {
      {Attempt::kLastImpulses, &S::HasSharesToKeep, &S::TryLastImpulses},
      {Attempt::kLocalSweeps, &S::HasSharesToKeep, &S::SweepLocally},
      {Attempt::kConvexProgram, &S::NeedsPasses, &S::RunPasses},
      {Attempt::kInteriorPoint, &S::KnowsInterior, &S::SolveInterior},
  };
  // and where friction changes the pressure that bounds it, or bodies hardly move.
  static constexpr PlannedAttempt kCoulombHard[] = {
      {Attempt::kImplicit, &S::HasFewSingleDiscs, &S::SolveImplicit},
      {Attempt::kProximalSteps, &S::HasNoRedundancy, &S::RunProximalPasses},
      {Attempt::kImplicit, &S::HasManySingleDiscs, &S::SolveImplicit},
  };
};

bool IslandSolver::Run(std::span<const PlannedAttempt> plan, IslandResult* result) {
  for (const PlannedAttempt& planned : plan) {
    // Whatever the limits are, something is given out.
    if (!MayGoOn() && std::isfinite(best_residual_)) return false;
    if (!settings_.attempts.has(planned.attempt) || !(this->*planned.applies)()) continue;
    result->solved_by = planned.attempt;
    if ((this->*planned.run)(result)) return true;
  }
  return false;
}

void IslandSolver::SolveConvex(IslandResult* result) {
  best_residual_ = kInfinity;
  has_swept_ = is_minimized_ = false;
  SetFloor(kFloor);
  if (Run(Plans::kWithoutFactor, result)) return;
  Prepare();
  if (Run(Plans::kConvex, result)) return;
  TakeBest();
  UpdateScale();
  result->residual = CalcResidual();
  if (is_minimized_ || !velocity_scale_.is_sane()) ShareInconsistency(result);
  const SolveStatus not_solved = MayGoOn() ? SolveStatus::kInaccurate : StatusOfLimit();
  result->status = IsAccepted(result->residual) ? SolveStatus::kSolved : not_solved;
}

// The bound of γ_t is the remembered normal force; a contact that has none, or whose force changed
// by more than a factor 2, gets that of a pass of this step.
void IslandSolver::SolveLagged(IslandResult* result) {
  SetLaggedRadii();
  SolveConvex(result);
  result->friction_passes = 1;
  if (!has_friction_ || NormalsAgreeWithRadii(island_, gamma_)) return;
  SetRadiiFromImpulses(island_, gamma_, 1, &program_);
  SolveConvex(result);
  ++result->friction_passes;
}

// Newton's method on the natural map of the law has the last word on each attempt.
void IslandSolver::SolveCoulomb(IslandResult* result) {
  constexpr double kFarOff = 1e-2;
  SetLaggedRadii();
  best_residual_ = kInfinity;
  has_swept_ = is_minimized_ = false;
  SetFloor(kFloor);
  SetContacts(ConvexSet::kCoulomb);
  if (Run(Plans::kWithoutFactor, result)) return;
  Prepare();
  if (Run(Plans::kCoulombUnique, result)) return;
  const bool found = Run(Plans::kCoulomb, result);
  if (LookForRedundancy(found ? best_residual_ : kInfinity)) return SolveCoulomb(result);
  if (!found) Run(Plans::kCoulombHard, result);
  TakeBest();
  SetContacts(ConvexSet::kCoulomb);
  UpdateScale();
  result->residual = CalcResidual();
  const SolveStatus not_solved = MayGoOn() ? SolveStatus::kNoFixedPoint : StatusOfLimit();
  const bool is_far_off = !(result->residual <= kFarOff * velocity_scale_.without_impulses);
  if (is_far_off && settings_.attempts.has(Attempt::kCones)) TakeConvexCones(result);
  result->status = IsAccepted(result->residual) ? SolveStatus::kSolved : not_solved;
}

void IslandSolver::SolveProgram(IslandResult* result) {
  if (!has_friction_ || settings_.friction == FrictionMode::kCone) {
    SolveConvex(result);
  } else if (settings_.friction == FrictionMode::kLagged) {
    SolveLagged(result);
  } else {
    SolveCoulomb(result);
  }
  // Impulses that are too large for what they leave, or clearly worse than none.
  constexpr double kWorse = 2;
  const bool is_bad =
      !velocity_scale_.is_sane() || result->residual > kWorse * velocity_scale_.without_impulses;
  if (result->status != SolveStatus::kSolved && is_bad) TakeSoft(result);
  StayWithinSets(result);
}

}  // namespace voigt::internal
