#include "voigt/kernels/cone_qp.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "voigt/kernels/dense_lu.h"
#include "voigt/kernels/lorentz_cone.h"

namespace voigt {
namespace {

// Proximal terms of the interior-point method's steps, as in cone_qp_newton.cc.
constexpr double kProximalX = 1e-10, kProximalY = 1e-10;

// Rows of C with more columns than this are dense.
constexpr int kFewColumns = 8;

// visit(first row, number of the cone, std::integral_constant<int, its size>).
template <typename Visit>
void VisitCones(std::span<const int> cones, Visit visit) {
  int row = 0, k = 0;
  for (int size : cones) {
    if (size == 3) {
      visit(row, k, std::integral_constant<int, 3>());
    } else if (size == 2) {
      visit(row, k, std::integral_constant<int, 2>());
    } else {
      visit(row, k, std::integral_constant<int, 1>());
    }
    row += size;
    ++k;
  }
}

template <int n>
Eigen::Map<const ConeVec<n>> VectorAt(const VecX& x, int row) {
  return Eigen::Map<const ConeVec<n>>(x.data() + row);
}

template <int n>
Eigen::Map<ConeMat<n>> MatrixAt(double* x) {
  return Eigen::Map<ConeMat<n>>(x);
}

}  // namespace

void ConeQp::SetStart(const ConeQuadraticProgram& program, const ConeQpPoint& start) {
  current_.x = start.x;
  current_.y.setZero(program.equations());
  const int rows = program.cone_rows();
  s_.setZero(rows);
  current_.z.setZero(rows);
  lambda_.setZero(rows);
  scaled_d_.setZero(rows);
  ds_.setZero(rows);
  dz_.setZero(rows);
  back_to_path_ = false;
  scalings_.resize(18 * program.cones.size());
  // In the middle of all cones, as far out as the numbers of the problem are.
  double size = 1e-3;
  if (program.size() > 0) size = std::max(size, program.g.lpNorm<Eigen::Infinity>());
  if (rows > 0) size = std::max(size, program.d.lpNorm<Eigen::Infinity>());
  int row = 0;
  for (int count : program.cones) {
    s_[row] = current_.z[row] = size;
    row += count;
  }
}

// H + Cᵀ F⁻² C with its equations, factored; F of all cones.
bool ConeQp::FactorMatrix(const ConeQuadraticProgram& program) {
  const int n = program.size(), p = program.equations();
  matrix_.setZero(n + p, n + p);
  auto K = matrix_.topLeftCorner(n, n);
  scaled_.resize(program.cone_rows(), n);
  int dense_rows = 0;
  VisitCones(program.cones, [&](int row, int k, auto size) {
    constexpr int c = size.value;
    const ConeScaling<c> scaling(VectorAt<c>(current_.z, row), VectorAt<c>(s_, row));
    MatrixAt<c>(&scalings_[18 * k]) = scaling.F_inverse;
    MatrixAt<c>(&scalings_[18 * k + 9]) = scaling.F;
    lambda_.segment<c>(row) = scaling.lambda;
    auto rows = scaled_.middleRows(dense_rows, c);
    int places[kFewColumns], count = 0;
    for (int j = 0; j < n; ++j) {
      rows.col(j) = scaling.F_inverse * program.C.block<c, 1>(row, j);
      if (!rows.col(j).isZero(0) && count++ < kFewColumns) places[count - 1] = j;
    }
    if (count > kFewColumns) {
      dense_rows += c;
      return;
    }
    for (int a = 0; a < count; ++a) {
      for (int b = 0; b < count; ++b) {
        K(places[a], places[b]) += rows.col(places[a]).dot(rows.col(places[b]));
      }
    }
  });
  K.noalias() += scaled_.topRows(dense_rows).transpose() * scaled_.topRows(dense_rows);
  K += program.H;
  matrix_.topRightCorner(n, p) = -program.E.transpose();
  matrix_.bottomLeftCorner(p, n) = program.E;
  matrix_.diagonal().head(n).array() += kProximalX;
  matrix_.diagonal().tail(p).array() += kProximalY;
  if (!matrix_.allFinite()) return false;
  swaps_.resize(n + p);
  DenseBlock block(matrix_.data(), n + p, n + p, Eigen::OuterStride<>(n + p));
  return FactorLu(block, swaps_.data()) > 0;
}

// λ ∘ d = −λ ∘ λ for the predictor (target < 0), target · e − λ ∘ λ − (F Δz) ∘ (F⁻¹ Δs) after it.
void ConeQp::SetConeRightSides(const ConeQuadraticProgram& program, double target) {
  VisitCones(program.cones, [&](int row, int k, auto size) {
    constexpr int c = size.value;
    const ConeVec<c> lambda = VectorAt<c>(lambda_, row);
    const auto F_inverse = MatrixAt<c>(&scalings_[18 * k]), F = MatrixAt<c>(&scalings_[18 * k + 9]);
    ConeVec<c> d = -lambda;
    if (target >= 0) {
      const ConeVec<c> a = F * VectorAt<c>(dz_, row), b = F_inverse * VectorAt<c>(ds_, row);
      ConeVec<c> right = -MultiplyInCone<c>(a, b);
      right[0] += target;
      d += DivideInCone<c>(lambda, right);
    }
    scaled_d_.segment<c>(row) = F_inverse * d;  // F⁻¹ d: z = F⁻¹ λ
  });
}

// (H + Cᵀ F⁻² C) Δx − Eᵀ Δy = −r_dual + Cᵀ (F⁻¹ d − F⁻² r_cone),   E Δx = −r_equal,
// Δs = C Δx + r_cone,   Δz = F⁻¹ d − F⁻² Δs.
void ConeQp::CalcDirection(const ConeQuadraticProgram& program) {
  const int n = program.size(), p = program.equations();
  VisitCones(program.cones, [&](int row, int k, auto size) {
    constexpr int c = size.value;
    const auto F_inverse = MatrixAt<c>(&scalings_[18 * k]);
    dz_.segment<c>(row) =
        scaled_d_.segment<c>(row) - F_inverse * (F_inverse * VectorAt<c>(r_cone_, row));
  });
  right_.resize(n + p);
  right_.head(n) = -r_dual_;
  right_.head(n).noalias() += program.C.transpose() * dz_;
  right_.tail(p) = -r_equal_;
  DenseBlock block(matrix_.data(), n + p, n + p, Eigen::OuterStride<>(n + p));
  SolveLu(block, swaps_.data(), right_.data());
  dx_ = right_.head(n);
  dy_ = right_.tail(p);
  ds_ = r_cone_;
  ds_.noalias() += program.C * dx_;
  VisitCones(program.cones, [&](int row, int k, auto size) {
    constexpr int c = size.value;
    const auto F_inverse = MatrixAt<c>(&scalings_[18 * k]);
    dz_.segment<c>(row) =
        scaled_d_.segment<c>(row) - F_inverse * (F_inverse * VectorAt<c>(ds_, row));
  });
}

double ConeQp::CalcStepLength(const ConeQuadraticProgram& program) const {
  double alpha = 1;
  VisitCones(program.cones, [&](int row, int, auto size) {
    constexpr int c = size.value;
    alpha = std::min({alpha, CalcStepInCone<c>(VectorAt<c>(s_, row), VectorAt<c>(ds_, row)),
                      CalcStepInCone<c>(VectorAt<c>(current_.z, row), VectorAt<c>(dz_, row))});
  });
  return alpha;
}

double ConeQp::CalcProduct(double alpha) const {
  return (s_ + alpha * ds_).dot(current_.z + alpha * dz_);
}

// One step of the interior-point method; false if it can go no further.
bool ConeQp::Iterate(const ConeQuadraticProgram& program, ConeQpStats* stats) {
  constexpr double kToTheEdge = 0.99, kLeastTarget = 1e-6, kLeastStep = 1e-6;
  constexpr double kShort = 0.2, kBack = 0.8;
  const int cones = static_cast<int>(program.cones.size());
  r_dual_ = program.g;
  r_dual_.noalias() += program.H * current_.x;
  r_dual_.noalias() -= program.C.transpose() * current_.z;
  r_dual_.noalias() -= program.E.transpose() * current_.y;
  r_cone_ = program.d - s_;
  r_cone_.noalias() += program.C * current_.x;
  r_equal_ = program.e;
  r_equal_.noalias() += program.E * current_.x;

  ++stats->iterations;
  ++stats->factors;
  if (!FactorMatrix(program)) return false;
  const double mu = cones > 0 ? s_.dot(current_.z) / cones : 0;
  if (back_to_path_) {
    // The last step was short: away from where all products are alike. One step leads back to it.
    ds_.setZero();
    dz_.setZero();
    SetConeRightSides(program, kBack * mu);
    CalcDirection(program);
  } else {
    SetConeRightSides(program, -1);
    CalcDirection(program);
    if (cones > 0) {
      const double product = CalcProduct(CalcStepLength(program));
      const double ratio = std::clamp(product / (cones * mu), 0.0, 1.0);
      SetConeRightSides(program, std::max(ratio * ratio * ratio, kLeastTarget) * mu);
      CalcDirection(program);
    }
  }
  const double length = CalcStepLength(program);
  const double alpha = cones > 0 ? kToTheEdge * length : 1;
  back_to_path_ = alpha < kShort && !back_to_path_;
  if (!dx_.allFinite() || !dz_.allFinite() || !(alpha > kLeastStep)) return false;
  current_.x += alpha * dx_;
  current_.y += alpha * dy_;
  current_.z += alpha * dz_;
  s_ += alpha * ds_;
  return mu > 0 || cones == 0;
}

// Newton's method from `start`; whether it arrives.
bool ConeQp::Improve(const ConeQuadraticProgram& program, const ConeQpSettings& settings,
                     const ConeQpPoint& start, int max_steps, ConeQpStats* stats) {
  constexpr int kPatience = 6;
  trial_ = start;
  double nearest = kInfinity;
  for (int k = 0, stale = 0; k < max_steps && stale < kPatience; ++k) {
    if (best_residual_ <= settings.tolerance || settings.deadline.HasPassed()) break;
    ++stats->newton_steps;
    ++stats->factors;
    if (!newton_.Step(program, &trial_)) break;
    const double residual = Judge(program, trial_);
    stale = residual < 0.5 * nearest ? 0 : stale + 1;
    nearest = std::min(nearest, residual);
  }
  return best_residual_ <= settings.tolerance;
}

// Keeps a point that is better than all before.
double ConeQp::Judge(const ConeQuadraticProgram& program, const ConeQpPoint& point) {
  const double residual = CalcConeQpResidual(program, point);
  if (!(residual >= best_residual_)) {
    best_residual_ = residual;
    best_ = point;
  }
  return residual;
}

// From the middle inwards, with a few of Newton's steps every other time: they arrive as soon as
// the sets are right.
void ConeQp::SolveFromInside(const ConeQuadraticProgram& program, const ConeQpSettings& settings,
                             const ConeQpPoint& start, ConeQpStats* stats) {
  constexpr int kPatience = 12, kFewSteps = 2;
  constexpr double kNear = 1e-3;
  SetStart(program, start);
  double nearest = kInfinity;
  for (int k = 0, stale = 0; k < settings.max_iterations && stale < kPatience; ++k) {
    if (settings.deadline.HasPassed() || !Iterate(program, stats)) break;
    const double residual = Judge(program, current_);
    stale = residual < 0.8 * nearest ? 0 : stale + 1;
    nearest = std::min(nearest, residual);
    if (best_residual_ <= settings.tolerance) return;
    if (residual > kNear || k % 2 == 0) continue;
    if (Improve(program, settings, current_, kFewSteps, stats)) return;
  }
  if (Improve(program, settings, current_, settings.max_newton_steps, stats)) return;
  Improve(program, settings, best_, settings.max_newton_steps, stats);
}

ConeQpResult ConeQp::Solve(const ConeQuadraticProgram& program, const ConeQpSettings& settings,
                           ConeQpPoint* point, ConeQpStats* stats) {
  CheckSizes(program);
  *stats = {};
  if (!settings.use_start) point->x.setZero(program.size());
  const bool has_multipliers = settings.use_start && point->z.size() == program.cone_rows() &&
                               point->y.size() == program.equations();
  if (!has_multipliers) {
    point->z.setZero(program.cone_rows());
    point->y.setZero(program.equations());
  }
  best_residual_ = kInfinity;
  Judge(program, *point);
  constexpr int kStepsFromStart = 3;
  const int steps = std::min(kStepsFromStart, settings.max_newton_steps);
  const bool has_arrived = settings.use_start && Improve(program, settings, *point, steps, stats);
  if (!has_arrived) SolveFromInside(program, settings, *point, stats);
  *point = best_;
  return {best_residual_, best_residual_ <= settings.tolerance};
}

}  // namespace voigt
