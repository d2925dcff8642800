#include "voigt/kernels/newton_workspace.h"

#include <cmath>

#include "voigt/kernels/convex_set.h"

namespace voigt {

void NewtonWorkspace::Resize(const ConvexProgram& program) {
  const int rows = program.row_count(), nv = program.nv();
  P_start.resize(program.blocks.size());
  int P_size = 0;
  for (size_t i = 0; i < program.blocks.size(); ++i) {
    P_start[i] = P_size;
    P_size += DerivativeSize(program.blocks[i]);
  }
  for (std::vector<double>* list : {&P, &P_factored, &D}) list->resize(P_size);
  for (std::vector<double>* list : {&R, &S, &shift, &y, &dy, &z, &step, &best}) list->resize(rows);
  for (VecX* vector : {&gradient, &dv, &M_dv, &M_dev, &x}) vector->setZero(nv);
}

void MultiplyMass(const ConvexProgram& program, std::span<const DofRange> ranges, const VecX& x,
                  VecX* y) {
  const TreePattern& pattern = *program.pattern;
  for (const DofRange& range : ranges) {
    const int end = range.first + range.count;
    for (int k = range.first; k < end; ++k) (*y)[k] = 0;
    for (int k = range.first; k < end; ++k) {
      const double* const row = program.M->data() + pattern.row_start(k);
      const int* const path = pattern.path(k);
      const int depth = pattern.depth(k);
      const double x_k = x[k];
      double sum = row[depth] * x_k;
      for (int d = 0; d < depth; ++d) {
        sum += row[d] * x[path[d]];
        (*y)[path[d]] += row[d] * x_k;
      }
      (*y)[k] += sum;
    }
  }
}

bool UpdateFactor(const IslandView& island, bool symmetric, double tolerance, NewtonWorkspace* ws,
                  NewtonStats* stats) {
  const auto for_each_entry = [&](auto visit) {
    for (int i : island.blocks) {
      const int start = ws->P_start[i], size = DerivativeSize(island.program.blocks[i]);
      for (int k = start; k < start + size; ++k) visit(ws->P[k], ws->P_factored[k]);
    }
  };
  bool is_close = ws->is_factored;
  for_each_entry([&](double P, double P_factored) {
    is_close = is_close && std::abs(P - P_factored) <= tolerance * std::abs(P_factored);
  });
  if (is_close) {
    for_each_entry([](double& P, double& P_factored) { P = P_factored; });
    return true;
  }
  ++stats->factorizations;
  ws->is_factored = island.matrix->Factor(island.program, ws->P, ws->P_start, symmetric);
  for_each_entry([](double& P, double& P_factored) { P_factored = P; });
  return ws->is_factored;
}

}  // namespace voigt
