#include "voigt/formulations/compliant/island_solver.h"

#include <algorithm>
#include <cmath>

#include "voigt/formulations/compliant/friction_radii.h"
#include "voigt/formulations/compliant/island_scales.h"
#include "voigt/kernels/convex_newton.h"
#include "voigt/kernels/convex_set.h"
#include "voigt/kernels/landings.h"

namespace voigt {
namespace {

constexpr int kBed = 60;  // degrees of freedom from which contacts alone are a bed

class IslandSolver {
 public:
  IslandSolver(const IslandSettings& settings, const VelocityProblem& problem,
               std::span<const double> lagged, ConvexProgram* program, const IslandView& island,
               VecX* v, VecX* gamma, IslandWorkspace* ws, NewtonStats* stats)
      : settings_(settings),
        problem_(problem),
        lagged_(lagged),
        program_(*program),
        island_(island),
        v_(*v),
        gamma_(*gamma),
        island_ws_(*ws),
        redundancy_(ws->redundancy),
        ws_(ws->newton),
        stats_(*stats) {}

  IslandResult Solve();

 private:
  template <typename Visit>
  void ForEachRow(Visit visit) const {
    voigt::ForEachRow(program_, island_.blocks, visit);
  }
  template <typename Visit>
  void ForEachContact(Visit visit) const {
    for (int i : island_.blocks) {
      ConvexBlock& block = program_.blocks[i];
      if (IsCoupled(block.set)) visit(block, lagged_[i]);
    }
  }

  bool IsBed() const { return island_.matrix->is_bed() && island_.matrix->size() > kBed; }
  // Conjugate gradients need matrices of moderate condition; more steps on the natural map, each
  // cheap, make up for it.
  double Floor() const {
    return island_.matrix->kind() == MatrixKind::kIterative ? kIterativeFloor : kFloor;
  }
  double CalcScale() const { return scales_.CalcVelocity(program_, island_.blocks, gamma_, ws_.S); }
  void SetFloor(double floor) { scales_.SetFloor(program_, island_.blocks, floor, &ws_.R); }
  bool MinimizeWithFloor(double floor, bool about_gamma, int iterations);
  bool Minimize();
  NaturalNewtonResult Polish(int patience = 10);
  bool TryGuess(IslandResult* result);
  void SetContacts(ConvexSet set);
  void SetLaggedRadii();
  void SolveConvex(IslandResult* result);
  void SolveLagged(IslandResult* result);
  void SolveCoulomb(IslandResult* result);
  bool MayStartFromGuess();
  bool SolveBed(IslandResult* result);
  bool RunPasses(IslandResult* result);
  bool TryOnePass(IslandResult* result);
  // Whether the interior point knows all rows and has a factor to work with.
  bool MayEnter() const {
    return MayGoOn() && island_.matrix->kind() != MatrixKind::kIterative &&
           InteriorPoint::Applies(island_);
  }
  void TakeBest() {
    if (!std::isfinite(best_residual_)) return;
    ForEachRow([&](int r) { gamma_[r] = island_ws_.best[r]; });
  }
  bool SolveInterior(IslandResult* result);
  bool PolishCoulomb();
  void RunGaussSeidel(IslandResult* result);
  void TakeConvexCones(IslandResult* result);
  void ShareInconsistency(IslandResult* result);
  bool LookForRedundancy(bool converged) {
    return redundancy_.Look(problem_, island_, converged, scale_, &gamma_, &ws_);
  }
  void ReportRedundancy(IslandResult* result);
  bool MayGoOn() const { return IterationsLeft() > 0 && !settings_.deadline.HasPassed(); }
  SolveStatus StatusOfLimit() const {
    return settings_.deadline.HasPassed() ? SolveStatus::kTimeLimit : SolveStatus::kIterationLimit;
  }
  int IterationsLeft() const { return settings_.max_iterations - stats_.iterations + start_; }

  const IslandSettings& settings_;
  const VelocityProblem& problem_;
  std::span<const double> lagged_;
  ConvexProgram& program_;
  const IslandView& island_;
  VecX& v_;
  VecX& gamma_;
  IslandWorkspace& island_ws_;
  Redundancy& redundancy_;
  NewtonWorkspace& ws_;
  NewtonStats& stats_;
  int start_ = 0;
  IslandScales scales_;
  double scale_ = 1;
  double best_residual_ = kInfinity;
  bool has_friction_ = false;
};

bool IslandSolver::MinimizeWithFloor(double floor, bool about_gamma, int iterations) {
  SetFloor(floor);
  ForEachRow(
      [&](int r) { ws_.shift[r] = about_gamma ? (ws_.R[r] - program_.R[r]) * gamma_[r] : 0; });
  const bool is_predicted = PredictVelocity(island_, gamma_, &v_, &ws_, &stats_);
  ConvexNewtonSettings newton;
  newton.max_iterations = std::clamp(IterationsLeft(), 1, iterations);
  newton.deadline = settings_.deadline;
  return MinimizeConvex(island_, newton, is_predicted, &v_, &gamma_, &ws_, &stats_);
}

// The program with the floor of R that impulses are refined from. Where discs and cones are stiff,
// Newton's steps along their tangents leave their curved edges at once; then the way leads over
// softer programs, and at last over proximal ones, whose stiffness is moderate and whose solutions
// tend to that of the program itself (the method of multipliers).
bool IslandSolver::Minimize() {
  constexpr int kQuick = 12, kThorough = 40, kProximalSteps = 5;
  if (MinimizeWithFloor(Floor(), false, kQuick)) return true;
  ForEachRow([&](int r) { gamma_[r] = 0; });
  bool converged = false;
  for (double floor : {1e-1, 1e-2, 1e-3}) {
    converged = MinimizeWithFloor(floor, false, kThorough);
  }
  for (int i = 0; i < kProximalSteps && converged; ++i) {
    converged = MinimizeWithFloor(1e-3, true, kThorough);
  }
  SetFloor(Floor());
  return converged;
}

// The velocities that the residual is compared with are those of the solution: a bad start, with
// large impulses, must not pass for large velocities.
NaturalNewtonResult IslandSolver::Polish(int patience) {
  constexpr int kMaxRounds = 4;
  constexpr double kAim = 0.5;  // others measure velocities a little differently
  NaturalNewtonSettings newton;
  newton.tolerance = kAim * settings_.tolerance;
  newton.patience = patience;
  newton.unsymmetric = island_.matrix->kind() != MatrixKind::kIterative;
  newton.deadline = settings_.deadline;
  NaturalNewtonResult result;
  if (redundancy_.is_found()) {
    newton.max_iterations = std::clamp(IterationsLeft(), 1, 30);
    const auto update_scale = [this] { return scale_ = CalcScale(); };
    return redundancy_.Solve(island_, newton, update_scale, &program_, &v_, &gamma_, &ws_, &stats_);
  }
  scale_ = CalcScale();
  for (int round = 0; round < kMaxRounds; ++round) {
    newton.scale = scale_;
    newton.max_iterations = std::clamp(IterationsLeft(), 1, IsBed() ? 80 : 30);
    result = SolveNaturalMap(island_, newton, &v_, &gamma_, &ws_, &stats_);
    scale_ = CalcScale();
    if (!result.converged || result.residual <= settings_.tolerance * scale_) return result;
  }
  result.converged = false;
  return result;
}

void IslandSolver::SetContacts(ConvexSet set) {
  ForEachContact([&](ConvexBlock& block, double) { block.set = set; });
}

void IslandSolver::SetLaggedRadii() {
  ForEachContact(
      [&](ConvexBlock& block, double lagged) { block.bound = std::isfinite(lagged) ? lagged : 0; });
}

// No friction, or the cone: one convex program, then its exact solution. Where Newton's method on
// the natural map does not find it, proximal steps come closer first.
void IslandSolver::SolveConvex(IslandResult* result) {
  if (TryGuess(result)) return;
  bool minimized = Minimize();
  // Rows that contradict each other are soon seen not to converge.
  const bool may_look = redundancy_.may_look();
  NaturalNewtonResult natural = may_look ? Polish(2) : Polish();
  if (LookForRedundancy(natural.converged)) return SolveConvex(result);
  if (may_look && !natural.converged) natural = Polish();
  constexpr int kProximalSteps = 12;
  double floor = 1e-2;
  for (int i = 0; i < kProximalSteps && !natural.converged && MayGoOn(); ++i) {
    floor = std::max(0.1 * floor, 1e-6);
    minimized = MinimizeWithFloor(floor, true, 40);
    SetFloor(Floor());
    natural = Polish();
    ++result->fallbacks;
  }
  result->residual = natural.residual;
  result->status = natural.converged ? SolveStatus::kSolved
                   : MayGoOn()       ? SolveStatus::kInaccurate
                                     : StatusOfLimit();
  if (!natural.converged && minimized) ShareInconsistency(result);
}

// Rows that contradict each other leave a residual that no impulse removes; the impulses along such
// directions would grow with every step. What remains is what the rows are then asked for: least
// squares, with impulses as small as they can be. Kept if it is no worse.
void IslandSolver::ShareInconsistency(IslandResult* result) {
  CalcNaturalResidual(island_, false, &v_, gamma_, &ws_);
  ForEachRow([&](int r) {
    const double u = ws_.y[r] + program_.R[r] * gamma_[r] - program_.b[r];
    island_ws_.pass[r] = gamma_[r];
    island_ws_.inconsistency[r] = gamma_[r] != 0 ? u : 0;
    program_.b[r] += island_ws_.inconsistency[r];
    gamma_[r] = 0;
  });
  const bool minimized = Minimize();
  if (minimized) Polish();
  ForEachRow([&](int r) { program_.b[r] -= island_ws_.inconsistency[r]; });
  scale_ = CalcScale();
  const double residual = CalcNaturalResidual(island_, false, &v_, gamma_, &ws_);
  if (minimized && residual <= 1.01 * result->residual) {
    result->residual = residual;
    ++result->fallbacks;
    return;
  }
  ForEachRow([&](int r) { gamma_[r] = island_ws_.pass[r]; });
}

// Dependent rigid rows that the gaps of a step make contradict each other are met as well as they
// can be; others, which ask for different things, are not solved.
void IslandSolver::ReportRedundancy(IslandResult* result) {
  const double contradiction = redundancy_.PutBack(&program_);
  scale_ = CalcScale();
  result->residual = std::max(result->residual, contradiction);
  if (contradiction <= settings_.tolerance * scale_) return;
  result->dependent_directions = redundancy_.count();
  if (result->status != SolveStatus::kSolved) return;
  const bool is_explained = redundancy_.IsExplained(scale_, problem_.h);
  result->status = is_explained ? SolveStatus::kRedundant : SolveStatus::kInaccurate;
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

// Convex passes until the bounds are those of the normal impulses that come out. The natural map of
// the Coulomb law itself does it in a few steps once a pass has found what sticks and what slides.
// Where neither settles, contact by contact (Gauss–Seidel) often does.
void IslandSolver::SolveCoulomb(IslandResult* result) {
  constexpr double kFarOff = 1e-2;
  SetLaggedRadii();
  best_residual_ = kInfinity;
  SetContacts(ConvexSet::kCoulomb);
  if (TryGuess(result)) return;
  const bool found =
      IsBed() ? SolveBed(result) : RunPasses(result) || (MayEnter() && SolveInterior(result));
  if (LookForRedundancy(found)) return SolveCoulomb(result);
  if (!found && MayGoOn()) RunGaussSeidel(result);
  TakeBest();
  SetContacts(ConvexSet::kCoulomb);
  result->residual = CalcNaturalResidual(island_, true, &v_, gamma_, &ws_);
  if (!(result->residual <= kFarOff * scale_)) TakeConvexCones(result);
  result->status = result->residual <= settings_.tolerance * scale_ ? SolveStatus::kSolved
                   : MayGoOn()                                      ? SolveStatus::kNoFixedPoint
                                                                    : StatusOfLimit();
}

// Impulses that are far from the law may be of any size, and do any work. Those of the convex cones
// exist always and never bring energy in: better to be stopped by them for a step.
void IslandSolver::TakeConvexCones(IslandResult* result) {
  ++result->fallbacks;
  ForEachRow([&](int r) { gamma_[r] = 0; });
  SetContacts(ConvexSet::kCone);
  Minimize();
  scale_ = CalcScale();
  SetContacts(ConvexSet::kCoulomb);
  result->residual = CalcNaturalResidual(island_, true, &v_, gamma_, &ws_);
}

// Whether the impulses to start from are worth trying as they are: no row is so stiff that impulses
// could be shared in more than one way, or rows are independent, so that the solution will not
// depend on them; or it is a bed, where shares are nobody's concern.
bool IslandSolver::MayStartFromGuess() {
  bool is_guess = false, is_soft = true;
  ForEachRow([&](int r) { is_guess = is_guess || gamma_[r] != 0; });
  if (!is_guess) return false;
  SetFloor(Floor());
  for (int i : island_.blocks) {
    const ConvexBlock& block = program_.blocks[i];
    for (int r = block.smooth ? 1 : 0; r < block.row_count; ++r) {
      is_soft = is_soft && ws_.R[block.first_row + r] == program_.R[block.first_row + r];
    }
  }
  return is_soft || IsBed() || island_.independence->Check(program_);
}

// At rest, and in smooth motion, the last step's impulses are right or lead to the right ones in a
// step or two. Where they do not, or only just, they are left as they were: what follows gets
// closer.
bool IslandSolver::TryGuess(IslandResult* result) {
  if (!MayStartFromGuess()) return false;
  ForEachRow([&](int r) { island_ws_.pass[r] = gamma_[r]; });
  FindLandings(island_, &gamma_, &ws_);
  constexpr double kClearly = 0.1;
  const NaturalNewtonResult natural = Polish(/*patience=*/4);
  if (!natural.converged || natural.residual > kClearly * settings_.tolerance * scale_) {
    ForEachRow([&](int r) { gamma_[r] = island_ws_.pass[r]; });
    return false;
  }
  result->residual = natural.residual;
  result->status = SolveStatus::kSolved;
  return true;
}

// Packed beds, whose discs change from step to step of Newton's method: the interior point where
// there is a factor. Where there is none, a soft program, soon found, does as a start for the
// natural map of the law, and else for sweeps.
bool IslandSolver::SolveBed(IslandResult* result) {
  constexpr double kSoft = 0.1;
  constexpr int kFewSteps = 6;
  if (MayEnter()) return TryOnePass(result) || SolveInterior(result);
  ForEachRow([&](int r) { gamma_[r] = 0; });
  SetContacts(ConvexSet::kDisc);
  MinimizeWithFloor(kSoft, false, kFewSteps);
  SetFloor(Floor());
  ++result->friction_passes;
  if (PolishCoulomb()) return true;
  if (MayGoOn()) RunGaussSeidel(result);
  return best_residual_ <= settings_.tolerance * scale_ || RunPasses(result);
}

// Where what sticks and slides is as it was in the last step, or nearly: one pass, and no trouble
// taken.
bool IslandSolver::TryOnePass(IslandResult* result) {
  constexpr int kQuick = 12;
  SetContacts(ConvexSet::kDisc);
  SetLaggedRadii();
  ++result->friction_passes;
  return MinimizeWithFloor(Floor(), false, kQuick) && NormalsAgreeWithRadii(island_, gamma_) &&
         PolishCoulomb();
}

// The interior point decides late what sticks and slides; Newton's method on the natural map then
// has all digits in a step or two.
bool IslandSolver::SolveInterior(IslandResult* result) {
  constexpr double kAfterInterior = 1e-4;
  SetContacts(ConvexSet::kCoulomb);
  InteriorPointSettings settings;
  settings.max_iterations = std::clamp(IterationsLeft(), 1, settings.max_iterations);
  settings.scale = scale_ = CalcScale();
  settings.deadline = settings_.deadline;
  SetFloor(Floor());
  ++result->friction_passes;
  island_ws_.interior_point.Solve(island_, settings, &v_, &gamma_, &ws_, &stats_);
  // Steps that are softer than elsewhere leave more time to decide.
  SetFloor(kAfterInterior);
  const bool found = PolishCoulomb();
  SetFloor(Floor());
  return found;
}

bool IslandSolver::RunPasses(IslandResult* result) {
  constexpr int kMaxPasses = 12, kFirstDamped = 4;
  for (int pass = 0; pass < kMaxPasses && MayGoOn(); ++pass) {
    SetContacts(ConvexSet::kDisc);
    Minimize();
    ++result->friction_passes;
    ForEachRow([&](int r) { island_ws_.pass[r] = gamma_[r]; });

    // A first pass without friction tells the normal forces only.
    const bool bootstrap = pass == 0 && !NormalsAgreeWithRadii(island_, gamma_);
    if (!bootstrap) {
      if (PolishCoulomb()) return true;
      ForEachRow([&](int r) { gamma_[r] = island_ws_.pass[r]; });
    }
    SetRadiiFromImpulses(island_, gamma_, pass < kFirstDamped ? 1 : 0.5, &program_);
  }
  return false;
}

// Newton's method on the natural map of the Coulomb law; keeps the point if it is the best so far.
bool IslandSolver::PolishCoulomb() {
  SetContacts(ConvexSet::kCoulomb);
  const NaturalNewtonResult natural = Polish();
  if (natural.residual < best_residual_) {
    best_residual_ = natural.residual;
    ForEachRow([&](int r) { island_ws_.best[r] = gamma_[r]; });
  }
  return natural.converged;
}

void IslandSolver::RunGaussSeidel(IslandResult* result) {
  constexpr int kFewSweeps = 200;  // where the interior point has been
  ++result->fallbacks;
  SetContacts(ConvexSet::kCoulomb);
  TakeBest();
  GaussSeidelSettings settings;
  // In a bed the polish afterwards gains little.
  settings.tolerance = (IsBed() ? 0.1 : 1) * settings_.tolerance;
  settings.scale = scale_;
  settings.deadline = settings_.deadline;
  if (IsBed() && MayEnter()) settings.max_sweeps = kFewSweeps;
  GaussSeidelStats stats;
  island_ws_.gauss_seidel.Solve(program_, island_.blocks, island_.ranges, settings, &v_, &gamma_,
                                &stats);
  SetFloor(Floor());
  PolishCoulomb();
}

IslandResult IslandSolver::Solve() {
  IslandResult result;
  start_ = stats_.iterations;
  redundancy_.Reset(island_);
  scales_.Update(program_, island_.blocks, &ws_.S);
  ForEachContact(
      [&](ConvexBlock& block, double) { has_friction_ = has_friction_ || block.has_friction(); });
  if (!has_friction_ || settings_.friction == FrictionMode::kCone) {
    SolveConvex(&result);
  } else if (settings_.friction == FrictionMode::kLagged) {
    SolveLagged(&result);
  } else {
    SolveCoulomb(&result);
  }
  if (redundancy_.is_found()) ReportRedundancy(&result);
  result.scale = scale_;
  if (!std::isfinite(result.residual)) result.status = SolveStatus::kFailed;
  return result;
}

}  // namespace

void IslandWorkspace::Resize(const ConvexProgram& program) {
  newton.Resize(program);
  for (std::vector<double>* list : {&pass, &best, &inconsistency}) {
    list->resize(program.row_count());
  }
}

IslandResult SolveIsland(const IslandSettings& settings, const VelocityProblem& problem,
                         std::span<const double> lagged, ConvexProgram* program,
                         const IslandView& island, VecX* v, VecX* gamma, IslandWorkspace* ws,
                         NewtonStats* stats) {
  return IslandSolver(settings, problem, lagged, program, island, v, gamma, ws, stats).Solve();
}

}  // namespace voigt
