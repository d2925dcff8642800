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

// (W γ)ᵢ²/wᵢ of a row, with W γ = G (v − v*).
double CalcResponse(const ConvexProgram& program, const ConvexBlock& block, int r, const VecX& v) {
  const auto cols = program.cols_of(block);
  const double* const G_r = program.entries(block, r);
  double sum = 0;
  for (int k = 0; k < block.col_count; ++k) {
    sum += G_r[k] * (v[cols[k]] - (*program.v_star)[cols[k]]);
  }
  return sum * sum / program.w[block.first_row + r];
}

}  // namespace

void Redundancy::Reset(const IslandView& island) {
  dependent_.Clear();
  has_looked_ = is_all_ = true;
  for (int i : island.blocks) {
    const bool takes_part = IsRigidBilateral(island.program, island.program.blocks[i]);
    has_looked_ = has_looked_ && !takes_part;
    is_all_ = is_all_ && takes_part;
  }
}

bool Redundancy::ImpulsesCancel(const IslandView& island, const VecX& v, const VecX& gamma,
                                NewtonWorkspace* ws) const {
  constexpr double kSmall = 1e-4;
  const ConvexProgram& program = island.program;
  double alone = 0, largest = 0;
  const ConvexBlock* largest_block = nullptr;
  int largest_row = 0;
  const auto for_each_block = [&](auto visit) {
    for (int i : island.blocks) {
      const ConvexBlock& block = program.blocks[i];
      if (is_all_ || IsRigidBilateral(program, block)) visit(block);
    }
  };
  for_each_block([&](const ConvexBlock& block) {
    for (int r = 0; r < block.row_count; ++r) {
      const int row = block.first_row + r;
      const double part = program.w[row] * gamma[row] * gamma[row];
      alone += part;
      if (!(part > largest)) continue;
      largest = part;
      largest_block = &block;
      largest_row = r;
    }
  });
  // (W γ)ᵢ² ≤ wᵢ γᵀ W γ: the row of the largest impulse mostly shows that they do not. Without
  // other rows, W γ is known.
  if (largest_block == nullptr) return false;
  if (is_all_ && CalcResponse(program, *largest_block, largest_row, v) > kSmall * alone) {
    return false;
  }

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
                      const VecX& v, VecX* gamma, NewtonWorkspace* ws) {
  if (has_looked_ || (converged && !ImpulsesCancel(island, v, *gamma, ws))) return false;
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
  CalcNaturalResidual(island, false, v, *gamma, ws);
  dependent_.ForEachRow([&](int r) {
    program->b[r] -= contradiction_[r];
    u_[r] = ws->y[r] - program->b[r];
  });
  dependent_.CalcContradiction(u_, &contradiction_);
  dependent_.ForEachRow([&](int r) { program->b[r] += contradiction_[r]; });
}

NaturalNewtonResult Redundancy::Solve(const IslandView& island, NaturalNewtonSettings settings,
                                      const std::function<double()>& scale, ConvexProgram* program,
                                      VecX* v, VecX* gamma, NewtonWorkspace* ws,
                                      NewtonStats* stats) {
  constexpr int kMaxRounds = 12;
  // Few at a time, or they run after a contradiction that is old; where rows only push or rub,
  // which ones do takes some more.
  constexpr int kFew = 2, kSome = 6, kFirstSome = 2;
  constexpr double kAmple = 1e-2;  // of the tolerance: no need for one more round
  const int most_iterations = settings.max_iterations;
  NaturalNewtonResult result;
  bool is_last = false;
  for (int round = 0;; ++round) {
    Shift(island, program, v, gamma, ws);
    result.residual = CalcNaturalResidual(island, settings.unsymmetric, v, *gamma, ws);
    settings.scale = scale();
    result.converged = result.residual <= settings.tolerance * settings.scale;
    const double ample = kAmple * settings.tolerance * settings.scale;
    if (result.residual <= ample || (result.converged && is_last)) return result;
    if (round >= kMaxRounds || settings.deadline.HasPassed()) return result;
    is_last = result.converged;
    settings.max_iterations = std::min(most_iterations, round < kFirstSome ? kFew : kSome);
    SolveNaturalMap(island, settings, v, gamma, ws, stats);
  }
}

Redundancy::Rest Redundancy::Finish(const VelocityProblem& problem, double scale,
                                    ConvexProgram* program) {
  Rest rest;
  rest.directions = dependent_.count();
  rest.is_explained = dependent_.IsExplained(contradiction_, scale, problem.h);
  dependent_.ForEachRow([&](int r) {
    program->b[r] -= contradiction_[r];
    rest.velocity = std::max(rest.velocity, std::abs(contradiction_[r]));
  });
  return rest;
}

}  // namespace voigt
