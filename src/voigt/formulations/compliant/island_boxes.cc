#include "voigt/formulations/compliant/island_steps.h"

// Limits, stops, drives and dry friction alone: impulses have half-lines and intervals.
namespace voigt::internal {

bool IslandSolver::IsLinear() {
  return std::all_of(island_.blocks.begin(), island_.blocks.end(), [&](int i) {
    return program_.blocks[i].set == ConvexSet::kAll && !program_.blocks[i].smooth;
  });
}

bool IslandSolver::HasDiscs() {
  return std::any_of(island_.blocks.begin(), island_.blocks.end(),
                     [&](int i) { return IsCoupled(program_.blocks[i].set); });
}

bool IslandSolver::HasBoundsAlone() { return !HasDiscs() && !IsLinear(); }

// As limits against dry friction and drives against stops need until one of them gives way.
bool IslandSolver::TakeCarefulSteps(IslandResult* result) {
  return PolishConvex(result, kPatience, true);
}

// The island without its velocities, for methods that take dense matrices. False where it is too
// large for them, or has what they do not know.
bool IslandSolver::AssembleImpulses() {
  constexpr int kMostRows = 200;
  int rows = 0;
  for (int i : island_.blocks) {
    if (program_.blocks[i].smooth) return false;
    rows += program_.blocks[i].row_count;
  }
  if (rows > kMostRows || redundancy_.is_found() || !MayGoOn()) return false;
  island_ws_.assembler.SetProblem(problem_);
  ImpulseIsland& impulses = island_ws_.impulses;
  island_ws_.assembler.Assemble(island_.blocks, &impulses);
  for (int i = 0; i < impulses.row_count(); ++i) {
    impulses.q[i] += island_ws_.asked[impulses.rows[i]];
  }
  return true;
}

// A linear complementarity problem: where Newton's method does not find which rows give way,
// Lemke's does.
bool IslandSolver::SolveByPivots(IslandResult* result) {
  if (!AssembleImpulses()) return false;
  const ImpulseIsland& impulses = island_ws_.impulses;
  const int rows = impulses.row_count();
  IslandBoxes& boxes = island_ws_.boxes;
  SetBoxes(rows);
  LemkeSettings settings;
  settings.max_pivots = std::max(IterationsLeft(), 1);
  settings.tolerance = 0.1 * settings_.aim;
  settings.deadline = settings_.deadline;
  LemkeStats stats;
  boxes.lemke.Solve({impulses.A, impulses.q, boxes.lower, boxes.upper}, settings, boxes.gamma,
                    &stats);
  stats_.iterations += stats.pivots;
  stats_.factorizations += stats.factors;
  for (int i = 0; i < rows; ++i) gamma_[impulses.rows[i]] = boxes.gamma[i];
  return PolishConvex(result);
}

// Discs and cones: a program with second-order cones.
bool IslandSolver::SolveByCones(IslandResult* result) {
  if (!AssembleImpulses()) return false;
  ConeQpSettings settings;
  settings.max_iterations = std::clamp(IterationsLeft(), 1, settings.max_iterations);
  settings.deadline = settings_.deadline;
  ConeQpStats stats;
  island_ws_.cones.Solve(program_, island_.blocks, island_ws_.impulses, ws_.S, settings, &gamma_,
                         &stats);
  stats_.iterations += stats.iterations + stats.newton_steps;
  stats_.factorizations += stats.factors;
  return PolishConvex(result);
}

// The bounds of the island's rows.
void IslandSolver::SetBoxes(int rows) {
  IslandBoxes& boxes = island_ws_.boxes;
  for (VecX* list : {&boxes.lower, &boxes.upper, &boxes.gamma}) list->resize(rows);
  int k = 0;
  for (int i : island_.blocks) {
    const ConvexBlock& block = program_.blocks[i];
    for (int r = block.first_row; r < block.first_row + block.row_count; ++r, ++k) {
      const bool is_interval = block.set == ConvexSet::kIntervals;
      boxes.lower[k] = is_interval                    ? program_.lower[r]
                       : block.set == ConvexSet::kAll ? -kInfinity
                                                      : 0;
      boxes.upper[k] = is_interval ? program_.upper[r] : kInfinity;
    }
  }
}

}  // namespace voigt::internal
