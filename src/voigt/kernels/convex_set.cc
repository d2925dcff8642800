#include "voigt/kernels/convex_set.h"

#include <algorithm>
#include <cmath>

#include "voigt/kernels/several_discs.h"
#include "voigt/math/small_elimination.h"

namespace voigt {
namespace {

// The tangential part of a set with a disc: γ_t = Proj(z_t) onto the disc of the given radius.
// Fills D's tangential block, zero so far, and returns whether the disc's edge is reached; t is
// then the direction.
bool ProjectDisc(int n, const double* z, double radius, double* gamma, double* D, double* t) {
  double square = 0;
  for (int i = 1; i < n; ++i) square += z[i] * z[i];
  const double norm = std::sqrt(square);
  if (norm <= radius) {
    for (int i = 1; i < n; ++i) {
      gamma[i] = z[i];
      D[i * n + i] = 1;
    }
    return false;
  }
  const double scale = radius / norm;
  for (int i = 1; i < n; ++i) {
    t[i] = z[i] / norm;
    gamma[i] = radius * t[i];
  }
  for (int i = 1; i < n; ++i) {
    for (int j = 1; j < n; ++j) D[i * n + j] = scale * ((i == j ? 1 : 0) - t[i] * t[j]);
  }
  return true;
}

// `fixed` is the number of rows, or 0.
template <int fixed>
void ProjectHalfLineAndDisc(const ConvexBlock& block, const double* z, double* gamma, double* D) {
  const int n = fixed > 0 ? fixed : block.row_count;
  std::fill(D, D + n * n, 0.0);
  const bool positive = z[0] > 0;
  gamma[0] = positive ? z[0] : 0;
  D[0] = positive ? 1 : 0;
  double t[3] = {};
  const bool coulomb = block.set == ConvexSet::kCoulomb;
  const double radius = block.mu * (coulomb ? gamma[0] : block.bound);
  if (!ProjectDisc(n, z, radius, gamma, D, t) || !coulomb) return;
  for (int i = 1; i < n; ++i) D[i * n] = block.mu * t[i] * D[0];
}

// The cone in coordinates x = √S γ, where the metric is Euclidean and the slope m = μ √(S_t/S_n).
void ProjectCone(const ConvexBlock& block, const double* z, const double* S, double* gamma,
                 double* D) {
  const int n = block.row_count;
  const double scale[3] = {std::sqrt(S[0]), std::sqrt(S[1]), std::sqrt(S[1])};
  const double m = block.mu * scale[1] / scale[0];
  double x[3] = {}, t[3] = {};
  double norm = 0;
  x[0] = scale[0] * z[0];
  for (int i = 1; i < n; ++i) {
    x[i] = scale[i] * z[i];
    norm = std::hypot(norm, x[i]);
  }
  std::fill(D, D + n * n, 0.0);
  if (norm <= m * x[0]) {
    for (int i = 0; i < n; ++i) {
      gamma[i] = z[i];
      D[i * n + i] = 1;
    }
    return;
  }
  if (m * norm <= -x[0]) {
    std::fill(gamma, gamma + n, 0.0);
    return;
  }
  // Onto the surface: along the generator g = (1, m t)/√(1 + m²).
  const double a = (x[0] + m * norm) / (1 + m * m);
  double g[3] = {1, 0, 0};
  for (int i = 1; i < n; ++i) {
    t[i] = x[i] / norm;
    g[i] = m * t[i];
  }
  for (int i = 0; i < n; ++i) gamma[i] = a * g[i] / scale[i];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double d = g[i] * g[j] / (1 + m * m);
      if (i > 0 && j > 0) d += m * a / norm * ((i == j ? 1 : 0) - t[i] * t[j]);
      D[i * n + j] = d * scale[j] / scale[i];
    }
  }
}

// Where the first row has a smooth law, its change is −slope × that of y₀, for itself and for the
// disc that it moves; the others depend on their own γ and u. D of a smooth cone has the slope in
// it.
template <int n>
void SolveCoupled(const ConvexBlock& block, const double* D, const double* S, const double* R,
                  double slope, double* P, double* r) {
  // [I − D + D R S⁻¹ | D S⁻¹, r], the columns of a smooth law apart.
  double rows[n][2 * n + 1];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double d = D[i * n + j] / S[j];
      rows[i][j] = (i == j) - D[i * n + j] + d * R[j];
      rows[i][n + j] = d;
    }
    rows[i][2 * n] = r[i];
    if (!block.smooth) continue;
    const bool is_law = i == 0 && block.set != ConvexSet::kCone;
    rows[i][0] = i == 0;
    rows[i][n] = is_law ? slope : D[i * n] * slope;
  }
  EliminateRows(rows);
  for (int i = 0; i < n; ++i) {
    std::copy_n(rows[i] + n, n, P + i * n);
    r[i] = rows[i][2 * n];
  }
}

template <int fixed>
bool IsIdentity(int rows, const double* D) {
  const int n = fixed > 0 ? fixed : rows;
  bool is_identity = true;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) is_identity &= D[i * n + j] == (i == j ? 1 : 0);
  }
  return is_identity;
}

// Where D = I: P = R⁻¹ and r ← R⁻¹ S r.
template <int fixed>
void SetInnerTerms(int rows, const double* S, const double* R, double* P, double* r) {
  const int n = fixed > 0 ? fixed : rows;
  std::fill(P, P + n * n, 0.0);
  for (int i = 0; i < n; ++i) {
    P[i * n + i] = 1 / R[i];
    r[i] *= S[i] / R[i];
  }
}

}  // namespace

void Project(const ConvexBlock& block, const double* z, const double* S, const double* lower,
             const double* upper, double* gamma, double* D) {
  const int n = block.row_count;
  switch (block.set) {
    case ConvexSet::kAll:
      std::copy(z, z + n, gamma);
      std::fill(D, D + n, 1.0);
      return;
    case ConvexSet::kHalfLines:
      for (int i = 0; i < n; ++i) {
        gamma[i] = z[i] > 0 ? z[i] : 0;
        D[i] = z[i] > 0 ? 1 : 0;
      }
      return;
    case ConvexSet::kIntervals:
      for (int i = 0; i < n; ++i) {
        gamma[i] = std::clamp(z[i], lower[i], upper[i]);
        D[i] = z[i] > lower[i] && z[i] < upper[i] ? 1 : 0;
      }
      return;
    case ConvexSet::kDisc:
    case ConvexSet::kCoulomb:
      if (!block.has_one_disc()) return ProjectHalfLineAndDiscs(block, z, gamma, D);
      return n == 3 ? ProjectHalfLineAndDisc<3>(block, z, gamma, D)
                    : ProjectHalfLineAndDisc<0>(block, z, gamma, D);
    case ConvexSet::kCone:
      return block.has_one_disc() ? ProjectCone(block, z, S, gamma, D)
                                  : ProjectConeOfDiscs(block, z, S, gamma, D);
  }
}

void CalcNewtonTerms(const ConvexBlock& block, const double* D, const double* S, const double* R,
                     double slope, double* P, double* r) {
  if (!IsCoupled(block.set)) {
    const double r_0 = r[0];
    // D is 0 or 1.
    for (int i = 0; i < block.row_count; ++i) {
      const double inverse = 1 / R[i];
      P[i] = D[i] * inverse;
      r[i] *= D[i] != 0 ? S[i] * inverse : 1;
    }
    if (block.smooth) {
      P[0] = slope;
      r[0] = r_0;
    }
    return;
  }
  const int n = block.row_count;
  if (!block.smooth && n == 3 && IsIdentity<3>(n, D)) return SetInnerTerms<3>(n, S, R, P, r);
  if (!block.smooth && IsIdentity<0>(n, D)) return SetInnerTerms<0>(n, S, R, P, r);
  if (!block.has_one_disc()) return CalcNewtonTermsOfDiscs(block, D, S, R, slope, P, r);
  if (n == 3) return SolveCoupled<3>(block, D, S, R, slope, P, r);
  if (n == 2) return SolveCoupled<2>(block, D, S, R, slope, P, r);
  SolveCoupled<1>(block, D, S, R, slope, P, r);
}

}  // namespace voigt
