#include "voigt/kernels/natural_newton.h"

#include <algorithm>
#include <cmath>

#include "voigt/kernels/convex_set.h"
#include "voigt/kernels/give_way.h"
#include "voigt/kernels/smooth_cone.h"
#include "voigt/math/extremes.h"
#include "voigt/math/finite.h"

namespace voigt {
namespace {

// v = v* + M⁻¹ Gᵀ γ on the island.
void CalcVelocity(const IslandView& island, const VecX& gamma, VecX* v) {
  const ConvexProgram& program = island.program;
  for (const DofRange& range : island.ranges) {
    v->segment(range.first, range.count).setZero();
  }
  for (int i : island.blocks) {
    const ConvexBlock& block = program.blocks[i];
    AddTransposedBlock(program, block, gamma.data() + block.first_row, v->data());
  }
  for (const DofRange& range : island.ranges) {
    program.factor->SolveRange(*program.pattern, range.first, range.count, v->data());
    v->segment(range.first, range.count) += program.v_star->segment(range.first, range.count);
  }
}

// The natural map of a smooth cone, with ws->z of its tangents: fills r and D, and returns the
// residual. An error of the normal law is the change of velocity that mends it or, if that is less,
// the velocity that the whole impulse makes.
double CalcSmoothCone(const ConvexProgram& program, const ConvexBlock& block, const double* gamma,
                      double y0, NewtonWorkspace* ws, double* D) {
  const int first = block.first_row, n = block.row_count;
  const double* const S = ws->S.data() + first;
  double* const r = ws->step.data() + first;
  ProjectSmoothCone(program, block, y0, ws->z.data() + first, S, r, D);
  for (int i = 0; i < n; ++i) r[i] = gamma[i] - r[i];
  const double excess = S[0] * (r[0] > 0 ? gamma[0] : kInfinity);
  double residual = D[0] > 0 ? std::min(std::abs(r[0]) / D[0], excess) : S[0] * std::abs(r[0]);
  for (int i = 0; i < n; ++i) {
    if (i > 0) residual = std::max(residual, S[i] * std::abs(r[i]));
    if (std::isnan(r[i])) residual = kInfinity;
  }
  return residual;
}

// The same for rows that push on their own, of which foundations have thousands.
double CalcHalfLines(const ConvexProgram& program, const ConvexBlock& block, const double* gamma,
                     const double* __restrict y, NewtonWorkspace* ws, double* __restrict D) {
  const int first = block.first_row, n = block.row_count;
  const double* const S = ws->S.data() + first;
  const double* const R = program.R.data() + first;
  const double* const b = program.b.data() + first;
  double* const __restrict r = ws->step.data() + first;
  double* const __restrict z = ws->z.data() + first;
  for (int i = 0; i < n; ++i) {
    z[i] = gamma[i] - (y[i] + R[i] * gamma[i] - b[i]) / S[i];
    r[i] = gamma[i] - Larger(z[i], 0);
  }
  for (int i = 0; i < n; ++i) D[i] = z[i] > 0 ? 1 : 0;
  const double residual = LargestValue(n, 0, [=](int i) { return S[i] * std::abs(r[i]); });
  return AllFinite(r, n) ? residual : kInfinity;
}

// The same for any block; *slope is that of its smooth law.
double CalcBlock(const ConvexProgram& program, const ConvexBlock& block, const double* gamma,
                 const double* y, NewtonWorkspace* ws, double* D, double* slope) {
  *slope = 0;
  if (block.set == ConvexSet::kHalfLines && !block.smooth) {
    return CalcHalfLines(program, block, gamma, y, ws, D);
  }
  const int first = block.first_row, n = block.row_count;
  const double* const S = ws->S.data() + first;
  double* const z = ws->z.data() + first;
  double* const r = ws->step.data() + first;
  for (int i = 0; i < n; ++i) {
    const double u = y[i] + program.R[first + i] * gamma[i] - program.b[first + i];
    z[i] = gamma[i] - u / S[i];
  }
  *slope = 1;
  if (IsSmoothCone(block)) return CalcSmoothCone(program, block, gamma, y[0], ws, D);
  ScalarLaws::Value law;
  if (block.smooth) {
    law = program.laws->Calc(first, y[0]);
    z[0] = law.gamma;
  }
  Project(block, z, S, program.lower.data() + first, program.upper.data() + first, r, D);
  double residual = 0;
  for (int i = 0; i < n; ++i) {
    r[i] = gamma[i] - r[i];
    // The error of a smooth law is the change of velocity that mends it.
    const double scale = block.smooth && i == 0 ? S[i] / (1 + law.slope * S[i]) : S[i];
    residual = std::max(residual, scale * std::abs(r[i]));
    if (std::isnan(r[i])) residual = kInfinity;
  }
  *slope = law.slope;
  return residual;
}

// P, and r̂ in place of r.
void CalcNewtonTerms(const IslandView& island, NewtonWorkspace* ws) {
  for (int i : island.blocks) {
    const ConvexBlock& block = island.program.blocks[i];
    const int first = block.first_row, start = ws->P_start[i];
    CalcNewtonTerms(block, ws->D.data() + start, ws->S.data() + first, ws->R.data() + first,
                    ws->slope[i], ws->P.data() + start, ws->step.data() + first);
  }
}

bool UsesChain(const IslandView& island) {
  return island.chain != nullptr && island.chain->applies();
}

// For the first step, rows that push on their own go on pushing if they did: many of them on one
// body are off together by more than any of them alone could mend, and would all seem to part.
void KeepPushing(const IslandView& island, const VecX& gamma, NewtonWorkspace* ws) {
  for (int i : island.blocks) {
    const ConvexBlock& block = island.program.blocks[i];
    if (block.set != ConvexSet::kHalfLines || block.smooth || block.row_count == 1) continue;
    const int first = block.first_row;
    double* const D = ws->D.data() + ws->P_start[i];
    for (int r = 0; r < block.row_count; ++r) {
      if (!(gamma[first + r] > 0)) continue;
      D[r] = 1;
      ws->step[first + r] = gamma[first + r] - ws->z[first + r];
    }
  }
}

bool HasNormalCoupling(const IslandView& island, const NewtonWorkspace& ws) {
  for (int i : island.blocks) {
    const ConvexBlock& block = island.program.blocks[i];
    if (block.set != ConvexSet::kCoulomb) continue;
    const double* const P = ws.P.data() + ws.P_start[i];
    for (int r = 1; r < block.row_count; ++r) {
      if (P[r * block.row_count] != 0) return true;
    }
  }
  return false;
}

// ws->step ← Δγ = −(I + P W)⁻¹ r̂ = −r̂ + P G H⁻¹ Gᵀ r̂.
void CalcStep(const IslandView& island, NewtonWorkspace* ws) {
  const ConvexProgram& program = island.program;
  if (UsesChain(island)) {
    island.chain->Solve(ws->step.data());
    ForEachRow(program, island.blocks, [&](int r) { ws->step[r] = -ws->step[r]; });
    return;
  }
  for (const DofRange& range : island.ranges) ws->x.segment(range.first, range.count).setZero();
  for (int i : island.blocks) {
    const ConvexBlock& block = program.blocks[i];
    AddTransposedBlock(program, block, ws->step.data() + block.first_row, ws->x.data());
  }
  island.matrix->Solve(program, ws->x.data());
  for (int i : island.blocks) {
    const ConvexBlock& block = program.blocks[i];
    const int first = block.first_row;
    double* const y = ws->y.data() + first;
    MultiplyBlock(program, block, ws->x.data(), y);
    const double* const P = ws->P.data() + ws->P_start[i];
    for (int r = 0; r < block.row_count; ++r) {
      ws->step[first + r] = MultiplyRow(block, P, r, y) - ws->step[first + r];
    }
  }
}

// γ ← γ + Δγ, or the accelerated point.
void TakeStep(const IslandView& island, bool accelerate, VecX* gamma, NewtonWorkspace* ws) {
  if (!accelerate) {
    ForEachRow(island.program, island.blocks, [&](int r) { (*gamma)[r] += ws->step[r]; });
    return;
  }
  int k = 0;
  ForEachRow(island.program, island.blocks, [&](int r) {
    ws->point[k] = (*gamma)[r];
    ws->change[k] = ws->step[r];
    ws->weight[k++] = ws->S[r];
  });
  ws->anderson.Advance(ws->change, ws->weight, &ws->point);
  k = 0;
  ForEachRow(island.program, island.blocks, [&](int r) { (*gamma)[r] = ws->point[k++]; });
}

void PrepareAcceleration(const IslandView& island, NewtonWorkspace* ws) {
  int rows = 0;
  ForEachRow(island.program, island.blocks, [&](int) { ++rows; });
  ws->anderson.Reset(rows);
  for (VecX* vector : {&ws->point, &ws->change, &ws->weight}) vector->resize(rows);
}

// Whether the step is the one before it again.
bool IsRepeated(const IslandView& island, const NewtonWorkspace& ws) {
  constexpr double kAlike = 1e-2;
  double size = 0, difference = 0;
  ForEachRow(island.program, island.blocks, [&](int r) {
    size = std::max(size, ws.S[r] * std::abs(ws.step[r]));
    difference = std::max(difference, ws.S[r] * std::abs(ws.step[r] - ws.last_step[r]));
  });
  return size > 0 && difference <= kAlike * size;
}

// A step that ends where something gives way (give_way.h): part of one, or many at once where rows
// contradict each other and the same one repeats itself.
bool TakeStepToBounds(const IslandView& island, bool is_slow, VecX* gamma,
                      const NewtonWorkspace& ws) {
  constexpr double kBeyond = 1 + 1e-8;
  const double t = kBeyond * CountStepsToBounds(island.program, island.blocks, *gamma, ws.step);
  if (t >= 1 && !(is_slow && std::isfinite(t) && IsRepeated(island, ws))) return false;
  ForEachRow(island.program, island.blocks, [&](int r) { (*gamma)[r] += t * ws.step[r]; });
  return true;
}

// How the residual comes down.
class Progress {
 public:
  // Returns whether this is the least so far.
  bool Note(double residual) {
    const bool is_first = std::isnan(best_), is_best = !(residual >= best_);
    stale_ = is_first || residual < 0.5 * best_ ? 0 : stale_ + 1;
    steady_ = is_best && residual > 0.3 * last_ ? steady_ + 1 : 0;
    last_ = residual;
    if (is_best) best_ = residual;
    return is_best;
  }
  bool IsTooSlow(const NaturalNewtonSettings& settings) const {
    return stale_ > settings.patience ||
           (settings.steady_steps > 0 && steady_ >= settings.steady_steps);
  }
  double best() const { return best_; }
  void StartAnew() { stale_ = 0; }

 private:
  double best_ = kNaN, last_ = kInfinity;
  int stale_ = 0, steady_ = 0;
};

void CopyRows(const IslandView& island, const double* from, double* to) {
  ForEachRow(island.program, island.blocks, [&](int r) { to[r] = from[r]; });
}

}  // namespace

double CalcNaturalResidual(const IslandView& island, VecX* v, const VecX& gamma,
                           NewtonWorkspace* ws) {
  const ConvexProgram& program = island.program;
  CalcVelocity(island, gamma, v);
  double residual = 0;
  for (int i : island.blocks) {
    const ConvexBlock& block = program.blocks[i];
    double* const y = ws->y.data() + block.first_row;
    MultiplyBlock(program, block, v->data(), y);
    residual = std::max(residual, CalcBlock(program, block, gamma.data() + block.first_row, y, ws,
                                            ws->D.data() + ws->P_start[i], &ws->slope[i]));
  }
  return residual;
}

bool FactorNaturalMap(const IslandView& island, double tolerance, NewtonWorkspace* ws,
                      NewtonStats* stats) {
  CalcNewtonTerms(island, ws);
  if (UsesChain(island)) return UpdateChain(island, tolerance, ws, stats);
  return UpdateFactor(island, !HasNormalCoupling(island, *ws), tolerance, ws, stats);
}

void SolveHeld(const IslandView& island, NewtonWorkspace* ws, NewtonStats* stats, VecX* x,
               VecX* gamma) {
  const ConvexProgram& program = island.program;
  const bool is_zero = std::ranges::all_of(island.ranges, [&](const DofRange& range) {
    return x->segment(range.first, range.count).isZero(0);
  });
  if (is_zero) return;
  // ws->step = P G x.
  const auto push_back = [&] {
    for (int i : island.blocks) {
      const ConvexBlock& block = program.blocks[i];
      const int first = block.first_row;
      MultiplyBlock(program, block, x->data(), ws->y.data() + first);
      for (int r = 0; r < block.row_count; ++r) {
        ws->step[first + r] = MultiplyRow(block, &ws->P_factored[ws->P_start[i]], r, &ws->y[first]);
      }
    }
  };
  const auto respond = [&](VecX* to) {
    for (const DofRange& range : island.ranges) {
      program.factor->SolveRange(*program.pattern, range.first, range.count, to->data());
    }
  };
  const auto is_factored = [&] {
    return island.matrix->is_factored() || (UsesChain(island) && island.chain->is_factored());
  };
  // Impulses that were right from the start needed no factor so far.
  if (!is_factored()) FactorNaturalMap(island, 0, ws, stats);
  if (island.matrix->is_factored()) {
    island.matrix->Solve(program, x->data());
    push_back();
    ForEachRow(program, island.blocks, [&](int r) { (*gamma)[r] = -ws->step[r]; });
    return;
  }
  respond(x);
  if (!is_factored()) return;

  // H⁻¹ = M⁻¹ − M⁻¹ Gᵀ (I + P W)⁻¹ P G M⁻¹.
  for (const DofRange& range : island.ranges) ws->x.segment(range.first, range.count).setZero();
  push_back();
  island.chain->Solve(ws->step.data());
  ForEachRow(program, island.blocks, [&](int r) { (*gamma)[r] = -ws->step[r]; });
  for (int i : island.blocks) {
    const ConvexBlock& block = program.blocks[i];
    AddTransposedBlock(program, block, ws->step.data() + block.first_row, ws->x.data());
  }
  respond(&ws->x);
  for (const DofRange& range : island.ranges) {
    x->segment(range.first, range.count) -= ws->x.segment(range.first, range.count);
  }
}

NaturalNewtonResult SolveNaturalMap(const IslandView& island, const NaturalNewtonSettings& settings,
                                    VecX* v, VecX* gamma, NewtonWorkspace* ws, NewtonStats* stats) {
  constexpr double kReuse = 1e-2;  // a factor this close gains two digits a step
  constexpr double kAmple = 1e-2;  // of the aim: no need for one more step
  constexpr double kSlow = 0.1;    // less progress than this in a step asks for acceleration
  const double aim = settings.aim, ample = kAmple * aim;
  Progress progress;
  double last = kInfinity;
  int extra = 0;
  bool accelerate = false, is_best = false, is_last = false;
  for (int iteration = 0;; ++iteration) {
    const double residual = CalcNaturalResidual(island, v, *gamma, ws);
    is_best = progress.Note(residual);
    if (is_best && residual > ample) CopyRows(island, gamma->data(), ws->best.data());
    if (progress.best() <= ample || is_last || iteration == settings.max_iterations ||
        progress.IsTooSlow(settings) || settings.deadline.HasPassed()) {
      break;
    }
    const bool is_accepted = progress.best() <= settings.accepted;
    const bool is_slow_step = residual > kSlow * last;
    if (is_accepted && progress.best() > aim && is_slow_step) break;
    // Just below the aim one more step is worth its price, or two: what else is judged (the sign of
    // the power of friction that sticks) is as good as the residual.
    if (iteration == 0) KeepPushing(island, *gamma, ws);
    if (progress.best() <= aim) ++extra;
    is_last = extra >= settings.extra_steps;
    // What is accepted goes on with the factor that there is, as long as that gains digits.
    const bool keeps_factor = is_accepted && iteration > 0 && settings.accepted > aim;
    if (!FactorNaturalMap(island, keeps_factor ? kInfinity : kReuse, ws, stats)) break;
    ++stats->iterations;
    const bool is_slow = settings.accelerate && iteration > 1 && is_slow_step;
    last = residual;
    CalcStep(island, ws);
    if (settings.careful && extra == 0 && TakeStepToBounds(island, is_slow, gamma, *ws)) {
      progress.StartAnew();
      last = kInfinity;
      accelerate = false;
      continue;
    }
    if (is_slow && !accelerate) {
      accelerate = true;
      PrepareAcceleration(island, ws);
    }
    if (settings.careful) CopyRows(island, ws->step.data(), ws->last_step.data());
    TakeStep(island, accelerate, gamma, ws);
  }
  if (!is_best) {
    CopyRows(island, ws->best.data(), gamma->data());
    CalcVelocity(island, *gamma, v);
  }
  return {progress.best(), progress.best() <= settings.accepted};
}

}  // namespace voigt
