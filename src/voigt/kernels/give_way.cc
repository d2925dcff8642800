#include "voigt/kernels/give_way.h"

#include <algorithm>
#include <cmath>

#include "voigt/math/disc.h"

namespace voigt {
namespace {

constexpr double kAtBound = 1 - 1e-9;  // of the bound

// γ + t Δ ≥ bound, from above.
double CountToLower(double gamma, double step, double bound) {
  const double room = gamma - bound;
  return step < 0 && room > 0 ? room / -step : kInfinity;
}

// ‖γ_d + t Δ_d‖ = μ (γ₀ + t Δ₀): the first t > 0 of a quadratic equation whose constant is
// negative.
double CountToEdge(const Disc& disc, const double* gamma, const double* step, double radius,
                   double growth) {
  double a = -growth * growth, b = -radius * growth, c = 0;
  for (int i = disc.first; i < disc.first + disc.count; ++i) {
    a += step[i] * step[i];
    b += gamma[i] * step[i];
    c += gamma[i] * gamma[i];
  }
  if (!(radius > 0) || c >= kAtBound * kAtBound * radius * radius) return kInfinity;
  c -= radius * radius;
  const double root = b * b - a * c;
  if (root < 0) return kInfinity;
  if (b > 0) return -c / (b + std::sqrt(root));
  return a > 0 ? (std::sqrt(root) - b) / a : kInfinity;
}

// visit(t) for whatever of a block can give way.
template <typename Visit>
void ForEachBound(const ConvexProgram& program, const ConvexBlock& block, const double* gamma,
                  const double* step, Visit visit) {
  switch (block.set) {
    case ConvexSet::kAll:
      return;
    case ConvexSet::kHalfLines:
      for (int i = 0; i < block.row_count; ++i) visit(CountToLower(gamma[i], step[i], 0));
      return;
    case ConvexSet::kIntervals:
      for (int i = 0; i < block.row_count; ++i) {
        visit(CountToLower(gamma[i], step[i], program.lower[block.first_row + i]));
        visit(CountToLower(-gamma[i], -step[i], -program.upper[block.first_row + i]));
      }
      return;
    case ConvexSet::kDisc:
    case ConvexSet::kCone:
    case ConvexSet::kCoulomb:
      break;
  }
  visit(CountToLower(gamma[0], step[0], 0));
  const bool is_fixed = block.set == ConvexSet::kDisc;
  for (const Disc& disc : block.discs()) {
    visit(CountToEdge(disc, gamma, step, disc.mu * (is_fixed ? block.bound : gamma[0]),
                      is_fixed ? 0 : disc.mu * step[0]));
  }
}

}  // namespace

double CountStepsToBounds(const ConvexProgram& program, std::span<const int> blocks,
                          const VecX& gamma, const std::vector<double>& step) {
  constexpr double kClosely = 1.5;
  const auto for_each = [&](auto visit) {
    for (int i : blocks) {
      const ConvexBlock& block = program.blocks[i];
      ForEachBound(program, block, gamma.data() + block.first_row, step.data() + block.first_row,
                   visit);
    }
  };
  double first = kInfinity;
  for_each([&](double t) { first = std::min(first, t); });
  double last = first;
  for_each([&](double t) { last = t <= kClosely * first ? std::max(last, t) : last; });
  return last;
}

}  // namespace voigt
