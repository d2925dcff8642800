#include "voigt/math/block_conjugate_gradients.h"

#include <algorithm>
#include <cmath>

#include "voigt/base/check.h"
#include "voigt/math/number_pair.h"

namespace voigt {
namespace {

// D = K Kᵀ in the lower triangle, by columns; the diagonal of K is stored inverted. False if a
// pivot is not positive.
template <int fixed>
bool FactorBlock(int n_, double* D) {
  const int n = fixed > 0 ? fixed : n_;
  for (int j = 0; j < n; ++j) {
    double* const column = D + j * n;
    if (!(column[j] > 0) || !std::isfinite(column[j])) return false;
    const double inverse = 1 / std::sqrt(column[j]);
    column[j] = inverse;
    for (int i = j + 1; i < n; ++i) column[i] *= inverse;
    for (int k = j + 1; k < n; ++k) {
      for (int i = k; i < n; ++i) D[k * n + i] -= column[k] * column[i];
    }
  }
  return true;
}

// x ← K⁻¹ x and x ← K⁻ᵀ x.
template <int fixed>
void SolveBlock(int n_, const double* K, double* __restrict x) {
  const int n = fixed > 0 ? fixed : n_;
  for (int k = 0; k < n; ++k) {
    const double x_k = x[k] *= K[k * n + k];
    for (int i = k + 1; i < n; ++i) x[i] -= K[k * n + i] * x_k;
  }
}

void SolveTransposedBlock(int n, const double* K, double* x) {
  for (int k = n - 1; k >= 0; --k) {
    double sum = x[k];
    for (int i = k + 1; i < n; ++i) sum -= K[k * n + i] * x[i];
    x[k] = sum * K[k * n + k];
  }
}

// A ← K_row⁻¹ A K_col⁻ᵀ for an A of m × n, by columns.
template <int m_fixed, int n_fixed>
void ScaleBlock(int m_, int n_, const double* K_row, const double* K_col, double* __restrict A) {
  const int m = m_fixed > 0 ? m_fixed : m_, n = n_fixed > 0 ? n_fixed : n_;
  for (int k = 0; k < n; ++k) {
    double* const column = A + k * m;
    for (int j = 0; j < k; ++j) {
      const double factor = K_col[j * n + k];
      for (int i = 0; i < m; ++i) column[i] -= factor * A[j * m + i];
    }
    const double inverse = K_col[k * n + k];
    for (int i = 0; i < m; ++i) column[i] *= inverse;
  }
  for (int k = 0; k < n; ++k) SolveBlock<m_fixed>(m, K_row, A + k * m);
}

// y −= A x and y −= Aᵀ x for an A of m × n, by columns.
void Subtract(int m, int n, const double* A, const double* x, double* __restrict y) {
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < m; ++i) y[i] -= A[k * m + i] * x[k];
  }
}

void SubtractTransposed(int m, int n, const double* A, const double* x, double* __restrict y) {
  for (int k = 0; k < n; ++k) {
    double sum = 0;
    for (int i = 0; i < m; ++i) sum += A[k * m + i] * x[i];
    y[k] -= sum;
  }
}

// The same for two bodies.
void SubtractOfSix(const double* A, const double* x, double* __restrict y) {
  NumberPair y_0 = LoadPair(y), y_1 = LoadPair(y + 2), y_2 = LoadPair(y + 4);
  for (int k = 0; k < 6; ++k, A += 6) {
    y_0 -= LoadPair(A) * x[k];
    y_1 -= LoadPair(A + 2) * x[k];
    y_2 -= LoadPair(A + 4) * x[k];
  }
  StorePair(y_0, y);
  StorePair(y_1, y + 2);
  StorePair(y_2, y + 4);
}

void SubtractTransposedOfSix(const double* A, const double* x, double* __restrict y) {
  const NumberPair x_0 = LoadPair(x), x_1 = LoadPair(x + 2), x_2 = LoadPair(x + 4);
  for (int k = 0; k < 6; ++k, A += 6) {
    y[k] -= Sum(LoadPair(A) * x_0 + LoadPair(A + 2) * x_1 + LoadPair(A + 4) * x_2);
  }
}

}  // namespace

void BlockConjugateGradients::Analyze(std::span<const int> sizes,
                                      std::span<const std::pair<int, int>> edges) {
  nodes_.clear();
  size_ = 0;
  int offset = 0;
  for (int n : sizes) {
    nodes_.push_back({size_, n, offset});
    size_ += n;
    offset += n * n;
  }
  edges_.clear();
  cost_ = 0;
  for (const auto& [i, j] : edges) {
    VOIGT_DCHECK(i > j);
    edges_.push_back({i, j, offset});
    offset += sizes[i] * sizes[j];
    cost_ += 2.0 * sizes[i] * sizes[j];
  }
  cost_ += 5.0 * size_;  // of the vectors
  values_.assign(offset, 0);
  links_.reserve(edges_.size());
  for (VecX* vector : {&y_, &r_, &p_, &Bp_, &t_}) vector->resize(size_);
}

BlockCholesky::Place BlockConjugateGradients::Find(int i, int j) const {
  if (i == j) return {nodes_[i].offset, nodes_[i].size, false};
  const std::pair<int, int> want(std::max(i, j), std::min(i, j));
  const auto found = std::lower_bound(edges_.begin(), edges_.end(), want,
                                      [](const Edge& edge, const std::pair<int, int>& other) {
                                        return std::pair(edge.row, edge.col) < other;
                                      });
  VOIGT_DCHECK(found != edges_.end() && found->row == want.first && found->col == want.second);
  return {found->offset, nodes_[found->row].size, i < j};
}

void BlockConjugateGradients::SetZero() { std::fill(values_.begin(), values_.end(), 0.0); }

bool BlockConjugateGradients::Factor() {
  for (const Node& node : nodes_) {
    double* const D = values_.data() + node.offset;
    if (!(node.size == 6 ? FactorBlock<6>(6, D) : FactorBlock<0>(node.size, D))) return false;
  }
  links_.clear();
  for (const Edge& edge : edges_) {
    const Node &row = nodes_[edge.row], &col = nodes_[edge.col];
    double* const A = values_.data() + edge.offset;
    const int m = row.size, n = col.size;
    if (std::all_of(A, A + m * n, [](double a) { return a == 0; })) continue;
    const double *K_row = values_.data() + row.offset, *K_col = values_.data() + col.offset;
    m == 6 && n == 6 ? ScaleBlock<6, 6>(6, 6, K_row, K_col, A)
                     : ScaleBlock<0, 0>(m, n, K_row, K_col, A);
    links_.push_back({row.start, col.start, m, n, edge.offset});
  }
  return true;
}

void BlockConjugateGradients::SolveT(double* x) const {
  for (const Link& link : links_) {
    const double* const A = values_.data() + link.offset;
    const double* const from = x + link.col_start;
    double* const to = x + link.row_start;
    link.rows == 6 && link.cols == 6 ? SubtractOfSix(A, from, to)
                                     : Subtract(link.rows, link.cols, A, from, to);
  }
}

void BlockConjugateGradients::SolveTransposedT(double* x) const {
  for (auto link = links_.rbegin(); link != links_.rend(); ++link) {
    const double* const A = values_.data() + link->offset;
    const double* const from = x + link->row_start;
    double* const to = x + link->col_start;
    link->rows == 6 && link->cols == 6 ? SubtractTransposedOfSix(A, from, to)
                                       : SubtractTransposed(link->rows, link->cols, A, from, to);
  }
}

void BlockConjugateGradients::Multiply(const VecX& y, VecX* t, VecX* By) const {
  *t = y;
  SolveTransposedT(t->data());
  *By = y - *t;
  SolveT(By->data());
  *By += *t;
}

BlockConjugateGradients::Result BlockConjugateGradients::Solve(double tolerance, int max_iterations,
                                                               double* x) {
  Result result;
  r_ = Eigen::Map<const VecX>(x, size_);
  for (const Node& node : nodes_) {
    SolveBlock<0>(node.size, values_.data() + node.offset, r_.data() + node.start);
  }
  SolveT(r_.data());

  y_.setZero();
  p_ = r_;
  double rr = r_.squaredNorm();
  const double enough = tolerance * tolerance * rr;
  while (rr > enough && result.iterations < max_iterations) {
    Multiply(p_, &t_, &Bp_);
    const double curvature = p_.dot(Bp_);
    if (!(curvature > 0)) break;
    ++result.iterations;
    const double alpha = rr / curvature;
    y_ += alpha * p_;
    r_ -= alpha * Bp_;
    const double rr_next = r_.squaredNorm();
    p_ = r_ + (rr_next / rr) * p_;
    rr = rr_next;
  }
  result.converged = rr <= enough;

  SolveTransposedT(y_.data());
  for (const Node& node : nodes_) {
    SolveTransposedBlock(node.size, values_.data() + node.offset, y_.data() + node.start);
  }
  Eigen::Map<VecX>(x, size_) = y_;
  return result;
}

}  // namespace voigt
