#include "voigt/kernels/damped_least_squares.h"

#include <Eigen/Cholesky>
#include <cmath>

namespace voigt {
namespace {

// Least ratio of the diagonal of Cholesky's factor, smallest to largest; its square estimates the
// reciprocal condition of the normal equations.
constexpr double kLeastDiagonalRatio = 1e-5;

}  // namespace

void DampedLeastSquares::SetMatrix(const Eigen::Ref<const MatX>& J) {
  size_ = static_cast<int>(J.cols());
  J_.Resize(size_, size_);
  JtJ_.Resize(size_, size_);
  J_.get() = J;
  auto JtJ = JtJ_.get();
  JtJ.setZero();
  JtJ.selfadjointView<Eigen::Lower>().rankUpdate(J_.get().transpose());
  largest_diagonal_ = size_ == 0 ? 0 : JtJ.diagonal().maxCoeff();
}

void DampedLeastSquares::Factor(double lambda) {
  is_orthogonal_ = !FactorNormal(lambda);
  if (is_orthogonal_) FactorStacked(lambda);
}

bool DampedLeastSquares::FactorNormal(double lambda) {
  L_.Resize(size_, size_);
  auto L = L_.get();
  L = JtJ_.get();
  L.diagonal().array() += lambda;
  if (size_ == 0) return true;
  Eigen::Ref<MatX> in_place(L);
  const Eigen::LLT<Eigen::Ref<MatX>> factor(in_place);
  if (factor.info() != Eigen::Success) return false;
  const double least = L.diagonal().minCoeff(), largest = L.diagonal().maxCoeff();
  return least >= kLeastDiagonalRatio * largest;
}

// Column k of the stacked matrix has entries in rows k to size + k only: those of J from the
// diagonal on and what the columns before have filled in of √λ I. Reflections therefore act on
// size + 1 numbers that lie in a row.
void DampedLeastSquares::FactorStacked(double lambda) {
  Q_.Resize(2 * size_, size_);
  R_diagonal_.Resize(size_);
  reflection_scale_.Resize(size_);
  auto Q = Q_.get();
  Q.topRows(size_) = J_.get();
  Q.bottomRows(size_).setZero();
  Q.bottomRows(size_).diagonal().setConstant(std::sqrt(lambda));
  auto R_diagonal = R_diagonal_.get();
  auto scale = reflection_scale_.get();
  for (int k = 0; k < size_; ++k) {
    auto reflection = Q.col(k).segment(k, size_ + 1);
    const double length = reflection.norm();
    R_diagonal[k] = reflection[0] > 0 ? -length : length;
    reflection[0] -= R_diagonal[k];
    // ‖reflection‖² = 2 length (length + |first|), never small: λ > 0 keeps length above zero.
    scale[k] = 1 / (length * std::abs(reflection[0]));
    for (int j = k + 1; j < size_; ++j) {
      auto col = Q.col(j).segment(k, size_ + 1);
      col -= scale[k] * reflection.dot(col) * reflection;
    }
  }
}

void DampedLeastSquares::Solve(const Eigen::Ref<const VecX>& b, Eigen::Ref<VecX> x) {
  if (!is_orthogonal_) {
    x.noalias() = J_.get().transpose() * b;
    const auto L = L_.get();
    L.triangularView<Eigen::Lower>().solveInPlace(x);
    L.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
    return;
  }
  stacked_.Resize(2 * size_);
  auto y = stacked_.get();
  y.head(size_) = b;
  y.tail(size_).setZero();
  const auto Q = Q_.get();
  const auto R_diagonal = R_diagonal_.get();
  const auto scale = reflection_scale_.get();
  for (int k = 0; k < size_; ++k) {
    const auto reflection = Q.col(k).segment(k, size_ + 1);
    auto part = y.segment(k, size_ + 1);
    part -= scale[k] * reflection.dot(part) * reflection;
  }
  for (int k = size_ - 1; k >= 0; --k) {
    x[k] = y[k] / R_diagonal[k];
    y.head(k) -= x[k] * Q.col(k).head(k);
  }
}

}  // namespace voigt
