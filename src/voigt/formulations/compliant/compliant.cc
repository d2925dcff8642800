#include "voigt/formulations/compliant/compliant.h"

#include <algorithm>
#include <cmath>

#include "voigt/base/worker_pool.h"
#include "voigt/formulations/compliant/friction_radii.h"
#include "voigt/formulations/compliant/island_solver.h"
#include "voigt/formulations/compliant/problem_as_convex_program.h"
#include "voigt/formulations/compliant/sensitivity.h"
#include "voigt/kernels/islands.h"
#include "voigt/math/finite.h"

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

// A row that no velocity reaches, as of friction beside the plane of a pendulum, and that asks for
// none. Any impulse meets its law.
bool MovesNothing(const VelocityProblem& problem, const RowGroup& group, int r) {
  if (group.col_count == 0) return true;
  const double* const entries = problem.entries(group, r);
  const Row& row = problem.rows[group.first_row + r];
  return row.phi_t == 0 && row.v_hat == 0 &&
         std::all_of(entries, entries + group.col_count, [](double G) { return G == 0; });
}

// How much worse one status is than another; the solution shows the worst of its islands.
int Severity(SolveStatus status) { return static_cast<int>(status); }

}  // namespace

struct Compliant::Workspace {
  CompliantSettings settings;
  ProblemAsConvexProgram convex;
  Islands islands;
  std::vector<IslandStructure> structures;  // one per island
  WorkerPool* pool = nullptr;
  std::vector<IslandWorkspace> memory = std::vector<IslandWorkspace>(1);  // one per thread
  std::vector<int> solved_by;                                             // per island: which
  std::vector<IslandResult> results;                                      // per island
  std::vector<NewtonStats> stats;                                         // the same
  std::vector<double> lagged;                                             // per block
  VecX v, solution;                                                       // solution: impulses
  Sensitivity sensitivity;
  MatX column;  // of one derivative

  // task(i, thread) for all i < count.
  template <typename Task>
  void ForEach(int count, const Task& task) const {
    if (pool != nullptr) return pool->Run(count, task);
    for (int i = 0; i < count; ++i) task(i, 0);
  }
  void SolveIslands(const VelocityProblem& problem, bool is_new, VecX* gamma);
  IslandView View(int i) {
    IslandStructure& structure = structures[i];
    return {convex.program(),  islands.blocks(i),       islands.ranges(i),
            &structure.matrix, &structure.independence, &structure.chain};
  }
};

Compliant::Compliant(const CompliantSettings& settings) : ws_(std::make_unique<Workspace>()) {
  ws_->settings = settings;
}
Compliant::~Compliant() = default;
Compliant::Compliant(Compliant&&) noexcept = default;
Compliant& Compliant::operator=(Compliant&&) noexcept = default;

const CompliantSettings& Compliant::settings() const { return ws_->settings; }

void Compliant::UseThreads(WorkerPool* pool) {
  ws_->pool = pool;
  ws_->memory = std::vector<IslandWorkspace>(pool != nullptr ? pool->thread_count() : 1);
}

void Compliant::SolveHeld(const VelocityProblem& problem, VecX* x, VecX* gamma) {
  gamma->setZero(problem.row_count());
  // Memory that an island was solved in has what was made for it.
  ws_->ForEach(static_cast<int>(ws_->memory.size()), [&](int m, int) {
    NewtonStats stats;
    for (int i = 0; i < ws_->islands.count(); ++i) {
      if (ws_->solved_by[i] != m) continue;
      const IslandView island = ws_->View(i);
      if (ws_->results[i].is_swept) {
        ws_->memory[m].contact_sweeps.SolveHeld(island.program, island.blocks, island.ranges,
                                                ws_->solution, x);
        continue;
      }
      ws_->structures[i].Prepare(island.program, island.blocks, island.ranges,
                                 ToMatrixKind(ws_->settings.inner));
      voigt::SolveHeld(island, &ws_->memory[m].newton, &stats, x, gamma);
    }
  });
  for (const DofRange& range : ws_->islands.untouched()) {
    problem.factor->SolveRange(*problem.pattern, range.first, range.count, x->data());
  }
}

bool Compliant::CalcDerivative(const VelocityProblem& problem, const Solution& solution,
                               const Perturbation& change, VecX* dv1) {
  MatX& column = ws_->column;
  const bool found = CalcDerivatives(problem, solution, {&change, 1}, &column);
  *dv1 = column.col(0);
  return found;
}

bool Compliant::CalcDerivatives(const VelocityProblem& problem, const Solution& solution,
                                std::span<const Perturbation> changes, MatX* dv1) {
  Workspace& ws = *ws_;
  return ws.sensitivity.Calc(problem, ws.convex.program(), ws.islands,
                             ws.settings.friction == FrictionMode::kLagged, solution.gamma, changes,
                             dv1);
}

// Islands share no unknown and no row: whoever solves them, and in whatever order, finds the same.
void Compliant::Workspace::SolveIslands(const VelocityProblem& problem, bool is_new, VecX* gamma) {
  IslandSettings of_island;
  of_island.friction = settings.friction;
  of_island.attempts = settings.attempts;
  of_island.tolerance = settings.tolerance;
  of_island.aim = std::min(settings.aim, settings.tolerance);
  of_island.max_iterations = settings.max_iterations;
  of_island.deadline = Deadline(settings.time_limit);
  of_island.matrix_kind = ToMatrixKind(settings.inner);
  solved_by.resize(islands.count());
  results.resize(islands.count());
  stats.assign(islands.count(), {});
  // Neighbours in the list go together: most islands are small, and taking one costs a lock.
  constexpr int kPartsPerThread = 8;
  const int count = islands.count();
  const int parts = std::min(count, kPartsPerThread * static_cast<int>(memory.size()));
  ForEach(parts, [&](int part, int thread) {
    const auto begin_of = [&](long p) { return static_cast<int>(p * count / parts); };
    for (int i = begin_of(part); i < begin_of(part + 1); ++i) {
      structures[i].Begin(is_new);
      solved_by[i] = thread;
      results[i] = SolveIsland(of_island, problem, lagged, &convex.program(), View(i),
                               &structures[i], &v, gamma, &memory[thread], &stats[i]);
    }
  });
}

void Compliant::Solve(const VelocityProblem& problem, const VecX& warm_start, Solution* solution) {
  Workspace& ws = *ws_;
  Solution& out = *solution;
  const int rows = problem.row_count();
  out.stats = {};
  out.status = SolveStatus::kSolved;
  out.residual = 0;
  out.normal_bound.clear();
  out.tolerance = ws.settings.tolerance;
  out.friction = ws.settings.friction;

  // The convex program, its islands, and where to start.
  ws.convex.Update(problem, ws.settings.friction);
  ConvexProgram& program = ws.convex.program();
  const bool is_new = ws.islands.Find(program);
  if (static_cast<int>(ws.structures.size()) < ws.islands.count()) {
    ws.structures.resize(ws.islands.count());
  }
  for (IslandWorkspace& memory : ws.memory) memory.Resize(program);
  ws.lagged.resize(problem.groups.size());
  for (size_t g = 0; g < problem.groups.size(); ++g) {
    ws.lagged[g] = problem.groups[g].lagged_impulse;
  }
  if (warm_start.size() == rows && AllFinite(warm_start.data(), rows)) {
    out.gamma = warm_start;
  } else {
    out.gamma.setZero(rows);
  }
  // Smooth laws are linearised where the last impulses lead.
  ws.v = problem.v_star;
  const auto& blocks = program.blocks;
  if (std::any_of(blocks.begin(), blocks.end(), [](const auto& block) { return block.smooth; })) {
    problem.CalcVelocity(out.gamma, &ws.v);
  }

  ws.SolveIslands(problem, is_new, &out.gamma);
  for (int i = 0; i < ws.islands.count(); ++i) {
    const IslandResult& result = ws.results[i];
    if (Severity(result.status) > Severity(out.status)) out.status = result.status;
    out.residual = std::max(out.residual, result.residual / result.scale);
    if (std::isnan(result.residual)) out.residual = kNaN;
    out.stats.sweeps += result.sweeps;
    out.stats.newton_iterations += ws.stats[i].iterations;
    out.stats.factorizations += ws.stats[i].factorizations;
    out.stats.friction_passes += result.friction_passes;
    out.stats.solved_by = std::max(out.stats.solved_by, result.solved_by);
    out.stats.dependent_directions += result.dependent_directions;
  }
  out.stats.islands = ws.islands.count();

  if (ws.settings.friction == FrictionMode::kLagged) {
    out.normal_bound.assign(problem.groups.size(), kNaN);
    for (size_t g = 0; g < problem.groups.size(); ++g) {
      const ConvexBlock& block = program.blocks[g];
      if (IsCoupled(block.set) && block.has_friction()) out.normal_bound[g] = block.bound;
    }
  }

  // Rows that move nothing have no impulse. Momentum holds by construction: each island's v is
  // v* + M⁻¹ Gᵀ γ.
  for (const RowGroup& group : problem.groups) {
    for (int r = 0; r < group.row_count; ++r) {
      if (MovesNothing(problem, group, r)) out.gamma[group.first_row + r] = 0;
    }
  }
  ws.solution = out.gamma;
  out.v1 = ws.v;
  for (const DofRange& range : ws.islands.untouched()) {
    out.v1.segment(range.first, range.count) = problem.v_star.segment(range.first, range.count);
  }
}

}  // namespace voigt
