#include "voigt/problem/row_inertia.h"

#include <algorithm>
#include <functional>

namespace voigt {
namespace {

// The union of the paths column → root, children before parents; marks what it contains.
void CollectPath(const TreePattern& pattern, std::span<const int> cols,
                 RowInertiaScratch* scratch) {
  scratch->path.clear();
  for (const int column : cols) {
    for (int k = column; k >= 0 && !scratch->seen[k]; k = pattern.parent(k)) {
      scratch->seen[k] = 1;
      scratch->path.push_back(k);
    }
  }
  std::sort(scratch->path.begin(), scratch->path.end(), std::greater<>());
}

void CalcGroup(const VelocityProblem& problem, const RowGroup& group, RowInertiaScratch* scratch,
               double* w) {
  const TreePattern& pattern = *problem.pattern;
  const TreeFactor& factor = *problem.factor;
  const auto cols = problem.cols_of(group);
  const int count = group.row_count;
  CollectPath(pattern, cols, scratch);

  double* const x = scratch->x.data();
  for (int r = 0; r < count; ++r) {
    const double* const G_r = problem.entries(group, r);
    for (int k = 0; k < group.col_count; ++k) x[cols[k] * count + r] += G_r[k];
    w[r] = 0;
  }

  // x ← L⁻ᵀ x along the path. Entry k is final once its descendants are done: it goes into the sum
  // and back to zero.
  for (const int k : scratch->path) {
    double* const x_k = x + k * count;
    const double* const L_k = factor.row(pattern, k);
    const int* const ancestors = pattern.path(k);
    for (int d = 0; d < pattern.depth(k); ++d) {
      double* const x_d = x + ancestors[d] * count;
      for (int r = 0; r < count; ++r) x_d[r] -= L_k[d] * x_k[r];
    }
    for (int r = 0; r < count; ++r) {
      w[r] += factor.D_inverse()[k] * x_k[r] * x_k[r];
      x_k[r] = 0;
    }
    scratch->seen[k] = 0;
  }
}

}  // namespace

void CalcRowInertia(const VelocityProblem& problem, RowInertiaScratch* scratch, VecX* w) {
  int largest = 0;
  for (const RowGroup& group : problem.groups) largest = std::max(largest, group.row_count);
  scratch->seen.assign(problem.nv(), 0);
  scratch->x.assign(static_cast<size_t>(problem.nv()) * largest, 0);
  scratch->path.reserve(problem.nv());
  w->resize(problem.row_count());
  for (const RowGroup& group : problem.groups) {
    CalcGroup(problem, group, scratch, w->data() + group.first_row);
  }
}

void CalcRowInertia(const VelocityProblem& problem, VecX* w) {
  RowInertiaScratch scratch;
  CalcRowInertia(problem, &scratch, w);
}

}  // namespace voigt
