#include "voigt/kernels/accelerated_projected_gradient.h"

#include <algorithm>
#include <cmath>

#include "voigt/base/check.h"

namespace voigt {
namespace {

// Curvature is taken this much larger than it was met.
constexpr double kCurvatureMargin = 1.05;

double ProjectOntoBox(const BoxQuadraticProgram& program, int i, double value) {
  return std::min(std::max(value, program.lower[i]), program.upper[i]);
}

bool IsWellPosedProgram(const BoxQuadraticProgram& program) {
  if (!program.q.allFinite()) return false;
  for (int i = 0; i < program.size(); ++i) {
    const double lower = program.lower[i], upper = program.upper[i];
    if (!(lower <= upper) || lower == kInfinity || upper == -kInfinity) return false;
  }
  return true;
}

}  // namespace

ProjectedGradientResult AcceleratedProjectedGradient::Solve(
    const BoxQuadraticProgram& program, const ProjectedGradientSettings& settings,
    Eigen::Ref<VecX> z, ProjectedGradientStats* stats) {
  const int size = program.size();
  VOIGT_CHECK(z.size() == size && program.lower.size() == size && program.upper.size() == size);
  *stats = ProjectedGradientStats();
  if (!IsWellPosedProgram(program) || !z.allFinite()) return {};
  for (auto* v : {&x_, &x_before_, &y_, &Nx_, &Nx_before_, &Ny_, &D_}) v->assign(size, 1.0);
  for (int i = 0; i < size; ++i) {
    x_[i] = ProjectOntoBox(program, i, z[i]);
    if (program.diagonal != nullptr) D_[i] = (*program.diagonal)[i];
    VOIGT_CHECK(D_[i] > 0);
  }
  const auto map = [size](std::vector<double>* v) { return Eigen::Map<VecX>(v->data(), size); };
  program.multiply(map(&x_), map(&Nx_));
  y_ = x_;
  Ny_ = Nx_;

  double L = 1, t = 1, best = CalcResidual(program, L);
  z = map(&x_);
  while (best > settings.tolerance && stats->iterations < settings.max_iterations &&
         !settings.deadline.HasPassed()) {
    ++stats->iterations;
    x_before_.swap(x_);
    Nx_before_.swap(Nx_);
    // A step that the curvature along it allows.
    for (;;) {
      Step(program, L);
      program.multiply(map(&x_), map(&Nx_));
      double curvature = 0, length = 0;
      for (int i = 0; i < size; ++i) {
        const double d = x_[i] - y_[i];
        curvature += d * (Nx_[i] - Ny_[i]);
        length += D_[i] * d * d;
      }
      if (!(curvature > L * length) || !std::isfinite(curvature)) break;
      // Below the rounding of the products, curvature says nothing.
      if (curvature <= L * length * (1 + 1e-9)) break;
      L = kCurvatureMargin * curvature / length;
      ++stats->shortened;
    }
    const double residual = CalcResidual(program, L);
    if (residual < best) {
      best = residual;
      z = map(&x_);
    }
    const double next_t = (1 + std::sqrt(1 + 4 * t * t)) / 2;
    if (Extrapolate((t - 1) / next_t)) {
      t = next_t;
    } else {
      t = 1;
      ++stats->restarts;
    }
  }
  const bool is_solved = best <= settings.tolerance;
  return {is_solved ? ComplementarityStatus::kSolved : ComplementarityStatus::kIterationLimit,
          best};
}

void AcceleratedProjectedGradient::Step(const BoxQuadraticProgram& program, double L) {
  for (int i = 0; i < program.size(); ++i) {
    x_[i] = ProjectOntoBox(program, i, y_[i] - (Ny_[i] + program.q[i]) / (L * D_[i]));
  }
}

// False where the momentum would have led uphill, and y is the point itself.
bool AcceleratedProjectedGradient::Extrapolate(double momentum) {
  double uphill = 0;
  for (size_t i = 0; i < x_.size(); ++i) {
    uphill += D_[i] * (y_[i] - x_[i]) * (x_[i] - x_before_[i]);
  }
  if (uphill > 0) momentum = 0;
  for (size_t i = 0; i < x_.size(); ++i) {
    y_[i] = x_[i] + momentum * (x_[i] - x_before_[i]);
    Ny_[i] = Nx_[i] + momentum * (Nx_[i] - Nx_before_[i]);
  }
  return uphill <= 0;
}

double AcceleratedProjectedGradient::CalcResidual(const BoxQuadraticProgram& program,
                                                  double L) const {
  double largest = 0, scale = 0;
  for (int i = 0; i < program.size(); ++i) {
    const double s = L * D_[i];
    const double moved = ProjectOntoBox(program, i, x_[i] - (Nx_[i] + program.q[i]) / s);
    if (!std::isfinite(moved)) return kInfinity;
    largest = std::max(largest, s * std::abs(x_[i] - moved));
    scale = std::max(scale, std::max(std::abs(program.q[i]), std::abs(Nx_[i])));
  }
  return scale > 0 ? largest / scale : largest;
}

}  // namespace voigt
