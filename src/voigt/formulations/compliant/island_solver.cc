#include "voigt/formulations/compliant/island_solver.h"

#include "voigt/formulations/compliant/island_steps.h"
#include "voigt/formulations/compliant/small_gaps.h"
#include "voigt/formulations/compliant/within_sets.h"

namespace voigt {
namespace internal {
void IslandSolver::SetProximalTerm(double floor, bool about_gamma) {
  SetFloor(floor);
  ForEachRow(
      [&](int r) { ws_.shift[r] = about_gamma ? (ws_.R[r] - program_.R[r]) * gamma_[r] : 0; });
}

bool IslandSolver::MinimizeWithFloor(double floor, bool about_gamma, int iterations) {
  SetProximalTerm(floor, about_gamma);
  const bool is_predicted = PredictVelocity(island_, gamma_, &v_, &ws_, &stats_);
  ConvexNewtonSettings newton;
  newton.max_iterations = std::min(std::max(IterationsLeft(), 1), iterations);
  if (!is_rescue_) newton.deadline = settings_.deadline;
  return MinimizeConvex(island_, newton, is_predicted, &v_, &gamma_, &ws_, &stats_);
}

// A proximal step to all digits from v, which is that of gamma: near a solution slips tell what
// slides, where gamma on the edge of a disc could be either.
bool IslandSolver::MinimizeFromHere(double floor, int iterations) {
  SetProximalTerm(floor, true);
  ConvexNewtonSettings newton;
  newton.max_iterations = std::min(std::max(IterationsLeft(), 1), iterations);
  newton.tolerance = 1e-15;
  newton.deadline = settings_.deadline;
  return MinimizeConvex(island_, newton, false, &v_, &gamma_, &ws_, &stats_);
}

// The program with the floor of R that impulses are refined from. Where discs and cones are stiff,
// Newton's steps along their tangents leave their curved edges at once; then the way leads over
// softer programs, and at last over proximal ones, whose stiffness is moderate and whose solutions
// tend to that of the program itself (the method of multipliers).
bool IslandSolver::Minimize() {
  constexpr int kQuick = 12, kThorough = 40, kProximalSteps = 5;
  if (MinimizeWithFloor(kFloor, false, kQuick)) return true;
  ForEachRow([&](int r) { gamma_[r] = 0; });
  bool converged = false;
  for (double floor : {1e-1, 1e-2, 1e-3}) {
    converged = MinimizeWithFloor(floor, false, kThorough);
  }
  for (int i = 0; i < kProximalSteps && converged; ++i) {
    converged = MinimizeWithFloor(1e-3, true, kThorough);
  }
  SetFloor(kFloor);
  return converged;
}

void IslandSolver::SetContacts(ConvexSet set) {
  ForEachContact([&](ConvexBlock& block, double) { block.set = set; });
}

// The exact solution from here; false where it is not found.
bool IslandSolver::PolishConvex(IslandResult* result, int patience, bool careful) {
  const NaturalNewtonResult natural = Polish(patience, careful);
  KeepBest(natural.residual);
  result->residual = natural.residual;
  result->status = SolveStatus::kSolved;
  return natural.converged;
}

// Rows that contradict each other are soon seen not to converge.
bool IslandSolver::SolveConvexProgram(IslandResult* result) {
  constexpr int kFew = 2;
  const bool may_look = redundancy_.may_look();
  is_minimized_ = Minimize();
  const bool converged = PolishConvex(result, may_look ? kFew : kPatience);
  if (LookForRedundancy(result->residual)) {
    best_residual_ = kInfinity;
    is_minimized_ = Minimize();
    return PolishConvex(result);
  }
  return converged || (may_look && PolishConvex(result));
}

// Where Newton's method on the natural map does not find the solution, proximal steps come closer.
bool IslandSolver::TakeProximalSteps(IslandResult* result) {
  constexpr int kMostSteps = 7, kThorough = 40;
  constexpr double kFirst = 1e-3, kLast = 1e-6;
  double floor = kFirst;
  for (int i = 0; i < kMostSteps && MayGoOn(); ++i) {
    is_minimized_ = MinimizeWithFloor(floor, true, kThorough);
    SetFloor(kFloor);
    if (PolishConvex(result, kPatience, HasBoundsAlone())) return true;
    floor = std::max(0.1 * floor, kLast);
  }
  return false;
}

// Rows that contradict each other leave a residual that no impulse removes; the impulses along such
// directions would grow with every step. What remains is what the rows are then asked for: least
// squares, with impulses as small as they can be. Kept if it is no worse, or not by much where
// impulses had grown beyond all measure.
void IslandSolver::ShareInconsistency(IslandResult* result) {
  const double most = (velocity_scale_.is_sane() ? 1.01 : 10) * result->residual;
  CalcResidual();
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
  UpdateScale();
  const double residual = CalcResidual();
  if (minimized && residual <= most) {
    result->residual = residual;
    result->solved_by = Attempt::kLeastSquares;
    return;
  }
  GoBack();  // with the velocities that belong to these impulses
  UpdateScale();
  result->residual = CalcResidual();
}

// Where rows ask for what cannot be, impulses that cancel one another grow as far as the method
// goes on. Springs in place of rigid rows bound them, and meet the rows about as well as they can
// be met.
void IslandSolver::TakeSoft(IslandResult* result) {
  constexpr double kSoft = 1e-3;
  constexpr int kThorough = 40;
  BeginRescue();
  ForEachRow([&](int r) { gamma_[r] = 0; });
  const bool is_coulomb = settings_.friction == FrictionMode::kCoulomb;
  if (is_coulomb) SetContacts(ConvexSet::kCone);
  MinimizeWithFloor(kSoft, false, kThorough);
  SetFloor(kFloor);
  if (is_coulomb) SetContacts(ConvexSet::kCoulomb);
  UpdateScale();
  result->residual = CalcResidual();
}

// Dependent rigid rows that the gaps of a step make contradict each other are met as well as they
// can be; others, which ask for different things, are not solved.
void IslandSolver::ReportRedundancy(IslandResult* result) {
  const double contradiction = redundancy_.PutBack(&program_);
  UpdateScale();
  result->residual = std::max(result->residual, contradiction);
  if (contradiction <= Accepted()) return;
  result->dependent_directions = redundancy_.count();
  if (result->status != SolveStatus::kSolved) return;
  const bool is_explained = redundancy_.IsExplained(scale_, problem_.h);
  result->status = is_explained ? SolveStatus::kRedundant : SolveStatus::kInaccurate;
}

bool IslandSolver::HasGuess() {
  return std::any_of(island_.blocks.begin(), island_.blocks.end(), [&](int i) {
    const ConvexBlock& block = program_.blocks[i];
    return (gamma_.segment(block.first_row, block.row_count).array() != 0).any();
  });
}

// Most contacts that are foreseen stay open for now.
bool IslandSolver::TryNothing(IslandResult* result) {
  UpdateScale();
  if (CalcResidual() != 0) return false;
  result->residual = 0;
  result->status = SolveStatus::kSolved;
  return true;
}

// Whether there are impulses to start from that are worth trying as they are: no row is so stiff
// that impulses could be shared in more than one way, or rows are independent, so that the solution
// will not depend on them; or it is a bed, where shares are nobody's concern. Takes what moves
// nothing away from them.
bool IslandSolver::HasUniqueGuess() {
  if (!HasGuess()) return false;
  bool is_soft = true;
  for (int i : island_.blocks) {
    const ConvexBlock& block = program_.blocks[i];
    const int first = block.first_row + (block.smooth ? 1 : 0);
    const int end = block.first_row + block.row_count;
    is_soft = is_soft &&
              std::equal(ws_.R.begin() + first, ws_.R.begin() + end, program_.R.begin() + first);
  }
  if (is_soft || IsBed()) return true;
  if (!island_.independence->Check(program_, island_.blocks)) return false;
  island_.independence->DropStill(&gamma_);
  return true;
}

// At rest, and in smooth motion, the last step's impulses are right or lead to the right ones in a
// step or two. Where they do not, they are left as they were.
bool IslandSolver::TryGuess(IslandResult* result) {
  Keep();
  const NaturalNewtonResult natural = Polish(kImpatient);
  if (!natural.converged) {
    GoBack();
    return false;
  }
  result->residual = natural.residual;
  result->status = SolveStatus::kSolved;
  return true;
}

// What the tolerance leaves outside of sets goes back into them, and that may move light bodies, or
// steep force laws, by more than the tolerance: then some steps more. Discs may have to stay as
// they are.
void IslandSolver::StayWithinSets(IslandResult* result) {
  constexpr double kMuchLess = 1e-2;
  const bool is_coulomb = settings_.friction == FrictionMode::kCoulomb;
  const auto is_within = [&] {
    result->residual = CalcResidual();
    return result->residual <= Accepted();
  };
  Keep();
  if (!PutIntoSets(program_, island_.blocks, SetParts::kAll, &gamma_)) return;
  if (is_within() || result->status != SolveStatus::kSolved) return;
  GoBack();
  margin_ = kMuchLess;
  Prepare();
  Polish();
  UpdateScale();
  Keep();
  PutIntoSets(program_, island_.blocks, SetParts::kAll, &gamma_);
  if (is_within()) return;
  GoBack();
  PutIntoSets(program_, island_.blocks, SetParts::kBounds, &gamma_);
  if (is_within()) return;
  result->status =
      is_coulomb && has_friction_ ? SolveStatus::kNoFixedPoint : SolveStatus::kInaccurate;
}

// Gaps below what is accepted ask for nothing. Friction of heavy normals on light tangents may make
// more of them than is accepted: then all of it counts after all.
void IslandSolver::SolveWithoutSmallGaps(IslandResult* result) {
  ForEachRow([&](int r) { island_ws_.asked[r] = 0; });
  const double most = kGapMargin * settings_.tolerance * scales_.free_velocity();
  const bool forgets = ForgetSmallGaps(island_.blocks, most, &program_, &island_ws_.asked);
  SolveProgram(result);
  if (!forgets) return;
  RecallSmallGaps(island_.blocks, island_ws_.asked, &program_);
  ForEachRow([&](int r) { island_ws_.asked[r] = 0; });
  UpdateScale();
  result->residual = CalcResidual();
  if (!IsSolved(result->status) || IsAccepted(result->residual)) return;
  if (redundancy_.is_found()) redundancy_.PutBack(&program_);
  redundancy_.Reset(island_);
  SolveProgram(result);
}

IslandResult IslandSolver::Solve() {
  IslandResult result;
  start_ = stats_.iterations;
  redundancy_.Reset(island_);
  scales_.Update(program_, island_.blocks, &ws_.S);
  ForEachContact(
      [&](ConvexBlock& block, double) { has_friction_ = has_friction_ || block.has_friction(); });
  for (const DofRange& range : island_.ranges) dofs_ += range.count;
  is_bed_ = dofs_ > kBed && IsOfContacts(program_, island_.blocks);
  SolveWithoutSmallGaps(&result);
  if (redundancy_.is_found()) ReportRedundancy(&result);
  result.scale = Accepted() / settings_.tolerance;
  if (!IsSolved(result.status)) result.solved_by = Attempt::kNone;
  if (!std::isfinite(result.residual)) result.status = SolveStatus::kFailed;
  return result;
}

}  // namespace internal

void IslandWorkspace::Resize(const ConvexProgram& program) {
  newton.Resize(program);
  for (std::vector<double>* list : {&pass, &best, &swept, &inconsistency, &asked, &R}) {
    list->resize(program.row_count());
  }
}

IslandResult SolveIsland(const IslandSettings& settings, const VelocityProblem& problem,
                         std::span<const double> lagged, ConvexProgram* program,
                         const IslandView& island, IslandStructure* structure, VecX* v, VecX* gamma,
                         IslandWorkspace* ws, NewtonStats* stats) {
  return internal::IslandSolver(settings, problem, lagged, program, island, structure, v, gamma, ws,
                                stats)
      .Solve();
}

}  // namespace voigt
