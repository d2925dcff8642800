#include "voigt/kernels/newton_workspace.h"

#include <algorithm>

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
  for (std::vector<double>* list : {&R, &S, &y, &dy, &z, &step, &best}) list->resize(rows);
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

bool UpdateFactor(const IslandView& island, bool symmetric, NewtonWorkspace* ws,
                  NewtonStats* stats) {
  const auto for_each_part = [&](auto visit) {
    for (int i : island.blocks) {
      const int start = ws->P_start[i], size = DerivativeSize(island.program.blocks[i]);
      if (!visit(start, size)) return false;
    }
    return true;
  };
  const bool same = ws->is_factored && for_each_part([&](int start, int size) {
    return std::equal(&ws->P[start], &ws->P[start] + size, &ws->P_factored[start]);
  });
  if (same) return true;
  ++stats->factorizations;
  ws->is_factored = island.matrix->Factor(island.program, ws->P, ws->P_start, symmetric);
  for_each_part([&](int start, int size) {
    std::copy_n(&ws->P[start], size, &ws->P_factored[start]);
    return true;
  });
  return ws->is_factored;
}

}  // namespace voigt
