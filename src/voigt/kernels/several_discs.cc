#include "voigt/kernels/several_discs.h"

#include <algorithm>
#include <cmath>

#include "voigt/kernels/local_coulomb.h"

namespace voigt {
namespace {

double CalcNorm(const Disc& disc, const double* z) {
  double norm = 0;
  for (int i = disc.first; i < disc.first + disc.count; ++i) norm = std::hypot(norm, z[i]);
  return norm;
}

// γ_d = radius t with t = z_d/‖z_d‖, the radius following γ₀ with the factor μ: where the edge is
// reached. `change` is ∂γ₀/∂z, row_count numbers.
void PutOnEdge(const Disc& disc, int row_count, const double* z, double norm, double radius,
               const double* change, double* gamma, double* D) {
  for (int i = disc.first; i < disc.first + disc.count; ++i) {
    const double t = z[i] / norm;
    gamma[i] = radius * t;
    for (int j = 0; j < row_count; ++j) D[i * row_count + j] = disc.mu * t * change[j];
    for (int j = disc.first; j < disc.first + disc.count; ++j) {
      D[i * row_count + j] += radius / norm * ((i == j ? 1 : 0) - t * z[j] / norm);
    }
  }
}

void LeaveInside(const Disc& disc, int row_count, const double* z, double* gamma, double* D) {
  for (int i = disc.first; i < disc.first + disc.count; ++i) {
    gamma[i] = z[i];
    D[i * row_count + i] = 1;
  }
}

// x ← A⁻¹ x for n × n numbers A and n × m numbers x, row by row, by elimination with the largest
// pivot of each column; A is lost.
void Eliminate(int n, int m, double* A, double* x) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::fabs(A[i * n + k]) > std::fabs(A[pivot * n + k])) pivot = i;
    }
    if (pivot != k) {
      std::swap_ranges(A + k * n, A + (k + 1) * n, A + pivot * n);
      std::swap_ranges(x + k * m, x + (k + 1) * m, x + pivot * m);
    }
    for (int i = k + 1; i < n; ++i) {
      const double factor = A[i * n + k] / A[k * n + k];
      if (factor == 0) continue;
      for (int j = k; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
      for (int j = 0; j < m; ++j) x[i * m + j] -= factor * x[k * m + j];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = 0; j < m; ++j) {
      double sum = x[k * m + j];
      for (int i = k + 1; i < n; ++i) sum -= A[k * n + i] * x[i * m + j];
      x[k * m + j] = sum / A[k * n + k];
    }
  }
}

}  // namespace

void ProjectHalfLineAndDiscs(const ConvexBlock& block, const double* z, double* gamma, double* D) {
  const int n = block.row_count;
  const bool is_positive = z[0] > 0, is_coulomb = block.set == ConvexSet::kCoulomb;
  double change[kMaxDiscRows] = {};
  std::fill(D, D + n * n, 0.0);
  gamma[0] = is_positive ? z[0] : 0;
  D[0] = is_positive ? 1 : 0;
  change[0] = is_coulomb ? D[0] : 0;
  for (const Disc& disc : block.discs()) {
    const double radius = disc.mu * (is_coulomb ? gamma[0] : block.bound);
    const double norm = CalcNorm(disc, z);
    if (norm <= radius) {
      LeaveInside(disc, n, z, gamma, D);
    } else {
      PutOnEdge(disc, n, z, norm, radius, change, gamma, D);
    }
  }
}

void ProjectConeOfDiscs(const ConvexBlock& block, const double* z, const double* S, double* gamma,
                        double* D) {
  const int n = block.row_count;
  const DiscList discs = block.discs();
  std::fill(D, D + n * n, 0.0);

  // γ₀ grows from zero, where every disc is at its edge, and discs come in one by one: Newton's
  // method on a concave function, which never goes too far.
  double x = 0, weight = 0;
  for (bool goes_on = true; goes_on;) {
    double sum = S[0] * z[0];
    weight = S[0];
    for (const Disc& disc : discs) {
      const double norm = CalcNorm(disc, z);
      if (norm <= disc.mu * x) continue;
      sum += disc.mu * S[disc.first] * norm;
      weight += disc.mu * disc.mu * S[disc.first];
    }
    const double next = sum / weight;
    goes_on = next > x;
    if (goes_on) x = next;
  }
  if (x == 0) {
    std::fill(gamma, gamma + n, 0.0);
    return;
  }

  double change[kMaxDiscRows] = {S[0] / weight};
  for (const Disc& disc : discs) {
    const double norm = CalcNorm(disc, z);
    if (norm <= disc.mu * x) continue;
    for (int i = disc.first; i < disc.first + disc.count; ++i) {
      change[i] = disc.mu * S[i] / weight * z[i] / norm;
    }
  }
  gamma[0] = x;
  std::copy(change, change + n, D);
  for (const Disc& disc : discs) {
    const double norm = CalcNorm(disc, z);
    if (norm <= disc.mu * x) {
      LeaveInside(disc, n, z, gamma, D);
    } else {
      PutOnEdge(disc, n, z, norm, disc.mu * x, change, gamma, D);
    }
  }
}

// (I − D + D S⁻¹ R) [P, r] = [D S⁻¹, r]. Where the first row has a smooth law, its change is −slope
// × that of y₀ and depends on nothing else; D of a smooth cone has the slope in it.
void CalcNewtonTermsOfDiscs(const ConvexBlock& block, const double* D, const double* S,
                            const double* R, double slope, double* P, double* r) {
  const int n = block.row_count, m = n + 1;
  double A[kMaxDiscRows * kMaxDiscRows], x[kMaxDiscRows * (kMaxDiscRows + 1)];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double d = D[i * n + j];
      const bool is_law = block.smooth && j == 0;
      A[i * n + j] = (i == j ? 1 : 0) - (is_law ? 0 : d * (1 - R[j] / S[j]));
      x[i * m + j] = is_law ? d * slope : d / S[j];
    }
    x[i * m + n] = r[i];
  }
  if (block.smooth && block.set != ConvexSet::kCone) x[0] = slope;
  Eliminate(n, m, A, x);
  for (int i = 0; i < n; ++i) {
    std::copy(x + i * m, x + i * m + n, P + i * n);
    r[i] = x[i * m + n];
  }
}

void MinimizeOverDisc(int row_count, const double* A, const double* c, double radius, double* x) {
  if (row_count == 1) {
    x[0] = A[0] > 0 ? std::clamp(-c[0] / A[0], -radius, radius) : 0;
    return;
  }
  // In the axes of A, with eigenvalues a ≥ b, x_i = −c_i/(λ_i + s) where s ≥ 0 is zero inside the
  // disc and brings x to its edge otherwise.
  const double turn = 0.5 * std::atan2(2 * A[1], A[0] - A[3]);
  const double cosine = std::cos(turn), sine = std::sin(turn);
  const double mean = 0.5 * (A[0] + A[3]), half = std::hypot(0.5 * (A[0] - A[3]), A[1]);
  const double a = mean + half, b = std::max(mean - half, 1e-15 * a);
  const double c_a = cosine * c[0] + sine * c[1], c_b = cosine * c[1] - sine * c[0];
  x[0] = x[1] = 0;
  if (!(a > 0) || radius == 0 || (c_a == 0 && c_b == 0)) return;
  // Newton's method on 1/‖x‖ − 1/radius, which is concave: from the left it does not overshoot.
  double s = std::max(0.0, std::hypot(c_a, c_b) / radius - a);
  for (int i = 0; i < 100; ++i) {
    const double x_a = -c_a / (a + s), x_b = -c_b / (b + s), norm = std::hypot(x_a, x_b);
    x[0] = cosine * x_a - sine * x_b;
    x[1] = sine * x_a + cosine * x_b;
    if (norm <= radius) break;
    const double slope = x_a * x_a / (a + s) + x_b * x_b / (b + s);
    const double next = s + norm * norm / slope * (norm - radius) / radius;
    if (!(next > s)) break;
    s = next;
  }
  const double norm = std::hypot(x[0], x[1]);
  if (norm > radius) {
    for (int i = 0; i < 2; ++i) x[i] *= radius / norm;
  }
}

void GatherDisc(int n, const double* W, const double* q, const double* gamma, const Disc& rows,
                double* A, double* c) {
  const int first = rows.first, count = rows.count;
  for (int i = 0; i < count; ++i) {
    const double* const W_i = W + (first + i) * n;
    c[i] = q[first + i];
    for (int j = 0; j < n; ++j) {
      const bool is_own = j >= first && j < first + count;
      if (is_own) A[i * count + j - first] = W_i[j];
      if (!is_own) c[i] += W_i[j] * gamma[j];
    }
  }
}

void SweepLocalDiscs(const ConvexBlock& block, const double* W, const double* q, double* gamma,
                     int sweeps) {
  const int n = block.row_count;
  double A[9], c[3], last[kMaxDiscRows];
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    std::copy(gamma, gamma + n, last);
    for (const Disc& disc : block.discs()) {
      if (disc.first == 1) {
        GatherDisc(n, W, q, gamma, {0, 1 + disc.count, disc.mu}, A, c);
        SolveLocalCoulomb(1 + disc.count, A, c, disc.mu, gamma);
      } else {
        GatherDisc(n, W, q, gamma, disc, A, c);
        MinimizeOverDisc(disc.count, A, c, disc.mu * gamma[0], gamma + disc.first);
      }
    }
    if (std::equal(gamma, gamma + n, last)) return;
  }
}

}  // namespace voigt
