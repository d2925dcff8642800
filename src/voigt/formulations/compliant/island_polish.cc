// Newton's method on the natural map, which has the last word on every island, with and without a
// factor.

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
  newton.unsymmetric = !IsIterative();
  if (redundancy_.is_found()) {
    newton.max_iterations = std::clamp(IterationsLeft(), 1, kMaxSteps);
    const auto update = [this](NaturalNewtonSettings* settings) {
      UpdateScale();
      UpdateTolerance(settings);
    };
    return redundancy_.Solve(island_, newton, update, &program_, &v_, &gamma_, &ws_, &stats_);
  }
  return IsIterative() ? PolishInStages() : PolishWith(newton);
}

// Without a factor, a step costs the more the stiffer it is; soft ones do unless a bed is jammed.
// Where they do not, a factor and full steps from the point that they have come to: stiffer steps
// without one take longer and leave off where they began. They are for those who ask for conjugate
// gradients alone.
NaturalNewtonResult IslandSolver::PolishInStages() {
  constexpr double kLinearTolerance = 0.2;  // impulses answer velocities by the inverse floor
  const bool has_several = HasSeveralDiscs(), may_use_factor = island_.matrix->may_use_factor();
  NaturalNewtonSettings newton = MakePolishSettings();
  newton.unsymmetric = false;
  newton.patience = kMaxBedSteps;
  newton.steps_per_digit = has_several ? 6 : 10;
  newton.extra_steps = 1;
  NaturalNewtonResult result;
  // Discs against turning are small, and soft steps slow.
  for (const double floor : std::span(kIterativeFloors).subspan(has_several ? 1 : 0)) {
    SetFloor(floor);
    newton.linear_tolerance = kLinearTolerance * floor;
    result = PolishWith(newton);
    if (result.converged || !MayGoOn() || !IsIterative() || may_use_factor) break;
  }
  if (!result.converged && MayGoOn()) result = PolishWithFactor(result);
  SetFloor(Floor());
  return result;
}

// The last step's impulses. Where they are nearly right soft steps hardly ever do: in a bed that
// comes to rest what is left to decide is what stiff ones tell.
NaturalNewtonResult IslandSolver::PolishGuess() {
  constexpr double kNear = 1e-2;
  if (!IsIterative() || !island_.matrix->may_use_factor()) return Polish(kImpatient);
  UpdateScale();
  const double residual = CalcResidual(true);
  if (residual > kNear * scale_) return Polish(kImpatient);
  const NaturalNewtonResult result = PolishWithFactor({residual, false});
  SetFloor(Floor());
  return result;
}

// Newton's method as it is, with all of its matrix. It may look lost for many steps before all
// contacts have decided what they do; to mix such steps (Anderson) keeps them from it, and stiffer
// ones would go too far. Once it is slow but steady all is decided, and stiff steps do the rest.
// Where the interior point may follow, which takes as many steps wherever it starts, they had
// better be few.
NaturalNewtonResult IslandSolver::PolishWithFactor(const NaturalNewtonResult& before) {
  constexpr double kSofter = 1e-6, kLittle = 0.1;
  if (!island_.matrix->UseFactor()) return before;
  NaturalNewtonSettings newton = MakePolishSettings();
  newton.accelerate = false;
  newton.patience = MayEnter() ? 4 : 25;
  newton.steady_steps = 4;
  SetFloor(kSofter);
  const NaturalNewtonResult result = PolishWith(newton);
  const bool is_lost = result.residual > kLittle * before.residual && MayEnter();
  if (result.converged || is_lost || !MayGoOn()) return result;
  newton.steady_steps = 0;
  SetFloor(Floor());
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
