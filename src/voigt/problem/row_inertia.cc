#include "voigt/problem/row_inertia.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "voigt/math/number_pair.h"

namespace voigt {
namespace {

// Whether the columns are whole paths from roots, each in one run: free bodies, joints on the
// world, chains. Where they ascend, two ends tell all that lies between.
bool IsClosed(const TreePattern& pattern, std::span<const int> cols) {
  for (int c = 0; c < static_cast<int>(cols.size()); ++c) {
    const int k = cols[c], depth = pattern.depth(k);
    if (c > 0 && cols[c - 1] >= k) return false;
    if (depth > c || cols[c - depth] != k - depth || pattern.path(k)[0] != k - depth) return false;
  }
  return true;
}

// x ← L⁻ᵀ x column by column from the last, each `count` numbers long; what is final is added to
// w.
void AddClosed(const TreePattern& pattern, const TreeFactor& factor, std::span<const int> cols,
               int count, double* __restrict x, double* __restrict w) {
  for (int c = static_cast<int>(cols.size()) - 1; c >= 0; --c) {
    const int k = cols[c], depth = pattern.depth(k);
    const double* const x_k = x + c * count;
    const double* const L_k = factor.row(pattern, k);
    const double D_inverse = factor.D_inverse()[k];
    for (int d = 0; d < depth; ++d) {
      double* const x_d = x + (c - depth + d) * count;
      for (int r = 0; r < count; ++r) x_d[r] -= L_k[d] * x_k[r];
    }
    for (int r = 0; r < count; ++r) w[r] += D_inverse * x_k[r] * x_k[r];
  }
}

// w += Σ_k D⁻¹_k G_k² of a free body whose mass matrix is diagonal; rows of G are `stride` apart.
void AddDiagonalOfSix(const double* D_inverse, const double* G, int rows, int stride,
                      double* __restrict w) {
  const NumberPair D[3] = {LoadPair(D_inverse), LoadPair(D_inverse + 2), LoadPair(D_inverse + 4)};
  for (int r = 0; r < rows; ++r, G += stride) {
    NumberPair sum{};
    for (int k = 0; k < 3; ++k) sum += D[k] * LoadPair(G + 2 * k) * LoadPair(G + 2 * k);
    w[r] += Sum(sum);
  }
}

// So many rows at a time that their numbers stay in registers.
constexpr int kRows = 4;

// The same for the six columns of a free body. G: where the rows have them.
void AddChainOfSix(const double* L, const double* D_inverse, const double* const* G, double* w) {
  using Lanes = Eigen::Array<double, kRows, 1>;
  Lanes x[6];
  for (int k = 0; k < 6; ++k) {
    for (int r = 0; r < kRows; ++r) x[k][r] = G[r][k];
  }
#pragma GCC unroll 6
  for (int k = 5; k > 0; --k) {
#pragma GCC unroll 5
    for (int d = 0; d < k; ++d) x[d] -= L[k * (k + 1) / 2 + d] * x[k];
  }
  Lanes sum = Lanes::Zero();
  for (int k = 5; k >= 0; --k) sum += D_inverse[k] * x[k] * x[k];
  for (int r = 0; r < kRows; ++r) w[r] += sum[r];
}

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

// Any columns. Entry k of x is final once its descendants are done: it goes into the sum and back
// to zero.
void CalcOpen(const VelocityProblem& problem, const RowGroup& group, RowInertiaScratch* scratch,
              double* w) {
  const TreePattern& pattern = *problem.pattern;
  const TreeFactor& factor = *problem.factor;
  const auto cols = problem.cols_of(group);
  const int count = group.row_count;
  scratch->seen.resize(problem.nv());
  scratch->x.resize(std::max<size_t>(scratch->x.size(), static_cast<size_t>(problem.nv()) * count));
  CollectPath(pattern, cols, scratch);

  double* const x = scratch->x.data();
  for (int r = 0; r < count; ++r) {
    const double* const G_r = problem.entries(group, r);
    for (int k = 0; k < group.col_count; ++k) x[cols[k] * count + r] += G_r[k];
    w[r] = 0;
  }
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

// (M⁻¹)_kk: limits, friction and drives of a joint ask for the same one.
double CalcUnit(const VelocityProblem& problem, int k, RowInertiaScratch* scratch) {
  double& known = scratch->unit[k];
  if (!std::isnan(known)) return known;
  const TreePattern& pattern = *problem.pattern;
  const int depth = pattern.depth(k);
  double* const x = scratch->columns.data();
  for (int d = 0; d < depth; ++d) x[d] = 0;
  x[depth] = 1;
  known = 0;
  for (int c = depth; c >= 0; --c) {
    const int at = c == depth ? k : pattern.path(k)[c];
    const double* const L = problem.factor->row(pattern, at);
    for (int d = 0; d < c; ++d) x[d] -= L[d] * x[c];
    known += problem.factor->D_inverse()[at] * x[c] * x[c];
  }
  return known;
}

// Whether the columns are those of free bodies alone.
bool AreFreeBodies(const TreePattern& pattern, std::span<const int> cols) {
  if (cols.size() % 6 != 0) return false;
  for (size_t c = 0; c < cols.size(); c += 6) {
    if (!pattern.is_chain_of_six(cols[c])) return false;
    for (int k = 1; k < 6; ++k) {
      if (cols[c + k] != cols[c] + k) return false;
    }
  }
  return true;
}

void CalcOnFreeBodies(const VelocityProblem& problem, const RowGroup& group, double* w) {
  const auto cols = problem.cols_of(group);
  std::fill(w, w + group.row_count, 0.0);
  for (int c = 0; c < group.col_count; c += 6) {
    const double* const L = problem.factor->row(*problem.pattern, cols[c]);
    const double* const D_inverse = problem.factor->D_inverse().data() + cols[c];
    if (problem.factor->is_diagonal(cols[c])) {
      AddDiagonalOfSix(D_inverse, problem.entries(group, 0) + c, group.row_count, group.col_count,
                       w);
      continue;
    }
    for (int first = 0; first < group.row_count; first += kRows) {
      // The last rows are repeated until there are enough.
      const double* G[kRows];
      for (int r = 0; r < kRows; ++r) {
        G[r] = problem.entries(group, std::min(first + r, group.row_count - 1)) + c;
      }
      double sums[kRows] = {};
      AddChainOfSix(L, D_inverse, G, sums);
      const int count = std::min(kRows, group.row_count - first);
      for (int r = 0; r < count; ++r) w[first + r] += sums[r];
    }
  }
}

void CalcOnPaths(const VelocityProblem& problem, const RowGroup& group, RowInertiaScratch* scratch,
                 double* w) {
  const int count = group.row_count;
  std::vector<double>& x = scratch->columns;
  x.resize(std::max(x.size(), static_cast<size_t>(group.col_count) * count));
  for (int r = 0; r < count; ++r) {
    const double* const G_r = problem.entries(group, r);
    for (int c = 0; c < group.col_count; ++c) x[c * count + r] = G_r[c];
  }
  std::fill_n(w, count, 0.0);
  AddClosed(*problem.pattern, *problem.factor, problem.cols_of(group), count, x.data(), w);
}

void CalcGroup(const VelocityProblem& problem, const RowGroup& group, RowInertiaScratch* scratch,
               double* w) {
  const auto cols = problem.cols_of(group);
  if (group.row_count == 1 && cols.size() == 1) {
    const double entry = problem.entries(group, 0)[0];
    *w = entry * entry * CalcUnit(problem, cols[0], scratch);
    return;
  }
  if (AreFreeBodies(*problem.pattern, cols)) return CalcOnFreeBodies(problem, group, w);
  if (IsClosed(*problem.pattern, cols)) return CalcOnPaths(problem, group, scratch, w);
  CalcOpen(problem, group, scratch, w);
}

void CalcGroups(const VelocityProblem& problem, RowInertiaScratch* scratch, double* w) {
  const size_t nv = problem.nv();
  scratch->unit.assign(nv, kNaN);
  scratch->columns.resize(std::max(scratch->columns.size(), nv));
  for (const RowGroup& group : problem.groups) {
    CalcGroup(problem, group, scratch, w + group.first_row);
  }
}

}  // namespace

void CalcRowInertia(const VelocityProblem& problem, RowInertiaScratch* scratch, VecX* w) {
  w->resize(problem.row_count());
  if (problem.w.size() == problem.rows.size()) {
    std::copy(problem.w.begin(), problem.w.end(), w->begin());
    return;
  }
  CalcGroups(problem, scratch, w->data());
}

void SetRowInertia(RowInertiaScratch* scratch, VelocityProblem* problem) {
  problem->w.resize(problem->rows.size());
  CalcGroups(*problem, scratch, problem->w.data());
}

void CalcRowInertia(const VelocityProblem& problem, VecX* w) {
  RowInertiaScratch scratch;
  CalcRowInertia(problem, &scratch, w);
}

}  // namespace voigt
