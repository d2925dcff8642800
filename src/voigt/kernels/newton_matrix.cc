#include "voigt/kernels/newton_matrix.h"

#include <algorithm>

#include "voigt/base/check.h"
#include "voigt/kernels/convex_set.h"

namespace voigt {
namespace {

// sum += Aᵀ diag(p) B for A and B of rows × n numbers, row by row; sum column by column. Of a
// symmetric sum the lower triangle, in whole pairs of numbers.
template <int fixed, bool symmetric>
void AddProducts(const double* p, const double* A, const double* B, int rows, int n_,
                 double* __restrict sum) {
  const int n = fixed > 0 ? fixed : n_;
  for (int r = 0; r < rows; ++r, A += n, B += n) {
#pragma GCC unroll 6
    for (int b = 0; b < n; ++b) {
      const double factor = p[r] * B[b];
      for (int a = symmetric ? b / 2 * 2 : 0; a < n; ++a) sum[b * n + a] += A[a] * factor;
    }
  }
}

template <bool symmetric>
void AddProducts(const double* p, const double* A, const double* B, int rows, int n, double* sum) {
  if (n == 6) return AddProducts<6, symmetric>(p, A, B, rows, n, sum);
  if (n == 12) return AddProducts<12, false>(p, A, B, rows, n, sum);
  AddProducts<0, false>(p, A, B, rows, n, sum);
}

// PG ← P G for G of rows × n numbers, row by row; P likewise.
void WeighRows(const double* P, const double* G, int rows, int n, double* __restrict PG) {
  for (int r = 0; r < rows; ++r, PG += n) {
    std::fill(PG, PG + n, 0.0);
    for (int s = 0; s < rows; ++s) {
      const double p = P[r * rows + s];
      if (p == 0) continue;
      for (int k = 0; k < n; ++k) PG[k] += p * G[s * n + k];
    }
  }
}

// C += Σ_r p_r x_r y_rᵀ for parts x_r, y_r of `rows` rows of n numbers; C by columns, `stride`
// apart.
void AddAnyOuterProducts(const double* p, const double* x, int nx, const double* y, int ny,
                         int rows, int n, double* __restrict C, int stride) {
  for (int b = 0; b < ny; ++b) {
    for (int r = 0; r < rows; ++r) {
      const double factor = p[r] * y[r * n + b];
      for (int a = 0; a < nx; ++a) C[b * stride + a] += x[r * n + a] * factor;
    }
  }
}

// The same for parts of `size` numbers, each column of C in registers.
template <int size, int rows>
void AddOuterProducts(const double* p, const double* x, const double* y, int n,
                      double* __restrict C, int stride) {
  double x_rows[rows][size];
  for (int r = 0; r < rows; ++r) std::copy_n(x + r * n, size, x_rows[r]);
#pragma GCC unroll 6
  for (int b = 0; b < size; ++b, C += stride) {
    double sum[size];
#pragma GCC unroll 6
    for (int a = 0; a < size; ++a) sum[a] = C[a];
#pragma GCC unroll 3
    for (int r = 0; r < rows; ++r) {
      const double factor = p[r] * y[r * n + b];
#pragma GCC unroll 6
      for (int a = 0; a < size; ++a) sum[a] += x_rows[r][a] * factor;
    }
#pragma GCC unroll 6
    for (int a = 0; a < size; ++a) C[a] = sum[a];
  }
}

inline void AddOuterProducts(const double* p, const double* x, int nx, const double* y, int ny,
                             int rows, int n, double* C, int stride) {
  if (nx == 6 && ny == 6 && rows == 1) return AddOuterProducts<6, 1>(p, x, y, n, C, stride);
  if (nx == 6 && ny == 6 && rows == 3) return AddOuterProducts<6, 3>(p, x, y, n, C, stride);
  AddAnyOuterProducts(p, x, nx, y, ny, rows, n, C, stride);
}

bool IsDiagonal(const double* P, int n) {
  for (int r = 0; r < n; ++r) {
    for (int s = 0; s < n; ++s) {
      if (r != s && P[r * n + s] != 0) return false;
    }
  }
  return true;
}

}  // namespace

bool NewtonMatrix::Weigh(const ConvexProgram& program, const ConvexBlock& block, const double* P) {
  if (std::all_of(P, P + DerivativeSize(block), [](double p) { return p == 0; })) return false;
  const int n = block.row_count, nc = block.col_count;
  right_ = program.entries(block, 0);
  weights_ = P;
  if (!IsCoupled(block.set)) return true;
  diagonal_.resize(std::max<size_t>(diagonal_.size(), n));
  weights_ = diagonal_.data();
  if (IsDiagonal(P, n)) {
    for (int r = 0; r < n; ++r) diagonal_[r] = P[r * n + r];
    return true;
  }
  std::fill(diagonal_.begin(), diagonal_.begin() + n, 1.0);
  PG_.resize(std::max<size_t>(PG_.size(), static_cast<size_t>(n) * nc));
  WeighRows(P, right_, n, nc, PG_.data());
  right_ = PG_.data();
  return true;
}

void NewtonMatrix::AssembleDense(const ConvexProgram& program, std::span<const double> P,
                                 std::span<const int> P_start) {
  const TreePattern& pattern = *program.pattern;
  dense_.setZero(size_, size_);
  for (const DofRange& range : ranges_) {
    for (int k = range.first; k < range.first + range.count; ++k) {
      const double* const row = program.M->data() + pattern.row_start(k);
      for (int d = 0; d <= pattern.depth(k); ++d) {
        const int a = local_[k], b = local_[pattern.path(k)[d]];
        dense_(a, b) = row[d];
        dense_(b, a) = row[d];
      }
    }
  }
  for (int i : blocks_) {
    const ConvexBlock& block = program.blocks[i];
    if (!Weigh(program, block, P.data() + P_start[i])) continue;
    const auto cols = program.cols_of(block);
    const int nc = block.col_count;
    if (nc == size_) {
      AddUpBlock(program.entries(block, 0), block.row_count, nc, dense_.data());
      continue;
    }
    sum_.assign(std::max<size_t>(sum_.size(), static_cast<size_t>(nc) * nc), 0.0);
    AddUpBlock(program.entries(block, 0), block.row_count, nc, sum_.data());
    for (int b = 0; b < nc; ++b) {
      double* const column = dense_.data() + static_cast<long>(local_[cols[b]]) * size_;
      // Columns ascend, so the lower triangle is a ≥ b.
      for (int a = symmetric_ ? b : 0; a < nc; ++a) column[local_[cols[a]]] += sum_[b * nc + a];
    }
  }
}

// sum += Gᵀ P G of a block, column by column; where it is symmetric, the lower triangle at least.
void NewtonMatrix::AddUpBlock(const double* G, int rows, int nc, double* sum) const {
  symmetric_ ? AddProducts<true>(weights_, G, right_, rows, nc, sum)
             : AddProducts<false>(weights_, G, right_, rows, nc, sum);
}

void NewtonMatrix::AssembleTree(const ConvexProgram& program, std::span<const double> P,
                                std::span<const int> P_start) {
  const TreePattern& pattern = *program.pattern;
  for (const DofRange& range : ranges_) {
    const int last = range.first + range.count - 1;
    const int start = pattern.row_start(range.first);
    const int count = pattern.row_start(last) + pattern.depth(last) + 1 - start;
    packed_.segment(start, count) = program.M->segment(start, count);
  }
  for (int i : blocks_) {
    const ConvexBlock& block = program.blocks[i];
    if (!Weigh(program, block, P.data() + P_start[i])) continue;
    const auto cols = program.cols_of(block);
    const int nc = block.col_count;
    if (nc == 6) {
      sum_.assign(nc * nc, 0.0);
      AddUpBlock(program.entries(block, 0), block.row_count, nc, sum_.data());
      for (int a = 0; a < nc; ++a) {
        double* const row = packed_.data() + pattern.row_start(cols[a]);
        for (int b = 0; b <= a; ++b) row[pattern.depth(cols[b])] += sum_[b * nc + a];
      }
      continue;
    }
    for (int a = 0; a < nc; ++a) {
      double* const row = packed_.data() + pattern.row_start(cols[a]);
      for (int r = 0; r < block.row_count; ++r) {
        const double g = weights_[r] * program.entries(block, r)[a];
        const double* const right = right_ + r * nc;
        for (int b = 0; b <= a; ++b) row[pattern.depth(cols[b])] += g * right[b];
      }
    }
  }
}

void NewtonMatrix::AssembleBlocks(const ConvexProgram& program, std::span<const double> P,
                                  std::span<const int> P_start) {
  cholesky_.SetZero();
  double* const values = cholesky_.data();
  for (size_t e = 0; e < mass_entries_.size(); ++e) {
    values[mass_entries_[e]] = (*program.M)[mass_sources_[e]];
  }
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const ConvexBlock& block = program.blocks[blocks_[i]];
    if (!Weigh(program, block, P.data() + P_start[blocks_[i]])) continue;
    const int nc = block.col_count;
    const Place* place = places_.data() + place_start_[i];
    for (int s = segment_start_[i]; s < segment_start_[i + 1]; ++s) {
      for (int t = segment_start_[i]; t <= s; ++t, ++place) {
        const Segment &S = segments_[s], &T = segments_[t];
        const double* const G = program.entries(block, 0) + S.first;
        const double* const right = right_ + T.first;
        double* const into = values + place->offset;
        if (place->transposed) {
          AddOuterProducts(weights_, right, T.count, G, S.count, block.row_count, nc, into,
                           place->stride);
        } else {
          AddOuterProducts(weights_, G, S.count, right, T.count, block.row_count, nc, into,
                           place->stride);
        }
      }
    }
  }
}

void NewtonMatrix::AssembleUnsymmetricBlocks(const ConvexProgram& program,
                                             std::span<const double> P,
                                             std::span<const int> P_start) {
  block_lu_.SetZero();
  double *const lower = block_lu_.lower(), *const upper = block_lu_.upper();
  for (size_t e = 0; e < mass_entries_.size(); ++e) {
    const double mass = (*program.M)[mass_sources_[e]];
    lower[mass_entries_[e]] = mass;
    mass_mirrors_[e] < 0 ? upper[mass_entries_[e]] = mass : lower[mass_mirrors_[e]] = mass;
  }
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const ConvexBlock& block = program.blocks[blocks_[i]];
    if (!Weigh(program, block, P.data() + P_start[blocks_[i]])) continue;
    const int n = block.row_count, nc = block.col_count;
    const double *const G = program.entries(block, 0), *const PG = right_;
    const Place* place = places_.data() + place_start_[i];
    for (int s = segment_start_[i]; s < segment_start_[i + 1]; ++s) {
      for (int t = segment_start_[i]; t <= s; ++t, ++place) {
        // The later one in the order of elimination is the row of the lower block.
        const Segment& A = segments_[place->transposed ? t : s];
        const Segment& B = segments_[place->transposed ? s : t];
        AddOuterProducts(weights_, G + A.first, A.count, PG + B.first, B.count, n, nc,
                         lower + place->offset, place->stride);
        if (s == t) continue;
        if (A.node == B.node) {  // the other triangle of the same block
          const int mirror = place->offset + (B.at - A.at) + (A.at - B.at) * place->stride;
          AddOuterProducts(weights_, G + B.first, B.count, PG + A.first, A.count, n, nc,
                           lower + mirror, place->stride);
        } else {
          AddOuterProducts(weights_, PG + A.first, A.count, G + B.first, B.count, n, nc,
                           upper + place->offset, place->stride);
        }
      }
    }
  }
}

bool NewtonMatrix::FactorUnsymmetric(const ConvexProgram& program, std::span<const double> P,
                                     std::span<const int> P_start) {
  if (kind_ == MatrixKind::kBlockSparse) {
    block_lu_.SetStructure(cholesky_.structure());
    AssembleUnsymmetricBlocks(program, P, P_start);
    return block_lu_.Factor();
  }
  AssembleDense(program, P, P_start);
  if (!dense_.allFinite()) return false;
  lu_.compute(dense_);
  return true;
}

bool NewtonMatrix::FactorAs(const ConvexProgram& program, std::span<const double> P,
                            std::span<const int> P_start, bool symmetric) {
  symmetric_ = symmetric;
  if (!has_places_) PlaceEntries(program);
  if (!symmetric) return FactorUnsymmetric(program, P, P_start);
  switch (kind_) {
    case MatrixKind::kTreeSparse:
      AssembleTree(program, P, P_start);
      for (const DofRange& range : ranges_) {
        if (tree_.FactorRange(*program.pattern, packed_, range.first, range.count) >= 0) {
          return false;
        }
      }
      return true;
    case MatrixKind::kBlockSparse:
      AssembleBlocks(program, P, P_start);
      return cholesky_.Factor();
    default:
      AssembleDense(program, P, P_start);
      llt_.compute(dense_);
      return llt_.info() == Eigen::Success;
  }
}

void NewtonMatrix::Solve(const ConvexProgram& program, double* x) {
  if (symmetric_ && kind_ == MatrixKind::kTreeSparse) {
    for (const DofRange& range : ranges_) {
      tree_.SolveRange(*program.pattern, range.first, range.count, x);
    }
    return;
  }
  int at = 0;
  for (const DofRange& range : ranges_) {
    for (int k = 0; k < range.count; ++k) x_[at++] = x[range.first + k];
  }
  if (!symmetric_ && kind_ == MatrixKind::kBlockSparse) {
    block_lu_.Solve(x_.data());
  } else if (!symmetric_) {
    y_.noalias() = lu_.solve(x_);
    x_.swap(y_);
  } else if (kind_ == MatrixKind::kBlockSparse) {
    cholesky_.Solve(x_.data());
  } else {
    llt_.solveInPlace(x_);
  }
  at = 0;
  for (const DofRange& range : ranges_) {
    for (int k = 0; k < range.count; ++k) x[range.first + k] = x_[at++];
  }
}

}  // namespace voigt
