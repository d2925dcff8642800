// Newton's method on the natural map, which has the last word on nearly every island.

#include "voigt/formulations/compliant/island_steps.h"

namespace voigt::internal {
namespace {

constexpr int kMaxSteps = 30, kMaxBedSteps = 80;

}  // namespace

NaturalNewtonSettings IslandSolver::MakePolishSettings() const {
  NaturalNewtonSettings newton;
  newton.max_iterations = IsBed() ? kMaxBedSteps : kMaxSteps;
  newton.deadline = settings_.deadline;
  return newton;
}

void IslandSolver::UpdateTolerance(NaturalNewtonSettings* newton) const {
  newton->accepted = margin_ * Accepted();
  newton->aim = margin_ * Aim();
}

NaturalNewtonResult IslandSolver::Polish(int patience, bool careful) {
  NaturalNewtonSettings newton = MakePolishSettings();
  newton.patience = patience;
  newton.careful = careful;
  if (redundancy_.is_found()) {
    newton.max_iterations = std::clamp(IterationsLeft(), 1, kMaxSteps);
    const auto update = [this](NaturalNewtonSettings* settings) {
      UpdateScale();
      UpdateTolerance(settings);
    };
    return redundancy_.Solve(island_, newton, update, &program_, &v_, &gamma_, &ws_, &stats_);
  }
  return PolishWith(newton);
}

// The velocities that the residual is compared with are those of the solution: a bad start, with
// large impulses, must not pass for large velocities. All the way: nothing but the aim is accepted.
NaturalNewtonResult IslandSolver::PolishWith(NaturalNewtonSettings newton, bool all_the_way) {
  constexpr int kMaxRounds = 4;
  const int most_steps = newton.max_iterations;
  NaturalNewtonResult result;
  UpdateScale();
  for (int round = 0; round < kMaxRounds; ++round) {
    UpdateTolerance(&newton);
    if (all_the_way) newton.accepted = newton.aim;
    newton.max_iterations = std::clamp(IterationsLeft(), 1, most_steps);
    result = SolveNaturalMap(island_, newton, &v_, &gamma_, &ws_, &stats_);
    UpdateScale();
    result.residual = std::max(result.residual, velocity_scale_.hidden());
    const bool is_enough = result.residual <= (1 - kGapMargin) * Accepted();
    if (!result.converged || is_enough) return result;
  }
  result.converged = false;
  return result;
}

}  // namespace voigt::internal
