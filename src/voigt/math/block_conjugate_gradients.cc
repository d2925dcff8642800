#include "voigt/math/block_conjugate_gradients.h"

#include <algorithm>
#include <cmath>

#include "voigt/base/check.h"

namespace voigt {
namespace {

// D = K Kᵀ in the lower triangle, by columns; the diagonal of K is stored inverted. False if a
// pivot is not positive.
bool FactorBlock(int n, double* D) {
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

// x ← K⁻¹ x and x ← K⁻ᵀ x; the numbers of x are `stride` apart.
void SolveBlock(int n, const double* K, double* x, int stride = 1) {
  for (int k = 0; k < n; ++k) {
    const double x_k = x[k * stride] *= K[k * n + k];
    for (int i = k + 1; i < n; ++i) x[i * stride] -= K[k * n + i] * x_k;
  }
}

void SolveTransposedBlock(int n, const double* K, double* x) {
  for (int k = n - 1; k >= 0; --k) {
    double sum = x[k];
    for (int i = k + 1; i < n; ++i) sum -= K[k * n + i] * x[i];
    x[k] = sum * K[k * n + k];
  }
}

// y −= A x and y −= Aᵀ x for an A of m × n, by columns.
template <int m_fixed, int n_fixed>
void Subtract(int m_, int n_, const double* A, const double* x, double* __restrict y) {
  const int m = m_fixed > 0 ? m_fixed : m_, n = n_fixed > 0 ? n_fixed : n_;
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < m; ++i) y[i] -= A[k * m + i] * x[k];
  }
}

template <int m_fixed, int n_fixed>
void SubtractTransposed(int m_, int n_, const double* A, const double* x, double* __restrict y) {
  const int m = m_fixed > 0 ? m_fixed : m_, n = n_fixed > 0 ? n_fixed : n_;
  for (int k = 0; k < n; ++k) {
    double sum = 0;
    for (int i = 0; i < m; ++i) sum += A[k * m + i] * x[i];
    y[k] -= sum;
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
    if (!FactorBlock(node.size, values_.data() + node.offset)) return false;
  }
  links_.clear();
  for (const Edge& edge : edges_) {
    const Node &row = nodes_[edge.row], &col = nodes_[edge.col];
    double* const A = values_.data() + edge.offset;
    const int m = row.size, n = col.size;
    if (std::all_of(A, A + m * n, [](double a) { return a == 0; })) continue;
    // K_row⁻¹ A K_col⁻ᵀ, by columns of A and then by its rows.
    for (int k = 0; k < n; ++k) SolveBlock(m, values_.data() + row.offset, A + k * m);
    for (int k = 0; k < m; ++k) SolveBlock(n, values_.data() + col.offset, A + k, m);
    links_.push_back({row.start, col.start, m, n, edge.offset});
  }
  return true;
}

void BlockConjugateGradients::SolveT(double* x) const {
  for (const Link& link : links_) {
    const double* const A = values_.data() + link.offset;
    const double* const from = x + link.col_start;
    double* const to = x + link.row_start;
    link.rows == 6 && link.cols == 6 ? Subtract<6, 6>(6, 6, A, from, to)
                                     : Subtract<0, 0>(link.rows, link.cols, A, from, to);
  }
}

void BlockConjugateGradients::SolveTransposedT(double* x) const {
  for (auto link = links_.rbegin(); link != links_.rend(); ++link) {
    const double* const A = values_.data() + link->offset;
    const double* const from = x + link->row_start;
    double* const to = x + link->col_start;
    link->rows == 6 && link->cols == 6
        ? SubtractTransposed<6, 6>(6, 6, A, from, to)
        : SubtractTransposed<0, 0>(link->rows, link->cols, A, from, to);
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
    SolveBlock(node.size, values_.data() + node.offset, r_.data() + node.start);
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
