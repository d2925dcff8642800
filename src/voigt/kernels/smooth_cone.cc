#include "voigt/kernels/smooth_cone.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace voigt {
namespace {

// The zero of f(ρ) = ρ − y₀ + a − c γ(ρ), which increases at least as fast as ρ: f(y₀ − a) ≤ 0 as γ
// is not negative, and f(y₀) > 0 as the caller knows. Newton's method within the bracket. The
// impulse takes the last step along its tangent, so that steep laws lose no digits by the rounding
// of ρ.
struct SlidingRoot {
  SmoothConePoint point;
  double gamma = 0;
};

SlidingRoot FindSlidingRoot(const ScalarLaws& laws, int row, double y0, double a, double c) {
  constexpr int kMaxSteps = 200;
  constexpr double kRounding = 2 * std::numeric_limits<double>::epsilon();
  const double smallest_step = kRounding * std::fmax(std::fabs(y0), a);
  double low = y0 - a, high = y0, rate = low, last_step = kInfinity;
  SlidingRoot root;
  for (int i = 0; i < kMaxSteps; ++i) {
    const ScalarLaws::Value law = laws.Calc(row, rate);
    const double f = (rate - y0) + a - c * law.gamma, slope = 1 + c * law.slope;
    root = {{rate, law.slope}, std::max(law.gamma + law.slope * f / slope, 0.0)};
    (f < 0 ? low : high) = rate;
    double next = rate - f / slope;
    // Halve where Newton leaves the bracket or comes no closer: slopes of laws may jump.
    const bool is_good = next >= low && next <= high && std::fabs(next - rate) < 0.5 * last_step;
    if (!is_good) next = low + 0.5 * (high - low);
    last_step = std::fabs(next - rate);
    if (!(last_step > smallest_step) || f == 0) break;
    rate = next;
  }
  return root;
}

}  // namespace

SmoothConePoint ProjectSmoothCone(const ConvexProgram& program, const ConvexBlock& block, double y0,
                                  const double* z, const double* S, double* gamma, double* D) {
  const int n = block.row_count;
  const double mu = block.mu;
  double norm = 0;
  for (int i = 1; i < n; ++i) norm = std::hypot(norm, z[i]);
  std::fill(D, D + n * n, 0.0);

  const ScalarLaws::Value law = program.laws->Calc(block.first_row, y0);
  if (norm <= mu * law.gamma) {
    gamma[0] = law.gamma;
    D[0] = law.slope;
    for (int i = 1; i < n; ++i) {
      gamma[i] = z[i];
      D[i * n + i] = 1;
    }
    return {y0, law.slope};
  }

  // At the edge: γ = γ₀ (1, μ t), and γ₀ changes by −k dρ with (1 + μ² S k) dρ = dy₀ − μ S t·dz.
  const double mu_S = mu * S[1];
  const SlidingRoot root =
      FindSlidingRoot(*program.laws, block.first_row, y0, mu_S * norm, mu * mu_S);
  const double k = root.point.slope / (1 + mu * mu_S * root.point.slope);
  const double across = mu * root.gamma / norm;
  double t[3] = {}, g[3] = {1, 0, 0};
  for (int i = 1; i < n; ++i) {
    t[i] = z[i] / norm;
    g[i] = mu * t[i];
  }
  for (int i = 0; i < n; ++i) {
    gamma[i] = root.gamma * g[i];
    D[i * n] = k * g[i];
    for (int j = 1; j < n; ++j) {
      D[i * n + j] = k * S[1] * g[i] * g[j];
      if (i > 0) D[i * n + j] += across * ((i == j ? 1 : 0) - t[i] * t[j]);
    }
  }
  return root.point;
}

}  // namespace voigt
