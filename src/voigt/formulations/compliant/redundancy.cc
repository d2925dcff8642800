#include "voigt/formulations/compliant/redundancy.h"

#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

bool IsRigidBilateral(const ConvexProgram& program, const ConvexBlock& block) {
  if (block.set != ConvexSet::kAll || block.smooth) return false;
  const auto first = program.R.begin() + block.first_row;
  return std::find(first, first + block.row_count, 0.0) != first + block.row_count;
}

}  // namespace

void Redundancy::Reset(const IslandView& island) {
  dependent_.Clear();
  const ConvexProgram& program = island.program;
  has_looked_ = std::none_of(island.blocks.begin(), island.blocks.end(),
                             [&](int i) { return IsRigidBilateral(program, program.blocks[i]); });
}

bool Redundancy::ImpulsesCancel(const IslandView& island, double scale, const VecX& gamma,
                                NewtonWorkspace* ws) const {
  constexpr double kSmall = 1e-4;
  const ConvexProgram& program = island.program;
  const auto for_each_block = [&](auto visit) {
    for (int i : island.blocks) {
      const ConvexBlock& block = program.blocks[i];
      if (IsRigidBilateral(program, block)) visit(block);
    }
  };
  double alone = 0, largest = 0;
  for_each_block([&](const ConvexBlock& block) {
    for (int r = block.first_row; r < block.first_row + block.row_count; ++r) {
      const double velocity = program.w[r] * std::abs(gamma[r]);
      largest = std::max(largest, velocity);
      alone += velocity * std::abs(gamma[r]);
    }
  });
  // Impulses that cancel are those that the scale comes from.
  if (largest < 0.5 * scale) return false;

  // γᵀ W γ = xᵀ M⁻¹ x with x = Gᵀ γ and M = Lᵀ D L.
  for (const DofRange& range : island.ranges) ws->x.segment(range.first, range.count).setZero();
  for_each_block([&](const ConvexBlock& block) {
    AddTransposedBlock(program, block, gamma.data() + block.first_row, ws->x.data());
  });
  double together = 0;
  for (const DofRange& range : island.ranges) {
    program.factor->SolveLTransposedRange(*program.pattern, range.first, range.count, ws->x.data());
    for (int k = range.first; k < range.first + range.count; ++k) {
      together += program.factor->D_inverse()[k] * ws->x[k] * ws->x[k];
    }
  }
  return together < kSmall * alone;
}

bool Redundancy::Look(const VelocityProblem& problem, const IslandView& island, bool converged,
                      double scale, VecX* gamma, NewtonWorkspace* ws) {
  if (has_looked_ || (converged && !ImpulsesCancel(island, scale, *gamma, ws))) return false;
  has_looked_ = true;
  if (dependent_.Find(problem, island.blocks) == 0) return false;
  u_.resize(problem.row_count());
  contradiction_.resize(problem.row_count());
  dependent_.ForEachRow([&](int r) { contradiction_[r] = 0; });
  for (int i : island.blocks) {
    const ConvexBlock& block = island.program.blocks[i];
    gamma->segment(block.first_row, block.row_count).setZero();
  }
  return true;
}

void Redundancy::Shift(const IslandView& island, ConvexProgram* program, VecX* v, VecX* gamma,
                       NewtonWorkspace* ws) {
  dependent_.RemoveFrom(gamma);
  CalcNaturalResidual(island, v, *gamma, ws);
  dependent_.ForEachRow([&](int r) {
    program->b[r] -= contradiction_[r];
    u_[r] = ws->y[r] - program->b[r];
  });
  dependent_.CalcContradiction(u_, &contradiction_);
  dependent_.ForEachRow([&](int r) { program->b[r] += contradiction_[r]; });
}

NaturalNewtonResult Redundancy::Solve(const IslandView& island, NaturalNewtonSettings settings,
                                      const std::function<void(NaturalNewtonSettings*)>& update,
                                      ConvexProgram* program, VecX* v, VecX* gamma,
                                      NewtonWorkspace* ws, NewtonStats* stats) {
  constexpr int kMaxRounds = 12;
  // Few at a time, or they run after a contradiction that is old; where rows only push or rub,
  // which ones do takes some more.
  constexpr int kFew = 2, kSome = 6, kFirstSome = 2;
  constexpr double kAmple = 1e-2;  // of the aim: no need for one more round
  const int most_iterations = settings.max_iterations;
  NaturalNewtonResult result;
  bool is_last = false;
  for (int round = 0;; ++round) {
    Shift(island, program, v, gamma, ws);
    result.residual = CalcNaturalResidual(island, v, *gamma, ws);
    update(&settings);
    result.converged = result.residual <= settings.accepted;
    if (result.residual <= kAmple * settings.aim || (result.converged && is_last)) return result;
    if (round >= kMaxRounds || settings.deadline.HasPassed()) return result;
    is_last = result.converged;
    settings.max_iterations = std::min(most_iterations, round < kFirstSome ? kFew : kSome);
    SolveNaturalMap(island, settings, v, gamma, ws, stats);
  }
}

double Redundancy::PutBack(ConvexProgram* program) const {
  double largest = 0;
  dependent_.ForEachRow([&](int r) {
    program->b[r] -= contradiction_[r];
    largest = std::max(largest, std::abs(contradiction_[r]));
  });
  return largest;
}

}  // namespace voigt
