#pragma once

#include <cmath>
#include <type_traits>

#include "voigt/math/types.h"

// The cone x₀ ≥ ‖x₁‥‖ of n = 1, 2 or 3 numbers (n = 1: the half-line), and the algebra in which
// interior-point methods walk through it [Alizadeh & Goldfarb 2003; Nesterov & Todd 1998].
namespace voigt {

template <int n>
using ConeVec = Eigen::Matrix<double, n, 1>;
template <int n>
using ConeMat = Eigen::Matrix<double, n, n>;

// x₀² − ‖x₁‥‖², by factors: near the boundary one of them is small.
template <int n>
double CalcConeDeterminant(const ConeVec<n>& x) {
  if constexpr (n == 1) {
    return x[0] * x[0];
  } else {
    const double length = x.template tail<n - 1>().norm();
    return (x[0] - length) * (x[0] + length);
  }
}

// x ∘ y = (x·y, x₀ y₁‥ + y₀ x₁‥).
template <int n>
ConeVec<n> MultiplyInCone(const ConeVec<n>& x, const ConeVec<n>& y) {
  ConeVec<n> out = x[0] * y + y[0] * x;
  out[0] = x.dot(y);
  return out;
}

// z with x ∘ z = y, for x inside of the cone.
template <int n>
ConeVec<n> DivideInCone(const ConeVec<n>& x, const ConeVec<n>& y) {
  ConeVec<n> z;
  if constexpr (n == 1) {
    z[0] = y[0] / x[0];
  } else {
    const auto x1 = x.template tail<n - 1>();
    const auto y1 = y.template tail<n - 1>();
    z[0] = (x[0] * y[0] - x1.dot(y1)) / CalcConeDeterminant<n>(x);
    z.template tail<n - 1>() = (y1 - z[0] * x1) / x[0];
  }
  return z;
}

// The symmetric matrix F with F z = F⁻¹ s =: λ for z and s inside of the cone (Nesterov & Todd's
// scaling).
template <int n>
struct ConeScaling {
  ConeMat<n> F, F_inverse;
  ConeVec<n> lambda;
  double beta = 1;  // F/β has determinant 1, and F² = β² (2 w wᵀ − diag(1, −1 ‥)) with F₀‥ = β w

  ConeScaling(const ConeVec<n>& z, const ConeVec<n>& s) {
    const double det_z = CalcConeDeterminant<n>(z), det_s = CalcConeDeterminant<n>(s);
    beta = std::sqrt(std::sqrt(det_s / det_z));
    if constexpr (n == 1) {
      F(0, 0) = beta;
      F_inverse(0, 0) = 1 / beta;
    } else {
      const ConeVec<n> z_bar = z / std::sqrt(det_z), s_bar = s / std::sqrt(det_s);
      const double half = std::sqrt(0.5 * (1 + z_bar.dot(s_bar)));
      ConeVec<n> w = s_bar - z_bar;
      w[0] = s_bar[0] + z_bar[0];
      w /= 2 * half;
      const auto w1 = w.template tail<n - 1>();
      F(0, 0) = w[0];
      F.template block<n - 1, 1>(1, 0) = w1;
      F.template block<1, n - 1>(0, 1) = w1.transpose();
      F.template block<n - 1, n - 1>(1, 1) = w1 * w1.transpose() / (1 + w[0]);
      F.template block<n - 1, n - 1>(1, 1).diagonal().array() += 1;
      F_inverse = F;
      F_inverse.template block<n - 1, 1>(1, 0) *= -1;
      F_inverse.template block<1, n - 1>(0, 1) *= -1;
      F *= beta;
      F_inverse /= beta;
    }
    lambda = F * z;
  }
};

// x = ‖u‖/a as x²/√(x² + μ), which has a slope where u is nearly zero: slope · uᵀ.
struct SmoothLength {
  double value, slope;

  SmoothLength(double length, double a, double mu) {
    const double x = length / a, square = x * x + mu, root = std::sqrt(square);
    value = x * x / root;
    slope = (square + mu) / (square * root * a * a);
  }
};

// visit(std::integral_constant<int, size>) for a size of 1, 2 or 3.
template <typename Visit>
void WithSize(int size, Visit visit) {
  if (size == 3) {
    visit(std::integral_constant<int, 3>());
  } else if (size == 2) {
    visit(std::integral_constant<int, 2>());
  } else {
    visit(std::integral_constant<int, 1>());
  }
}

// The largest step α ≤ 1 for which x + α d stays in the cone.
template <int n>
double CalcStepInCone(const ConeVec<n>& x, const ConeVec<n>& d) {
  if constexpr (n == 1) return d[0] < 0 ? std::min(1.0, -x[0] / d[0]) : 1.0;
  // det(x + α d) = c + 2 b α + a α².
  const double c = CalcConeDeterminant<n>(x);
  const double a = CalcConeDeterminant<n>(d);
  double b = x[0] * d[0];
  if constexpr (n > 1) b -= x.template tail<n - 1>().dot(d.template tail<n - 1>());
  const double root = b * b - a * c;
  // The smaller positive zero, without cancellation; none: it never leaves.
  if (a >= 0 && (b >= 0 || root < 0)) return 1;
  const double alpha = c / (std::sqrt(std::max(0.0, root)) - b);
  return alpha > 0 ? std::min(1.0, alpha) : 1;
}

}  // namespace voigt
