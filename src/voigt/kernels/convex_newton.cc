#include "voigt/kernels/convex_newton.h"

#include <algorithm>
#include <cmath>

#include "voigt/kernels/convex_set.h"
#include "voigt/kernels/smooth_cone.h"

namespace voigt {
namespace {

// γ(y) of a block and, if asked for, P = −∂γ/∂y.
void CalcImpulses(const ConvexProgram& program, const ConvexBlock& block, const double* y,
                  const NewtonWorkspace& ws, double* z, double* gamma, double* D, double* P) {
  const int first = block.first_row, n = block.row_count;
  const double* const R = ws.R.data() + first;
  for (int r = 0; r < n; ++r) {
    z[r] = (program.b[first + r] + ws.shift[first + r] - y[r]) / R[r];
  }
  if (IsSmoothCone(block)) {
    ProjectSmoothCone(program, block, y[0], z, R, gamma, D);
    if (P == nullptr) return;
    for (int k = 0; k < n * n; ++k) P[k] = k % n == 0 ? D[k] : D[k] / R[k % n];
    return;
  }
  Project(block, z, R, program.lower.data() + first, program.upper.data() + first, gamma, D);
  ScalarLaws::Value law;
  if (block.smooth) {
    law = program.laws->Calc(first, y[0]);
    gamma[0] = law.gamma;
  }
  if (P == nullptr) return;
  const bool coupled = IsCoupled(block.set);
  for (int r = 0; r < (coupled ? n * n : n); ++r) P[r] = D[r] / R[coupled ? r % n : r];
  if (block.smooth) P[0] = law.slope;
}

// The derivative of the function along the ray v + α Δv.
double CalcSlope(const IslandView& island, double alpha, double linear, double quadratic,
                 NewtonWorkspace* ws, VecX* gamma) {
  const ConvexProgram& program = island.program;
  double slope = linear + alpha * quadratic;
  double y[6];
  for (int i : island.blocks) {
    const ConvexBlock& block = program.blocks[i];
    const int first = block.first_row, n = block.row_count;
    double* at = y;
    if (n > 6) at = ws->step.data() + first;
    for (int r = 0; r < n; ++r) at[r] = ws->y[first + r] + alpha * ws->dy[first + r];
    CalcImpulses(program, block, at, *ws, ws->z.data() + first, gamma->data() + first,
                 ws->D.data() + ws->P_start[i], nullptr);
    for (int r = 0; r < n; ++r) slope -= ws->dy[first + r] * (*gamma)[first + r];
  }
  return slope;
}

// A step length at which the slope is a small part of its start, slope0 < 0.
double SearchLine(const IslandView& island, double slope0, double linear, double quadratic,
                  NewtonWorkspace* ws, VecX* gamma) {
  constexpr double kSmallEnough = 0.05;
  constexpr int kMaxEvaluations = 40;
  const auto slope_at = [&](double alpha) {
    return CalcSlope(island, alpha, linear, quadratic, ws, gamma);
  };
  double high = 1, slope_high = slope_at(1);
  if (slope_high <= kSmallEnough * -slope0) return 1;
  // The zero lies between; regula falsi, halving the weight of an end that stays (Illinois).
  double low = 0, slope_low = slope0, alpha = 1;
  int side = 0;
  for (int i = 0; i < kMaxEvaluations; ++i) {
    alpha = (low * slope_high - high * slope_low) / (slope_high - slope_low);
    const double slope = slope_at(alpha);
    if (std::abs(slope) <= kSmallEnough * -slope0) break;
    if (slope > 0) {
      high = alpha;
      slope_high = slope;
      if (side == 1) slope_low *= 0.5;
      side = 1;
    } else {
      low = alpha;
      slope_low = slope;
      if (side == -1) slope_high *= 0.5;
      side = -1;
    }
  }
  return alpha;
}

// Whether all rows are linear in v with the slopes that H was made with; fills gamma.
bool IsAsPredicted(const IslandView& island, VecX* gamma, NewtonWorkspace* ws) {
  bool same = true;
  for (int i : island.blocks) {
    const ConvexBlock& block = island.program.blocks[i];
    const int first = block.first_row, start = ws->P_start[i];
    CalcImpulses(island.program, block, ws->y.data() + first, *ws, ws->z.data() + first,
                 gamma->data() + first, ws->D.data() + start, ws->P.data() + start);
    same = same && !block.smooth &&
           std::equal(&ws->P[start], &ws->P[start] + DerivativeSize(block), &ws->P_factored[start]);
  }
  return same;
}

}  // namespace

bool PredictVelocity(const IslandView& island, const VecX& gamma, VecX* v,
                     NewtonWorkspace* workspace, NewtonStats* stats) {
  const ConvexProgram& program = island.program;
  NewtonWorkspace& ws = *workspace;
  const auto for_each_dof = [&](auto visit) {
    for (const DofRange& range : island.ranges) {
      for (int k = range.first; k < range.first + range.count; ++k) visit(k);
    }
  };
  // Where the rows would be if γ were right: b − y = R γ; smooth laws where they are now.
  for (int i : island.blocks) {
    const ConvexBlock& block = program.blocks[i];
    const int first = block.first_row;
    double* const y = ws.y.data() + first;
    MultiplyBlock(program, block, v->data(), y);
    for (int r = block.smooth ? 1 : 0; r < block.row_count; ++r) {
      const int row = first + r;
      y[r] = program.b[row] + ws.shift[row] - ws.R[row] * gamma[row];
    }
    CalcImpulses(program, block, y, ws, ws.z.data() + first, ws.step.data() + first,
                 ws.D.data() + ws.P_start[i], ws.P.data() + ws.P_start[i]);
  }
  if (!UpdateFactor(island, /*symmetric=*/true, 0, &ws, stats)) return false;
  ++stats->iterations;

  // H v = M v* + Gᵀ (γ + P y), for the change from v*: H (v − v*) = Gᵀ (γ + P (y − G v*)).
  for_each_dof([&](int k) { ws.dv[k] = 0; });
  for (int i : island.blocks) {
    const ConvexBlock& block = program.blocks[i];
    const int first = block.first_row;
    double* const dy = ws.dy.data() + first;
    double* const force = ws.step.data() + first;
    const double* const P = ws.P.data() + ws.P_start[i];
    MultiplyBlock(program, block, program.v_star->data(), dy);
    for (int r = 0; r < block.row_count; ++r) dy[r] = ws.y[first + r] - dy[r];
    for (int r = 0; r < block.row_count; ++r) force[r] += MultiplyRow(block, P, r, dy);
    AddTransposedBlock(program, block, force, ws.dv.data());
  }
  island.matrix->Solve(program, ws.dv.data());
  for_each_dof([&](int k) { (*v)[k] = (*program.v_star)[k] + ws.dv[k]; });
  return true;
}

bool MinimizeConvex(const IslandView& island, const ConvexNewtonSettings& settings,
                    bool is_predicted, VecX* v, VecX* gamma, NewtonWorkspace* workspace,
                    NewtonStats* stats) {
  const ConvexProgram& program = island.program;
  NewtonWorkspace& ws = *workspace;
  const auto for_each_dof = [&](auto visit) {
    for (const DofRange& range : island.ranges) {
      for (int k = range.first; k < range.first + range.count; ++k) visit(k);
    }
  };

  for (int i : island.blocks) {
    const ConvexBlock& block = program.blocks[i];
    MultiplyBlock(program, block, v->data(), ws.y.data() + block.first_row);
  }
  if (is_predicted && IsAsPredicted(island, gamma, &ws)) return true;

  // M (v − v*), kept up to date.
  for_each_dof([&](int k) { ws.x[k] = (*v)[k] - (*program.v_star)[k]; });
  MultiplyMass(program, island.ranges, ws.x, &ws.M_dev);

  for (int iteration = 0; iteration <= settings.max_iterations; ++iteration) {
    // Impulses and gradient M (v − v*) − Gᵀ γ.
    for_each_dof([&](int k) {
      ws.gradient[k] = ws.M_dev[k];
      ws.dv[k] = 0;
    });
    for (int i : island.blocks) {
      const ConvexBlock& block = program.blocks[i];
      const int first = block.first_row;
      CalcImpulses(program, block, ws.y.data() + first, ws, ws.z.data() + first,
                   gamma->data() + first, ws.D.data() + ws.P_start[i], ws.P.data() + ws.P_start[i]);
      AddTransposedBlock(program, block, gamma->data() + first, ws.dv.data());
    }
    double work = 0;
    for_each_dof([&](int k) {
      work += ws.dv[k] * ws.x[k];
      ws.gradient[k] -= ws.dv[k];
      ws.dv[k] = -ws.gradient[k];
    });
    if (iteration == settings.max_iterations || settings.deadline.HasPassed()) return false;

    // Newton's direction.
    if (!UpdateFactor(island, /*symmetric=*/true, 0, &ws, stats)) return false;
    ++stats->iterations;
    island.matrix->Solve(program, ws.dv.data());
    double slope0 = 0;
    for_each_dof([&](int k) { slope0 += ws.gradient[k] * ws.dv[k]; });
    if (!std::isfinite(slope0)) return false;
    if (-slope0 <= settings.tolerance * settings.tolerance * std::abs(work) || slope0 >= 0) {
      return true;
    }

    // Along it: ½‖·‖²_M has slope linear + α quadratic; rows follow by evaluation.
    MultiplyMass(program, island.ranges, ws.dv, &ws.M_dv);
    double linear = 0, quadratic = 0;
    for_each_dof([&](int k) {
      linear += ws.M_dev[k] * ws.dv[k];
      quadratic += ws.M_dv[k] * ws.dv[k];
    });
    for (int i : island.blocks) {
      const ConvexBlock& block = program.blocks[i];
      MultiplyBlock(program, block, ws.dv.data(), ws.dy.data() + block.first_row);
    }
    const double alpha = SearchLine(island, slope0, linear, quadratic, &ws, gamma);
    for_each_dof([&](int k) {
      (*v)[k] += alpha * ws.dv[k];
      ws.x[k] += alpha * ws.dv[k];
      ws.M_dev[k] += alpha * ws.M_dv[k];
    });
    for (int i : island.blocks) {
      const ConvexBlock& block = program.blocks[i];
      for (int r = block.first_row; r < block.first_row + block.row_count; ++r) {
        ws.y[r] += alpha * ws.dy[r];
      }
    }
  }
  return false;
}

}  // namespace voigt
