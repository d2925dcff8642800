// What the last step's impulses lead to, at the price of a few steps of Newton's method.

#include "voigt/formulations/compliant/island_steps.h"

namespace voigt::internal {

bool IslandSolver::HasSharesToKeep() { return !IsBed() && HasGuess() && !redundancy_.is_found(); }

// The impulses of the last step, which often meet the law, or nearly. Loads that could be shared in
// more than one way are then shared as programs with the floor of R do it, whatever they were
// before, for bodies that slide go where their loads are.
bool IslandSolver::TryLastImpulses(IslandResult* result) {
  Keep();
  const double residual = CalcCoulombResidual();
  KeepBest(residual);
  const bool serves = residual <= kMargin * Accepted();
  if (MayGoOn() && ShareEvenly(serves, result)) return true;
  GoBack();
  if (serves && PolishBriefly()) return true;
  GoBack();
  return false;
}

// A few sweeps over the contacts find what changed, at a fraction of a factor each.
bool IslandSolver::SweepLocally(IslandResult* result) {
  constexpr int kFewSweeps = 20;
  Keep();
  SetContacts(ConvexSet::kCoulomb);
  UpdateScale();
  RunSweeps(kFewSweeps, kMargin * Aim());
  if (FinishSweeps(result)) return true;
  GoBack();
  return false;
}

// Newton's method on the law with the floor of R for R, to all digits, and then on the law itself.
// From impulses that nearly meet the law one step does, wherever it leads: loads that are not even
// yet are closer to it in the next step.
bool IslandSolver::ShareEvenly(bool is_near, IslandResult* result) {
  SetFloor(kFloor);
  SetContacts(ConvexSet::kCoulomb);
  ForEachRow([&](int r) {
    island_ws_.R[r] = program_.R[r];
    program_.R[r] = ws_.R[r];
  });
  NaturalNewtonSettings newton = MakePolishSettings();
  newton.patience = kImpatient;
  if (is_near) newton.max_iterations = 1;
  const bool converged = PolishWith(newton, true).converged;
  ForEachRow([&](int r) { program_.R[r] = island_ws_.R[r]; });
  ++result->friction_passes;
  if (is_near) return PolishBriefly();
  return converged && PolishCoulomb();
}

// From sweeps that have found what sticks and slides, Newton's method has all digits in a step or
// two. Where they have not, steps that end where something gives way find it.
bool IslandSolver::FinishSweeps(IslandResult* result) {
  SetFloor(kFloor);
  KeepIn(&island_ws_.swept);
  const NaturalNewtonResult natural = Polish(kImpatient);
  KeepBest(natural.residual);
  if (!natural.converged) {
    TakeFrom(island_ws_.swept);
    if (!PolishCoulomb(true)) return false;
  }
  KeepIn(&island_ws_.swept);
  if (ShareEvenly(true, result)) return true;
  TakeFrom(island_ws_.swept);
  return PolishBriefly();
}

// What is nearly right; other points than this one are forgotten, whatever their residuals.
bool IslandSolver::PolishBriefly() {
  constexpr int kFewSteps = 2;
  SetFloor(kFloor);
  SetContacts(ConvexSet::kCoulomb);
  best_residual_ = kInfinity;
  NaturalNewtonSettings newton = MakePolishSettings();
  newton.max_iterations = kFewSteps;
  const NaturalNewtonResult natural = PolishWith(newton);
  KeepBest(natural.residual);
  return natural.converged;
}

}  // namespace voigt::internal
