#include "voigt/kernels/fischer_burmeister_system.h"

#include <cmath>

namespace voigt {
namespace {

struct FischerSlopes {
  double a = 0, b = 0;
};

// ∂φ/∂a, ∂φ/∂b; where a = b = 0, the limit along the rates d_a, d_b.
FischerSlopes CalcFischerSlopes(double a, double b, double d_a, double d_b) {
  if (a == 0 && b == 0) {
    a = d_a;
    b = d_b;
  }
  const double length = std::hypot(a, b);
  return {a / length - 1, b / length - 1};
}

}  // namespace

double CalcFischerBurmeister(double a, double b) {
  // The sum of two positive numbers would be lost in their root: with r = √(a² + b²),
  // r − (a + b) = −2ab/(r + a + b).
  const double sum = a + b, root = std::hypot(a, b);
  if (sum <= 0) return root - sum;
  return -2 * (a / (root + sum)) * b;
}

void FischerBurmeisterSystem::SetProblem(const KeptMatrix* N, const KeptVector* q,
                                         const KeptVector* lower, const KeptVector* upper) {
  N_ = N;
  q_ = q;
  lower_ = lower;
  upper_ = upper;
  epsilon_ = 0;
  for (KeptVector* v : {&center_, &w_, &d_, &d_w_}) v->Resize(size());
}

void FischerBurmeisterSystem::SetProximal(double epsilon, const Eigen::Ref<const VecX>& center) {
  epsilon_ = epsilon;
  center_.get() = center;
}

double FischerBurmeisterSystem::CalcRow(int i, double z, double w) const {
  const double lower = lower_->get()[i], upper = upper_->get()[i];
  if (lower == upper) return lower - z;
  const double b = upper < kInfinity ? CalcFischerBurmeister(upper - z, -w) : w;
  return lower > -kInfinity ? CalcFischerBurmeister(z - lower, b) : -b;
}

bool FischerBurmeisterSystem::IsDegenerate(int i, double z, double w) const {
  const double lower = lower_->get()[i], upper = upper_->get()[i];
  return w == 0 && lower != upper && (z == lower || z == upper);
}

FischerBurmeisterSystem::Slopes FischerBurmeisterSystem::CalcSlopes(int i, double z, double w,
                                                                    double d_w) const {
  const double lower = lower_->get()[i], upper = upper_->get()[i];
  if (lower == upper) return {-1, 0};
  // b of the outer function, as a function of z and w.
  double b = w;
  Slopes inner = {0, 1};
  if (upper < kInfinity) {
    b = CalcFischerBurmeister(upper - z, -w);
    const FischerSlopes slopes = CalcFischerSlopes(upper - z, -w, -1, -d_w);
    inner = {-slopes.a, -slopes.b};
  }
  if (lower == -kInfinity) return {-inner.a, -inner.b};
  const FischerSlopes outer = CalcFischerSlopes(z - lower, b, 1, inner.a + inner.b * d_w);
  return {outer.a + outer.b * inner.a, outer.b * inner.b};
}

void FischerBurmeisterSystem::CalcResidual(const Eigen::Ref<const VecX>& z, Eigen::Ref<VecX> phi) {
  auto w = w_.get();
  w = q_->get();
  w.noalias() += N_->get() * z;
  if (epsilon_ > 0) w += epsilon_ * (z - center_.get());
  for (int i = 0; i < size(); ++i) phi[i] = CalcRow(i, z[i], w[i]);
}

void FischerBurmeisterSystem::CalcJacobian(const Eigen::Ref<const VecX>& z, Eigen::Ref<MatX> J) {
  const auto N = N_->get();
  const auto w = w_.get();
  auto d = d_.get();
  auto d_w = d_w_.get();
  bool any = false;
  for (int i = 0; i < size(); ++i) {
    const bool degenerate = IsDegenerate(i, z[i], w[i]);
    d[i] = degenerate ? 1 : 0;
    any = any || degenerate;
  }
  d_w.setZero();
  if (any) {
    d_w.noalias() += N * d;
    d_w += epsilon_ * d;
  }
  // D_b in d_w, D_a in d from here on.
  for (int i = 0; i < size(); ++i) {
    const Slopes slopes = CalcSlopes(i, z[i], w[i], d_w[i]);
    d[i] = slopes.a + epsilon_ * slopes.b;
    d_w[i] = slopes.b;
  }
  J.noalias() = d_w.asDiagonal() * N;
  J.diagonal() += d;
}

}  // namespace voigt
