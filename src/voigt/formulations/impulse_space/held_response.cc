#include "voigt/formulations/impulse_space/held_response.h"

#include <cmath>

#include "voigt/kernels/dense_lu.h"

namespace voigt {
namespace {

// Of the largest diagonal entry. The response enters a step through the bend of paths, ½ h² a: so
// small a part of it does not matter.
constexpr double kSoftening = 1e-10;

// Friction closer to its limit than this part of it slides; a bounded row is as close to a bound.
constexpr double kAtLimit = 1e-9;

bool IsBetweenBounds(const Row& row, double impulse) {
  const auto margin = [](double bound) {
    return std::isfinite(bound) ? kAtLimit * std::fabs(bound) : 0;
  };
  return impulse > row.lower + margin(row.lower) && impulse < row.upper - margin(row.upper);
}

}  // namespace

void HeldResponse::ListRows(const ImpulseIsland& island, const VecX& gamma) {
  const VelocityProblem& problem = *island.problem;
  held_.clear();
  pulled_.clear();
  for (size_t g = 0; g < island.groups.size(); ++g) {
    const RowGroup& group = island.group(static_cast<int>(g));
    const int first = island.groups[g].first_row;
    const auto impulse = gamma.segment(group.first_row, group.row_count);
    if (group.law != Law::kContact) {
      for (int r = 0; r < group.row_count; ++r) {
        const Row& row = problem.rows[group.first_row + r];
        const bool is_held = group.law == Law::kBilateral ||
                             (group.law == Law::kUnilateral && impulse[r] > 0) ||
                             (group.law == Law::kBounded && IsBetweenBounds(row, impulse[r]));
        if (is_held) held_.push_back(first + r);
      }
      continue;
    }
    if (!(impulse[0] > 0)) continue;
    const int normal = static_cast<int>(held_.size());
    held_.push_back(first);
    for (const Disc& disc : group.discs()) {
      const double limit = disc.mu * impulse[0];
      const bool slides = impulse.segment(disc.first, disc.count).norm() >= (1 - kAtLimit) * limit;
      for (int r = disc.first; r < disc.first + disc.count; ++r) {
        if (!slides) held_.push_back(first + r);
        if (slides) pulled_.push_back({normal, first + r, impulse[r] / impulse[0]});
      }
    }
  }
}

void HeldResponse::Subtract(const ImpulseIsland& island, const VecX& gamma, VecX* x, VecX* answer) {
  ListRows(island, gamma);
  const int count = static_cast<int>(held_.size());
  if (count == 0) return;
  const VelocityProblem& problem = *island.problem;
  problem.Multiply(*x, &phi_dot_);
  A_.Resize(count, count);
  p_.Resize(count);
  swaps_.resize(count);
  auto A = A_.get();
  auto p = p_.get();
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) A(i, j) = island.A(held_[i], held_[j]);
    for (const Pulled& pulled : pulled_) {
      A(i, pulled.held) += pulled.ratio * island.A(held_[i], pulled.row);
    }
    p[i] = phi_dot_[island.rows[held_[i]]];
  }
  A.diagonal().array() += kSoftening * island.scale;
  const DenseBlock block(A.data(), count, count, Eigen::OuterStride<>(count));
  if (!(FactorLu(block, swaps_.data()) > 0)) return;
  SolveLu(block, swaps_.data(), p.data());
  if (!p.allFinite()) return;
  phi_dot_.setZero();
  for (int i = 0; i < count; ++i) phi_dot_[island.rows[held_[i]]] = p[i];
  for (const Pulled& pulled : pulled_) {
    phi_dot_[island.rows[pulled.row]] = pulled.ratio * p[pulled.held];
  }
  for (int row : island.rows) (*answer)[row] = -phi_dot_[row];
  force_.setZero(problem.nv());
  problem.AddTransposed(phi_dot_, &force_);
  problem.factor->Solve(*problem.pattern, force_);
  *x -= force_;
}

}  // namespace voigt
