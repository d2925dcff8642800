#include "voigt/kernels/implicit_ncp_system.h"

#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

void CalcConeImpulse(const NcpBlock& block, const double* z, double* F, double* dF) {
  const int count = block.count;
  const bool pushes = z[0] < 0;
  F[0] = pushes ? -z[0] : 0;
  if (dF != nullptr) {
    std::fill_n(dF, count * count, 0.0);
    dF[0] = pushes ? -1 : 0;
  }
  for (const Disc& disc : block.discs) {
    double length = 0;
    for (int i = disc.first; i < disc.first + disc.count; ++i) length = std::hypot(length, z[i]);
    const double radius = disc.mu * F[0];
    const bool slides = length > radius;
    const double m = slides ? radius / length : 1;
    for (int i = disc.first; i < disc.first + disc.count; ++i) {
      F[i] = -m * z[i];
      if (dF == nullptr || !pushes) continue;
      dF[count * i + i] = -m;
      if (!slides) continue;
      dF[count * i] = disc.mu * z[i] / length;
      for (int j = disc.first; j < disc.first + disc.count; ++j) {
        dF[count * i + j] += m * (z[i] / length) * (z[j] / length);
      }
    }
  }
}

}  // namespace

NcpBlock MakeNcpContact(int first, int tangents, double mu) {
  NcpBlock block;
  block.kind = NcpKind::kCone;
  block.first = first;
  block.count = 1 + tangents;
  block.discs.Add(tangents, mu);
  return block;
}

void CalcNcpImpulse(const NcpBlock& block, const double* z, double* F, double* dF) {
  switch (block.kind) {
    case NcpKind::kFree:
      for (int i = 0; i < block.count; ++i) F[i] = -z[i];
      if (dF == nullptr) return;
      std::fill_n(dF, block.count * block.count, 0.0);
      for (int i = 0; i < block.count; ++i) dF[block.count * i + i] = -1;
      return;
    case NcpKind::kUnilateral:
      F[0] = std::max(0.0, -z[0]);
      if (dF != nullptr) dF[0] = z[0] < 0 ? -1 : 0;
      return;
    case NcpKind::kBounded:
      F[0] = std::clamp(-z[0], block.lower, block.upper);
      if (dF != nullptr) dF[0] = -z[0] > block.lower && -z[0] < block.upper ? -1 : 0;
      return;
    case NcpKind::kCone:
      CalcConeImpulse(block, z, F, dF);
      return;
  }
}

void ImplicitNcpSystem::SetProblem(const KeptMatrix* A, const KeptVector* q,
                                   std::span<const NcpBlock> blocks) {
  A_ = A;
  q_ = q;
  blocks_ = blocks;
  epsilon_ = 0;
  F_.Resize(size());
}

void ImplicitNcpSystem::SetProximal(double epsilon, const Eigen::Ref<const VecX>& center) {
  epsilon_ = epsilon;
  center_.Resize(size());
  center_.get() = center;
}

void ImplicitNcpSystem::CalcImpulse(const Eigen::Ref<const VecX>& z, Eigen::Ref<VecX> F) const {
  for (const NcpBlock& block : blocks_) {
    CalcNcpImpulse(block, z.data() + block.first, F.data() + block.first, nullptr);
  }
}

void ImplicitNcpSystem::CalcVariables(const Eigen::Ref<const VecX>& F, Eigen::Ref<VecX> z) const {
  z = q_->get() - F;
  z.noalias() += A_->get() * F;
}

void ImplicitNcpSystem::CalcResidual(const Eigen::Ref<const VecX>& z, Eigen::Ref<VecX> phi) {
  auto F = F_.get();
  CalcImpulse(z, F);
  phi = q_->get() - F - z;
  phi.noalias() += A_->get() * F;
  if (epsilon_ > 0) phi += epsilon_ * (F - center_.get());
}

void ImplicitNcpSystem::CalcJacobian(const Eigen::Ref<const VecX>& z, Eigen::Ref<MatX> J) {
  const auto A = A_->get();
  J.setZero();
  J.diagonal().setConstant(-1);
  for (const NcpBlock& block : blocks_) {
    const int first = block.first;
    // Rows without condition are each on their own: F′ = −1.
    if (block.kind == NcpKind::kFree) {
      for (int i = first; i < first + block.count; ++i) {
        J.col(i) -= A.col(i);
        J(i, i) -= epsilon_ - 1;
      }
      continue;
    }
    double F[kMaxNcpBlockRows], dF[kMaxNcpBlockRows * kMaxNcpBlockRows];
    CalcNcpImpulse(block, z.data() + first, F, dF);
    for (int j = 0; j < block.count; ++j) {
      for (int i = 0; i < block.count; ++i) {
        const double slope = dF[block.count * i + j];
        if (slope == 0) continue;
        J.col(first + j) += slope * A.col(first + i);
        J(first + i, first + j) += slope * (epsilon_ - 1);
      }
    }
  }
}

}  // namespace voigt
