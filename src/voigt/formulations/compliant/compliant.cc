#include "voigt/formulations/compliant/compliant.h"

#include <algorithm>
#include <cmath>

#include "voigt/formulations/compliant/island_solver.h"
#include "voigt/formulations/compliant/problem_as_convex_program.h"
#include "voigt/formulations/compliant/sensitivity.h"
#include "voigt/kernels/islands.h"

namespace voigt {
namespace {

MatrixKind ToMatrixKind(InnerSolver inner) {
  switch (inner) {
    case InnerSolver::kDense:
      return MatrixKind::kDense;
    case InnerSolver::kTreeSparse:
      return MatrixKind::kTreeSparse;
    case InnerSolver::kBlockSparse:
      return MatrixKind::kBlockSparse;
    case InnerSolver::kAuto:
      break;
  }
  return MatrixKind::kAuto;
}

// How much worse one status is than another; the solution shows the worst of its islands.
int Severity(SolveStatus status) { return static_cast<int>(status); }

}  // namespace

struct Compliant::Workspace {
  CompliantSettings settings;
  ProblemAsConvexProgram convex;
  Islands islands;
  std::vector<NewtonMatrix> matrices;  // one per island
  IslandWorkspace island;
  std::vector<double> lagged;  // per block
  VecX v;
  Sensitivity sensitivity;
};

Compliant::Compliant(const CompliantSettings& settings) : ws_(std::make_unique<Workspace>()) {
  ws_->settings = settings;
}
Compliant::~Compliant() = default;
Compliant::Compliant(Compliant&&) noexcept = default;
Compliant& Compliant::operator=(Compliant&&) noexcept = default;

const CompliantSettings& Compliant::settings() const { return ws_->settings; }

void Compliant::SolveHeld(const VelocityProblem& problem, VecX* x) {
  const ConvexProgram& program = ws_->convex.program();
  for (int i = 0; i < ws_->islands.count(); ++i) ws_->matrices[i].Solve(program, x->data());
  for (const DofRange& range : ws_->islands.untouched()) {
    problem.factor->SolveRange(*problem.pattern, range.first, range.count, x->data());
  }
}

bool Compliant::CalcDerivative(const VelocityProblem& problem, const Solution& solution,
                               const Perturbation& change, VecX* dv1) {
  Workspace& ws = *ws_;
  return ws.sensitivity.Calc(problem, ws.convex.program(), ws.islands,
                             ws.settings.friction == FrictionMode::kLagged, solution.gamma, change,
                             dv1);
}

void Compliant::Solve(const VelocityProblem& problem, const VecX& warm_start, Solution* solution) {
  Workspace& ws = *ws_;
  Solution& out = *solution;
  const int rows = problem.row_count();
  out.stats = {};
  out.status = SolveStatus::kSolved;
  out.residual = 0;

  // The convex program, its islands, and where to start.
  ws.convex.Update(problem, ws.settings.friction);
  ConvexProgram& program = ws.convex.program();
  ws.islands.Find(program);
  if (static_cast<int>(ws.matrices.size()) < ws.islands.count()) {
    ws.matrices.resize(ws.islands.count());
  }
  ws.island.Resize(program);
  ws.lagged.resize(problem.groups.size());
  for (size_t g = 0; g < problem.groups.size(); ++g) {
    ws.lagged[g] = problem.groups[g].lagged_impulse;
  }
  const bool warm = warm_start.size() == rows && warm_start.allFinite();
  if (warm) {
    out.gamma = warm_start;
  } else {
    out.gamma.setZero(rows);
  }
  problem.CalcVelocity(out.gamma, &ws.v);

  IslandSettings settings;
  settings.friction = ws.settings.friction;
  settings.tolerance = ws.settings.tolerance;
  settings.max_iterations = ws.settings.max_iterations;
  settings.deadline = Deadline(ws.settings.time_limit);
  NewtonStats stats;
  for (int i = 0; i < ws.islands.count(); ++i) {
    NewtonMatrix& matrix = ws.matrices[i];
    matrix.Analyze(program, ws.islands.blocks(i), ws.islands.ranges(i),
                   ToMatrixKind(ws.settings.inner));
    const IslandView island{program, ws.islands.blocks(i), ws.islands.ranges(i), &matrix};
    const IslandResult result =
        SolveIsland(settings, ws.lagged, &program, island, &ws.v, &out.gamma, &ws.island, &stats);
    if (Severity(result.status) > Severity(out.status)) out.status = result.status;
    out.residual = std::max(out.residual, result.residual / result.scale);
    if (std::isnan(result.residual)) out.residual = kNaN;
    out.stats.friction_passes += result.friction_passes;
    out.stats.fallbacks += result.fallbacks;
  }
  out.stats.islands = ws.islands.count();
  out.stats.newton_iterations = stats.iterations;
  out.stats.factorizations = stats.factorizations;

  // What the tolerance leaves outside the cone goes back to it.
  if (ws.settings.friction == FrictionMode::kCoulomb) {
    for (const RowGroup& group : problem.groups) {
      if (group.law != Law::kContact) continue;
      double& normal = out.gamma[group.first_row];
      normal = std::max(0.0, normal);
      auto tangents = out.gamma.segment(group.first_row + 1, group.row_count - 1);
      const double norm = tangents.norm(), radius = group.mu * normal;
      if (norm > radius) tangents *= radius / norm;
    }
  }

  // Rows that move nothing have no impulse; momentum holds by construction.
  for (const RowGroup& group : problem.groups) {
    if (group.col_count > 0) continue;
    out.gamma.segment(group.first_row, group.row_count).setZero();
  }
  problem.CalcVelocity(out.gamma, &out.v1);
}

}  // namespace voigt
