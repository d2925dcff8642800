#include "voigt/kernels/smooth_cone.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "voigt/math/extremes.h"

namespace voigt {
namespace {

// A disc with the size of its z and its metric.
struct Edge {
  Disc disc;
  double norm = 0, S = 0;
};

struct EdgeList {
  Edge edges[3];
  int count = 0;
  double a = 0;  // Σ μ S ‖z‖

  EdgeList(const ConvexBlock& block, const double* z, const double* S) {
    for (const Disc& disc : block.discs()) {
      Edge& edge = edges[count++];
      edge = {disc, 0, S[disc.first]};
      for (int i = disc.first; i < disc.first + disc.count; ++i) {
        edge.norm = std::hypot(edge.norm, z[i]);
      }
      a += disc.mu * edge.S * edge.norm;
    }
  }
  const Edge* begin() const { return edges; }
  const Edge* end() const { return edges + count; }

  // Σ μ S max(0, ‖z‖ − μ γ), and Σ μ² S of those that count.
  struct Pull {
    double value = 0, slope = 0;
  };
  Pull CalcPull(double gamma) const {
    Pull out;
    for (const Edge& edge : *this) {
      if (edge.norm <= edge.disc.mu * gamma) continue;
      out.value += edge.disc.mu * edge.S * (edge.norm - edge.disc.mu * gamma);
      out.slope += edge.disc.mu * edge.disc.mu * edge.S;
    }
    return out;
  }
};

// The zero of f(ρ) = ρ − y₀ + pull(γ(ρ)), which increases at least as fast as ρ: f(y₀ − a) ≤ 0 as γ
// is not negative, and f(y₀) ≥ 0. Newton's method within the bracket. The impulse takes the last
// step along its tangent, so that steep laws lose no digits by the rounding of ρ.
struct SlidingRoot {
  SmoothConePoint point;
  double gamma = 0;
};

SlidingRoot FindSlidingRoot(const ScalarLaws& laws, int row, double y0, const EdgeList& edges) {
  constexpr int kMaxSteps = 200;
  constexpr double kRounding = 2 * std::numeric_limits<double>::epsilon();
  const double smallest_step = kRounding * Larger(std::fabs(y0), edges.a);
  double low = y0 - edges.a, high = y0, rate = low, last_step = kInfinity;
  SlidingRoot root;
  for (int i = 0; i < kMaxSteps; ++i) {
    const ScalarLaws::Value law = laws.Calc(row, rate);
    const EdgeList::Pull pull = edges.CalcPull(law.gamma);
    const double f = (rate - y0) + pull.value, slope = 1 + pull.slope * law.slope;
    root = {{rate, law.slope}, std::max(law.gamma + law.slope * f / slope, 0.0)};
    (f < 0 ? low : high) = rate;
    double next = rate - f / slope;
    // Halve where Newton leaves the bracket or comes no closer: slopes may jump.
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
  const EdgeList edges(block, z, S);
  std::fill(D, D + n * n, 0.0);

  // γ₀ and its derivatives: where discs are at their edges, γ₀ changes by −k dρ with
  // (1 + Σ μ² S k) dρ = dy₀ − Σ μ S t·dz.
  const ScalarLaws::Value law = program.laws->Calc(block.first_row, y0);
  SlidingRoot root{{y0, law.slope}, law.gamma};
  const bool slides = edges.CalcPull(law.gamma).slope > 0;
  if (slides) root = FindSlidingRoot(*program.laws, block.first_row, y0, edges);
  const double k = root.point.slope / (1 + edges.CalcPull(root.gamma).slope * root.point.slope);
  gamma[0] = root.gamma;
  D[0] = k;
  for (const Edge& edge : edges) {
    if (edge.norm <= edge.disc.mu * root.gamma) continue;
    for (int j = edge.disc.first; j < edge.disc.first + edge.disc.count; ++j) {
      D[j] = k * edge.disc.mu * edge.S * z[j] / edge.norm;
    }
  }

  // The discs: as they are inside, γ_d = μ γ₀ t at the edge.
  for (const Edge& edge : edges) {
    const int first = edge.disc.first, last = first + edge.disc.count;
    const double radius = edge.disc.mu * root.gamma;
    const bool inside = edge.norm <= radius;
    for (int i = first; i < last; ++i) {
      gamma[i] = z[i];
      D[i * n + i] = 1;
      if (inside) continue;
      const double t = z[i] / edge.norm;
      gamma[i] = radius * t;
      for (int j = 0; j < n; ++j) D[i * n + j] = edge.disc.mu * t * D[j];
      for (int j = first; j < last; ++j) {
        D[i * n + j] += radius / edge.norm * ((i == j ? 1 : 0) - t * z[j] / edge.norm);
      }
    }
  }
  return root.point;
}

}  // namespace voigt
