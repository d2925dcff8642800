#include "voigt/kernels/block_gauss_seidel.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "voigt/kernels/convex_set.h"
#include "voigt/kernels/local_coulomb.h"
#include "voigt/kernels/several_discs.h"

namespace voigt {
namespace {

constexpr int kLargestBlock = 6;  // that is solved as a whole; others row by row
constexpr int kPatience = 100;    // sweeps without progress before steps are made shorter
constexpr double kProgress = 0.99;
constexpr double kShortest = 0.05;
constexpr double kAstray = 1e3;  // times the best residual

// The zero of γ − γ(y) along y = y0 + w γ for a law that falls: the left side rises with slope
// 1 + w·slope. Newton's method inside a bracket.
double SolveSmoothRow(const ScalarLaws& laws, int row, double w, double y0, double start) {
  double low = -kInfinity, high = kInfinity, gamma = start;
  for (int i = 0; i < 100; ++i) {
    const ScalarLaws::Value law = laws.Calc(row, y0 + w * gamma);
    const double f = gamma - law.gamma;
    if (f == 0) return gamma;
    (f > 0 ? high : low) = gamma;
    double next = gamma - f / (1 + w * law.slope);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (!std::isfinite(next) || next == gamma) return gamma;
    gamma = next;
  }
  return gamma;
}

// γ = −W⁻¹ q for a block without conditions. False if W is too close to singular.
bool SolveFree(int n, const double* W, const double* q, double* gamma) {
  using Mat = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, kLargestBlock,
                            kLargestBlock>;
  using Vec = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kLargestBlock, 1>;
  const Mat A =
      Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(W, n,
                                                                                               n);
  const Eigen::LLT<Mat> factor(A);
  if (factor.info() != Eigen::Success) return false;
  const Vec pivots = factor.matrixLLT().diagonal();
  if (!(pivots.minCoeff() > 1e-6 * pivots.maxCoeff())) return false;
  const Vec x = factor.solve(-Eigen::Map<const VecX>(q, n));
  std::copy(x.data(), x.data() + n, gamma);
  return true;
}

// One row with the others held: u = W_rr γ + c.
double SolveRow(const ConvexProgram& program, const ConvexBlock& block, int r, double w, double c,
                double gamma) {
  if (!(w > 0)) return gamma;
  const int row = block.first_row + r;
  const double free = -c / w;
  switch (block.set) {
    case ConvexSet::kAll:
      return free;
    case ConvexSet::kIntervals:
      return std::clamp(free, program.lower[row], program.upper[row]);
    default:
      return std::max(0.0, free);
  }
}

void SolveRowByRow(const ConvexProgram& program, const ConvexBlock& block, const double* W,
                   const double* q, double* gamma) {
  const int n = block.row_count;
  for (int r = 0; r < n; ++r) {
    double c = q[r];
    for (int s = 0; s < n; ++s) c += s == r ? 0 : W[r * n + s] * gamma[s];
    if (r == 0 && block.smooth) {
      // q has R and b of the row in it, which the law does not know.
      const double R = program.R[block.first_row];
      gamma[0] = SolveSmoothRow(*program.laws, block.first_row, W[0] - R,
                                c + program.b[block.first_row], gamma[0]);
    } else {
      gamma[r] = SolveRow(program, block, r, W[r * n + r], c, gamma[r]);
    }
  }
}

// Diagonal numbers, the same over each disc, that exceed W: row by row its own diagonal times the
// number of rows does. Rows of different units are then not measured by one another's.
void FillMajorant(const ConvexBlock& block, const double* W, double* S) {
  const int n = block.row_count;
  S[0] = n * std::max(W[0], 1e-290);
  for (const Disc& disc : block.discs()) {
    double largest = 1e-290;
    for (int r = disc.first; r < disc.first + disc.count; ++r) {
      largest = std::max(largest, W[r * n + r]);
    }
    std::fill(S + disc.first, S + disc.first + disc.count, n * largest);
  }
}

// Discs and cones, and what the closed form leaves: γ ← Proj(γ − u/S) with S above the largest
// eigenvalue of W converges for convex sets. A few steps will do, the sweeps repeat them.
void SolveByProjection(const ConvexProgram& program, const ConvexBlock& block, const double* W,
                       const double* q, double* gamma) {
  constexpr int kSteps = 30;
  const int n = block.row_count;
  double S[kMaxDiscRows], z[kMaxDiscRows], next[kMaxDiscRows], D[kMaxDiscRows * kMaxDiscRows];
  double trace = 0;
  for (int r = 0; r < n; ++r) trace += W[r * n + r];
  if (!(trace > 0)) return;
  std::fill(S, S + n, trace);
  if (!block.has_one_disc()) FillMajorant(block, W, S);
  for (int step = 0; step < kSteps; ++step) {
    for (int r = 0; r < n; ++r) {
      double u = q[r];
      for (int s = 0; s < n; ++s) u += W[r * n + s] * gamma[s];
      z[r] = gamma[r] - u / S[r];
    }
    if (block.smooth) z[0] = gamma[0];
    Project(block, z, S, program.lower.data() + block.first_row,
            program.upper.data() + block.first_row, next, D);
    if (std::equal(next, next + n, gamma)) return;
    std::copy(next, next + n, gamma);
  }
}

}  // namespace

void BlockGaussSeidel::PrepareBlock(const ConvexProgram& program, const ConvexBlock& block,
                                    std::span<const DofRange> ranges, Response* response) {
  const auto cols = program.cols_of(block);
  const int n = block.row_count;
  response->first_col = static_cast<int>(cols_.size());
  response->first_entry = static_cast<int>(Y_.size());
  response->first_W = static_cast<int>(W_.size());

  // The trees that the columns are in; both ascend.
  size_t range = 0;
  for (const int column : cols) {
    while (column >= ranges[range].first + ranges[range].count) ++range;
    if (static_cast<int>(cols_.size()) > response->first_col && cols_.back() >= column) continue;
    for (int k = 0; k < ranges[range].count; ++k) cols_.push_back(ranges[range].first + k);
  }
  response->col_count = static_cast<int>(cols_.size()) - response->first_col;
  const int* const reached = cols_.data() + response->first_col;

  W_.resize(W_.size() + n * n);
  double* const W = W_.data() + response->first_W;
  for (int r = 0; r < n; ++r) {
    for (int k = 0; k < block.col_count; ++k) x_[cols[k]] += program.entries(block, r)[k];
    for (int k = 0; k < response->col_count;) {
      const auto tree = std::upper_bound(
          ranges.begin(), ranges.end(), reached[k],
          [](int dof, const DofRange& candidate) { return dof < candidate.first; });
      const DofRange& solved = *(tree - 1);
      program.factor->SolveRange(*program.pattern, solved.first, solved.count, x_.data());
      k += solved.count;
    }
    for (int s = 0; s < n; ++s) {
      double sum = s == r ? program.R[block.first_row + r] : 0;
      for (int k = 0; k < block.col_count; ++k) sum += program.entries(block, s)[k] * x_[cols[k]];
      W[s * n + r] = sum;
    }
    for (int k = 0; k < response->col_count; ++k) {
      Y_.push_back(x_[reached[k]]);
      x_[reached[k]] = 0;
    }
  }

  // The scale of each row, equal over the components of a disc.
  for (int r = 0; r < n; ++r) S_[block.first_row + r] = std::max(W[r * n + r], 1e-290);
  if (IsCoupled(block.set) && n > 1) {
    for (const Disc& disc : block.discs()) {
      double* const S = S_.data() + block.first_row + disc.first;
      std::fill(S, S + disc.count, *std::max_element(S, S + disc.count));
    }
  }
}

void BlockGaussSeidel::CalcVelocity(const ConvexProgram& program, std::span<const int> blocks,
                                    std::span<const DofRange> ranges, const VecX& gamma,
                                    VecX* v) const {
  for (const DofRange& range : ranges) v->segment(range.first, range.count).setZero();
  for (const int b : blocks) {
    const ConvexBlock& block = program.blocks[b];
    AddTransposedBlock(program, block, gamma.data() + block.first_row, v->data());
  }
  for (const DofRange& range : ranges) {
    program.factor->SolveRange(*program.pattern, range.first, range.count, v->data());
    v->segment(range.first, range.count) += program.v_star->segment(range.first, range.count);
  }
}

double BlockGaussSeidel::CalcResidual(const ConvexProgram& program, std::span<const int> blocks,
                                      const VecX& v, const VecX& gamma) {
  double residual = 0;
  for (const int b : blocks) {
    const ConvexBlock& block = program.blocks[b];
    const int first = block.first_row, n = block.row_count;
    double* const y = q_.data() + first;
    double* const z = z_.data() + first;
    const double* const S = S_.data() + first;
    MultiplyBlock(program, block, v.data(), y);
    for (int r = 0; r < n; ++r) {
      const double u = y[r] + program.R[first + r] * gamma[first + r] - program.b[first + r];
      z[r] = gamma[first + r] - u / S[r];
    }
    ScalarLaws::Value law;
    if (block.smooth) {
      law = program.laws->Calc(first, y[0]);
      z[0] = law.gamma;
    }
    double* const projected = x_.data();
    Project(block, z, S, program.lower.data() + first, program.upper.data() + first, projected,
            D_.data());
    for (int r = 0; r < n; ++r) {
      const double error = S[r] * std::fabs(gamma[first + r] - projected[r]);
      // Of a smooth law: the change of velocity that would mend it.
      const double share = block.smooth && r == 0 ? 1 + S[0] * law.slope : 1;
      residual = error >= 0 ? std::max(residual, error / share) : kInfinity;
      projected[r] = 0;
    }
  }
  return residual;
}

void BlockGaussSeidel::SolveBlock(const ConvexProgram& program, const ConvexBlock& block,
                                  const double* W, const double* q, double* gamma) {
  const int n = block.row_count;
  const bool coupled = IsCoupled(block.set) && n > 1;
  if (block.set == ConvexSet::kAll && !block.smooth && n <= kLargestBlock) {
    if (SolveFree(n, W, q, gamma)) return;
  }
  if (!coupled) return SolveRowByRow(program, block, W, q, gamma);
  if (block.set == ConvexSet::kCoulomb && !block.smooth) {
    if (!block.has_one_disc()) return SweepLocalDiscs(block, W, q, gamma);
    if (SolveLocalCoulomb(n, W, q, block.mu, gamma)) return;
  }
  if (block.smooth) {
    double c = q[0] + program.b[block.first_row];
    for (int s = 1; s < n; ++s) c += W[s] * gamma[s];
    gamma[0] = SolveSmoothRow(*program.laws, block.first_row, W[0] - program.R[block.first_row], c,
                              gamma[0]);
  }
  SolveByProjection(program, block, W, q, gamma);
}

void BlockGaussSeidel::Sweep(const ConvexProgram& program, std::span<const int> blocks,
                             double relaxation, VecX* v, VecX* gamma) {
  for (size_t i = 0; i < blocks.size(); ++i) {
    const ConvexBlock& block = program.blocks[blocks[i]];
    const Response& response = responses_[i];
    const int first = block.first_row, n = block.row_count;
    const double* const W = W_.data() + response.first_W;
    double* const q = q_.data() + first;
    double* const next = z_.data() + first;

    // u = W γ_b + q with the other blocks held.
    MultiplyBlock(program, block, v->data(), q);
    for (int r = 0; r < n; ++r) {
      next[r] = (*gamma)[first + r];
      q[r] += program.R[first + r] * next[r] - program.b[first + r];
    }
    for (int r = 0; r < n; ++r) {
      for (int s = 0; s < n; ++s) q[r] -= W[r * n + s] * (*gamma)[first + s];
    }
    SolveBlock(program, block, W, q, next);

    const int* const cols = cols_.data() + response.first_col;
    for (int r = 0; r < n; ++r) {
      const double change = relaxation * (next[r] - (*gamma)[first + r]);
      if (change == 0 || !std::isfinite(change)) continue;
      (*gamma)[first + r] += change;
      const double* const Y_r = Y_.data() + response.first_entry + r * response.col_count;
      for (int k = 0; k < response.col_count; ++k) (*v)[cols[k]] += Y_r[k] * change;
    }
  }
}

// From the point before a sweep (point_) and after it (gamma) to the accelerated one, back in the
// sets.
void BlockGaussSeidel::Extrapolate(const ConvexProgram& program, std::span<const int> blocks,
                                   VecX* gamma) {
  int k = 0;
  for (const int b : blocks) {
    const ConvexBlock& block = program.blocks[b];
    for (int r = block.first_row; r < block.first_row + block.row_count; ++r, ++k) {
      change_[k] = (*gamma)[r] - point_[k];
      weight_[k] = S_[r];
    }
  }
  anderson_.Advance(change_, weight_, &point_);
  k = 0;
  for (const int b : blocks) {
    const ConvexBlock& block = program.blocks[b];
    const int first = block.first_row;
    Project(block, point_.data() + k, S_.data() + first, program.lower.data() + first,
            program.upper.data() + first, gamma->data() + first, D_.data());
    if (block.smooth) (*gamma)[first] = point_[k];
    k += block.row_count;
  }
}

void BlockGaussSeidel::Prepare(const ConvexProgram& program, std::span<const int> blocks,
                               std::span<const DofRange> ranges) {
  int rows = 0, largest = 1;
  for (const int b : blocks) {
    rows += program.blocks[b].row_count;
    largest = std::max(largest, program.blocks[b].row_count);
  }
  for (std::vector<double>* list : {&S_, &z_, &q_, &best_}) list->resize(program.row_count());
  x_.assign(std::max(program.nv(), largest), 0);
  D_.resize(largest * largest);
  for (VecX* vector : {&point_, &change_, &weight_}) vector->resize(rows);
  cols_.clear();
  Y_.clear();
  W_.clear();
  responses_.resize(blocks.size());
  for (size_t i = 0; i < blocks.size(); ++i) {
    PrepareBlock(program, program.blocks[blocks[i]], ranges, &responses_[i]);
  }
  anderson_.Reset(rows);
}

GaussSeidelResult BlockGaussSeidel::Solve(const ConvexProgram& program, std::span<const int> blocks,
                                          std::span<const DofRange> ranges,
                                          const GaussSeidelSettings& settings, VecX* v, VecX* gamma,
                                          GaussSeidelStats* stats) {
  Prepare(program, blocks, ranges);
  const auto copy_rows = [&](const double* from, double* to) {
    for (const int b : blocks) {
      const ConvexBlock& block = program.blocks[b];
      std::copy_n(from + block.first_row, block.row_count, to + block.first_row);
    }
  };

  GaussSeidelResult best;
  double relaxation = 1, last_progress = kInfinity;
  int stale = 0, stalls = 0, plain = 0;
  for (int sweep = 0;; ++sweep) {
    CalcVelocity(program, blocks, ranges, *gamma, v);
    const double residual = CalcResidual(program, blocks, *v, *gamma);
    if (!(residual >= best.residual)) {
      best.residual = residual;
      copy_rows(gamma->data(), best_.data());
    }
    best.converged = best.residual <= settings.tolerance * settings.scale;
    if (best.converged || sweep == settings.max_sweeps || settings.deadline.HasPassed()) break;

    // A jump that went far astray is taken back. Where nothing improves the sweeps go on without
    // jumps for a while, which lets impulses drift that must change much before anything improves;
    // then with shorter steps, which end cycles.
    ++stale;
    --plain;
    if (best.residual < kProgress * last_progress) {
      last_progress = best.residual;
      stale = 0;
    }
    if (!(residual < kAstray * best.residual)) {
      copy_rows(best_.data(), gamma->data());
      CalcVelocity(program, blocks, ranges, *gamma, v);
      anderson_.Forget();
    }
    if (stale > kPatience) {
      stale = 0;
      anderson_.Forget();
      if (++stalls % 2 == 1) {
        plain = kPatience;
      } else {
        relaxation = std::max(kShortest, 0.7 * relaxation);
        ++stats->relaxations;
      }
    }

    int k = 0;
    for (const int b : blocks) {
      const ConvexBlock& block = program.blocks[b];
      for (int r = 0; r < block.row_count; ++r) point_[k++] = (*gamma)[block.first_row + r];
    }
    Sweep(program, blocks, relaxation, v, gamma);
    ++stats->sweeps;
    if (settings.accelerate && plain <= 0) Extrapolate(program, blocks, gamma);
  }
  copy_rows(best_.data(), gamma->data());
  CalcVelocity(program, blocks, ranges, *gamma, v);
  return best;
}

}  // namespace voigt
