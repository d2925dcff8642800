#include <utility>

#include "voigt/formulations/compliant/island_steps.h"
#include "voigt/formulations/impulse_space/contact_as_ncp.h"

namespace voigt::internal {

void IslandSolver::SetLaggedRadii() {
  ForEachContact(
      [&](ConvexBlock& block, double lagged) { block.bound = std::isfinite(lagged) ? lagged : 0; });
}

bool IslandSolver::MaySweep() {
  return !has_swept_ && IsBed() && settings_.matrix_kind == MatrixKind::kAuto &&
         ContactSweeps::Applies(program_, island_.blocks, island_.ranges);
}

// Newton's method from the last step's impulses would take many factors.
bool IslandSolver::IsBedFarOff() {
  constexpr double kNear = 1e-4;
  return MaySweep() && !island_.chain->applies() && CalcCoulombResidual() > kNear * scale_;
}

// Contact by contact from the last step's impulses: in a bed everything changes a little, and
// nothing much. The velocities that the residual is compared with are those of the solution.
bool IslandSolver::SweepBed(IslandResult* result) {
  constexpr int kMost = 2000, kMostBesideFactor = 500, kMaxRounds = 4;
  has_swept_ = true;
  Keep();
  UpdateScale();
  ContactSweepsSettings settings;
  settings.max_sweeps = IsLargeBed() ? kMost : kMostBesideFactor;
  settings.deadline = settings_.deadline;
  double residual = kInfinity;
  bool is_enough = false;
  for (int round = 0; round < kMaxRounds && !is_enough; ++round) {
    settings.tolerance = kMargin * Accepted();
    const ContactSweepsResult swept = island_ws_.contact_sweeps.Solve(
        program_, island_.blocks, island_.ranges, settings, &gamma_);
    result->sweeps += swept.sweeps;
    residual = CalcCoulombResidual();
    is_enough = residual <= (1 - kGapMargin) * Accepted();
    if (!swept.converged) break;
  }
  if (!is_enough) {
    GoBack();
    return false;
  }
  KeepBest(residual);
  result->is_swept = IsLargeBed();
  if (!result->is_swept) AddDigits();
  TakeBest();
  result->residual = CalcCoulombResidual();
  result->status = SolveStatus::kSolved;
  return true;
}

// A step of Newton's method or two, where a factor is at hand.
void IslandSolver::AddDigits() {
  constexpr int kFewSteps = 2;
  SetFloor(kFloor);
  NaturalNewtonSettings newton = MakePolishSettings();
  newton.max_iterations = kFewSteps;
  KeepBest(PolishWith(newton, true).residual);
}

// Nothing to start from, or what the interior point does not know.
bool IslandSolver::NeedsPasses() {
  return !InteriorPoint::Applies(island_) || (!IsBed() && !HasGuess());
}

bool IslandSolver::KnowsInterior() { return InteriorPoint::Applies(island_); }

// Impulses that are far from the law may be of any size, and do any work. Those of the convex cones
// bring in no energy but what gaps ask for: better to be stopped by them for a step.
void IslandSolver::TakeConvexCones(IslandResult* result) {
  result->solved_by = Attempt::kCones;
  BeginRescue();
  ForEachRow([&](int r) { gamma_[r] = 0; });
  SetContacts(ConvexSet::kCone);
  Minimize();
  SetContacts(ConvexSet::kCoulomb);
  UpdateScale();
  result->residual = CalcResidual();
}

bool IslandSolver::HasSingleDiscs() {
  return std::none_of(island_.blocks.begin(), island_.blocks.end(), [&](int i) {
    const ConvexBlock& block = program_.blocks[i];
    return IsCoupled(block.set) && !block.has_one_disc();
  });
}

// The cost of dense steps grows with the cube of the rows: a hundred of them take 20 ms, where
// proximal passes take 3, and two hundred may take a second.
bool IslandSolver::HasFewSingleDiscs() {
  constexpr int kFew = 60;
  return CountRows() <= kFew && HasSingleDiscs();
}

bool IslandSolver::HasManySingleDiscs() {
  constexpr int kMost = 120;
  return CountRows() <= kMost && !HasFewSingleDiscs() && HasSingleDiscs();
}

int IslandSolver::CountRows() const {
  int rows = 0;
  ForEachRow([&](int) { ++rows; });
  return rows;
}

// The interior point decides late what sticks and slides; Newton's method on the natural map then
// has all digits in a step or two.
bool IslandSolver::SolveInterior(IslandResult* result) {
  constexpr double kAfterInterior = 1e-4;
  constexpr int kSteady = 3;
  SetContacts(ConvexSet::kCoulomb);
  InteriorPointSettings settings;
  settings.max_iterations = std::clamp(IterationsLeft(), 1, settings.max_iterations);
  UpdateScale();
  settings.scale = scale_;
  settings.deadline = settings_.deadline;
  SetFloor(kFloor);
  ++result->friction_passes;
  island_ws_.interior_point.Solve(island_, settings, &v_, &gamma_, &ws_, &stats_);
  OpenContacts();
  // Steps that are softer than elsewhere leave more time to decide. Once they are steady, what is
  // left is for steps as elsewhere.
  NaturalNewtonSettings newton = MakePolishSettings();
  newton.accelerate = false;
  newton.steady_steps = kSteady;
  SetFloor(kAfterInterior);
  KeepBest(PolishWith(newton).residual);
  SetFloor(kFloor);
  return PolishCoulomb();
}

// What the natural map opens has no impulse, where the interior point leaves a little.
void IslandSolver::OpenContacts() {
  CalcResidual();
  ForEachContact([&](ConvexBlock& block, double) {
    const int n = block.first_row;
    const double u = ws_.y[n] + program_.R[n] * gamma_[n] - program_.b[n];
    if (ws_.S[n] * gamma_[n] <= u) gamma_.segment(n, block.row_count).setZero();
  });
}

// The law without its velocities, as an implicit complementarity problem with a dense matrix: for
// small islands in which friction and normal forces depend on each other so much that passes do not
// settle.
bool IslandSolver::SolveImplicit(IslandResult*) {
  if (!AssembleImpulses()) return false;
  ListNcpBlocks(island_ws_.impulses, &island_ws_.ncp_blocks);
  if (!std::isfinite(best_residual_)) {
    KeepIn(&island_ws_.best);
  }
  const ImpulseIsland& impulses = island_ws_.impulses;
  const int rows = impulses.row_count();
  VecX& gamma = island_ws_.island_gamma;
  gamma.resize(rows);
  ImplicitNcpSettings settings;
  settings.variant = LevenbergMarquardtVariant::kProjected;
  settings.tolerance = 0.1 * settings_.aim;
  settings.scale = scale_;
  settings.max_iterations = std::clamp(IterationsLeft(), 1, settings.max_iterations);
  settings.deadline = settings_.deadline;
  ImplicitNcpStats stats;
  const auto solve = [&](bool from_best, bool with_restarts) {
    for (int i = 0; i < rows; ++i) gamma[i] = from_best ? island_ws_.best[impulses.rows[i]] : 0;
    settings.allow_restarts = with_restarts;
    island_ws_.implicit_ncp.Solve({impulses.A, impulses.q, island_ws_.ncp_blocks}, settings, gamma,
                                  &stats);
    for (int i = 0; i < rows; ++i) gamma_[impulses.rows[i]] = gamma[i];
    const double residual = CalcCoulombResidual();
    KeepBest(residual);
    return IsAccepted(residual);
  };
  SetFloor(kFloor);
  // The best so far may lead nowhere: then from nothing, and only then with all the method has.
  solve(true, false) || solve(false, false) || solve(true, true);
  stats_.iterations += stats.lm.iterations;
  stats_.factorizations += stats.lm.factors;
  // The last digits, if that is all that is missing.
  if (PolishCoulomb()) return true;
  TakeBest();
  UpdateScale();
  return IsAccepted(best_residual_);
}

// Programs of lagged friction, each with the normal impulses of the one before. The natural map is
// tried twice from the same start, at last in steps that end where something gives way.
bool IslandSolver::RunPasses(IslandResult* result) {
  constexpr int kFewPasses = 3;
  for (int pass = 0; pass < kFewPasses && MayGoOn(); ++pass) {
    SetContacts(ConvexSet::kDisc);
    Minimize();
    ++result->friction_passes;
    Keep();

    // A first pass without friction tells the normal forces only.
    const bool bootstrap = pass == 0 && !NormalsAgreeWithRadii(island_, gamma_);
    if (!bootstrap) {
      if (PolishCoulomb()) return true;
      GoBack();
      if (PolishCoulomb(true)) return true;
      GoBack();
    }
    SetRadiiFromImpulses(island_, gamma_, 1, &program_);
  }
  return false;
}

// Passes whose programs are exact, by proximal steps about the impulses that are there: what sticks
// and slides is left to the line search of a convex function, where the natural map changes too
// much at once. For bodies that hardly move and are held by more friction than they need: many
// discs then stick that must give way by 1e-9 of the velocities, as rows contradict each other. The
// smaller the floor, the larger the steps, and the more there may be in a step that gives way: it
// stays as long as passes gain, and does not come back to where it was too small. Bounds that swing
// from pass to pass are damped at last.
bool IslandSolver::RunProximalPasses(IslandResult* result) {
  constexpr double kFirstFloor = 1e-6, kMostFloor = 0.1, kFactor = 100, kGain = 0.5, kDamped = 0.5;
  constexpr int kMostPasses = 40, kMostFailures = 6;
  TakeBest();
  bool found = false;
  int failures = 0;
  double floor = kFirstFloor, least_floor = 1e-11, last = best_residual_, weight = 1;
  for (int pass = 0; pass < kMostPasses && MayGoOn() && !found; ++pass) {
    Keep();
    ++result->friction_passes;
    if (!RunProximalPass(floor, weight)) {
      if (++failures == kMostFailures) break;
      GoBack();
      least_floor = std::max(least_floor, 10 * floor);
      floor = std::min(kMostFloor, floor * kFactor);
      continue;
    }
    const double residual = CalcCoulombResidual();
    KeepBest(residual);
    found = residual <= kMargin * Accepted();
    const bool gains = residual < kGain * last;
    last = residual;
    if (found || gains) continue;
    found = PolishProximalPass();
    if (floor <= least_floor) weight = kDamped;
    floor = std::max(least_floor, floor / kFactor);
  }
  SetFloor(kFloor);
  return found;
}

// Bounds go to the normal impulses by the part `weight` of the way.
bool IslandSolver::RunProximalPass(double floor, double weight) {
  constexpr int kFewSteps = 20;
  SetContacts(ConvexSet::kDisc);
  SetRadiiFromImpulses(island_, gamma_, weight, &program_);
  CalcResidual();  // v of these impulses
  return MinimizeFromHere(floor, kFewSteps);
}

// How far the impulses are from the law.
double IslandSolver::CalcCoulombResidual() {
  SetContacts(ConvexSet::kCoulomb);
  UpdateScale();
  return CalcResidual();
}

// A few steps on the natural map of the law may do.
bool IslandSolver::PolishProximalPass() {
  SetFloor(kFloor);
  const NaturalNewtonResult natural = Polish(kImpatient);
  KeepBest(natural.residual);
  return natural.converged;
}

// Newton's method on the natural map of the Coulomb law; keeps the point if it is the best so far.
bool IslandSolver::PolishCoulomb(bool careful) {
  SetContacts(ConvexSet::kCoulomb);
  const NaturalNewtonResult natural = Polish(kPatience, careful);
  KeepBest(natural.residual);
  return natural.converged;
}

void IslandSolver::KeepBest(double residual) {
  if (!(residual < best_residual_)) return;
  best_residual_ = residual;
  KeepIn(&island_ws_.best);
}

// Contact by contact; `tolerance` is a velocity.
void IslandSolver::RunSweeps(int most, double tolerance) {
  SetContacts(ConvexSet::kCoulomb);
  GaussSeidelSettings settings;
  settings.max_sweeps = most;
  settings.tolerance = tolerance;
  settings.scale = 1;
  settings.deadline = settings_.deadline;
  GaussSeidelStats stats;
  island_ws_.gauss_seidel.Solve(program_, island_.blocks, island_.ranges, settings, &v_, &gamma_,
                                &stats);
}

}  // namespace voigt::internal
