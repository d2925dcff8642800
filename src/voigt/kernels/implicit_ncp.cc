#include "voigt/kernels/implicit_ncp.h"

#include <algorithm>
#include <cmath>

#include "voigt/kernels/local_coulomb.h"

namespace voigt {
namespace {

// Sweeps before each new attempt.
constexpr int kSweepsBefore[] = {10, 50, 250};
constexpr double kFirstProximal = 0.1;  // in units in which A has a diagonal of 1
constexpr int kProximalSteps = 12;
constexpr int kFrictionSteps = 4;
// Φ is solved to rounding: a residual of u costs nothing more once convergence is quadratic.
constexpr double kEquationTolerance = 1e-15;

double MeanDiagonal(const Eigen::Ref<const MatX>& A, int first, int count) {
  return count == 0 ? 0 : A.diagonal().segment(first, count).mean();
}

// s|γ − clamp(γ − u/s)|
double BoundedResidual(double s, double gamma, double u, double lower, double upper) {
  return std::abs(s * gamma - std::clamp(s * gamma - u, s * lower, s * upper));
}

double ConeResidual(const NcpBlock& block, double s_normal, double s, const double* gamma,
                    const double* u) {
  const double normal = std::abs(std::min(s_normal * gamma[0], u[0]));
  double x[2] = {0, 0}, length = 0;
  for (int i = 1; i < block.count; ++i) {
    x[i - 1] = s * gamma[i] - u[i];
    length = std::hypot(length, x[i - 1]);
  }
  const double radius = s * block.mu * std::max(0.0, gamma[0]);
  const double m = length > radius ? radius / length : 1;
  double difference = 0;
  for (int i = 1; i < block.count; ++i) {
    difference = std::hypot(difference, s * gamma[i] - m * x[i - 1]);
  }
  return std::max(normal, difference);
}

double BlockResidual(const NcpBlock& block, const Eigen::Ref<const MatX>& A,
                     const Eigen::Ref<const VecX>& gamma, const Eigen::Ref<const VecX>& u) {
  const int i = block.first;
  switch (block.kind) {
    case NcpKind::kFree:
      return u.segment(i, block.count).cwiseAbs().maxCoeff();
    case NcpKind::kUnilateral:
      return std::abs(std::min(A(i, i) * gamma[i], u[i]));
    case NcpKind::kBounded:
      return BoundedResidual(A(i, i), gamma[i], u[i], block.lower, block.upper);
    case NcpKind::kCone:
      return ConeResidual(block, A(i, i), MeanDiagonal(A, i + 1, block.count - 1), gamma.data() + i,
                          u.data() + i);
  }
  return kNaN;
}

}  // namespace

double CalcNcpNaturalResidual(const ImplicitNcpProblem& problem,
                              const Eigen::Ref<const VecX>& gamma, Eigen::Ref<VecX> u) {
  const auto A = problem.A.get();
  u = problem.q.get();
  u.noalias() += A * gamma;
  double largest = 0;
  for (const NcpBlock& block : problem.blocks) {
    const double residual = BlockResidual(block, A, gamma, u);
    if (!(residual <= largest)) largest = residual;
    if (!std::isfinite(largest)) return kInfinity;
  }
  return largest;
}

void ImplicitNcp::ScaleProblem(const ImplicitNcpProblem& problem, NcpScaling scaling) {
  const int size = problem.size();
  A_.Resize(size, size);
  for (KeptVector* v : {&q_, &d_, &z_, &gamma_, &best_, &u_}) v->Resize(size);
  const auto A = problem.A.get();
  const double norm = size == 0 ? 0 : A.cwiseAbs().rowwise().sum().maxCoeff();
  auto d = d_.get();
  blocks_.assign(problem.blocks.begin(), problem.blocks.end());
  for (NcpBlock& block : blocks_) {
    const double mean = MeanDiagonal(A, block.first, block.count);
    double s = scaling == NcpScaling::kUnit ? 1 : scaling == NcpScaling::kNorm ? norm : mean;
    // Blocks that nothing moves take the unit of the others.
    if (!(s > 1e-12 * norm)) s = norm > 0 ? norm : 1;
    d.segment(block.first, block.count).setConstant(1 / std::sqrt(s));
    block.lower *= std::sqrt(s);
    block.upper *= std::sqrt(s);
  }
  A_.get().noalias() = d.asDiagonal() * A * d.asDiagonal();
  q_.get() = d.cwiseProduct(problem.q.get());
  system_.SetProblem(&A_, &q_, blocks_);
}

LevenbergMarquardtStatus ImplicitNcp::Minimize(const ImplicitNcpSettings& settings,
                                               int max_iterations, ImplicitNcpStats* stats) {
  LevenbergMarquardtSettings lm;
  lm.variant = settings.variant;
  lm.max_iterations = max_iterations;
  lm.tolerance = kEquationTolerance;
  lm.scale = std::max(q_.get().cwiseAbs().maxCoeff(), 1e-300);
  lm.deadline = settings.deadline;
  system_.CalcVariables(gamma_.get(), z_.get());
  const auto status = method_.Solve(lm, &system_, {}, {}, z_.get(), &stats->lm).status;
  system_.CalcImpulse(z_.get(), gamma_.get());
  return status;
}

bool ImplicitNcp::Attempt(const ImplicitNcpProblem& problem, const ImplicitNcpSettings& settings,
                          ImplicitNcpStats* stats) {
  ++stats->attempts;
  const LevenbergMarquardtStatus status = Minimize(settings, settings.max_iterations, stats);
  z_.get() = d_.get().cwiseProduct(gamma_.get());
  const double residual = CalcNcpNaturalResidual(problem, z_.get(), u_.get());
  if (!(residual < result_.residual)) return false;
  result_.residual = residual;
  result_.status = status;
  best_.get() = gamma_.get();
  result_.converged = residual <= settings.tolerance * result_.scale;
  return result_.converged;
}

// One sweep over the scaled problem, each block solved exactly with the others held.
void ImplicitNcp::Sweep() {
  const auto A = A_.get();
  const auto q = q_.get();
  auto gamma = gamma_.get();
  for (const NcpBlock& block : blocks_) {
    const int first = block.first;
    if (block.kind == NcpKind::kCone) {
      double W[9], local_q[3], z[3];
      for (int i = 0; i < block.count; ++i) {
        const double u = A.row(first + i).dot(gamma) + q[first + i];
        z[i] = u - gamma[first + i];
        local_q[i] = u;
        for (int j = 0; j < block.count; ++j) {
          W[block.count * i + j] = A(first + i, first + j);
          local_q[i] -= A(first + i, first + j) * gamma[first + j];
        }
      }
      double* own = gamma.data() + first;
      // Where a block's own matrix is singular, one step of projection instead.
      if (!SolveLocalCoulomb(block.count, W, local_q, block.mu, own)) {
        CalcNcpImpulse(block, z, own, nullptr);
      }
      continue;
    }
    for (int i = first; i < first + block.count; ++i) {
      const double u = A.row(i).dot(gamma) + q[i];
      const double lower = block.kind == NcpKind::kUnilateral ? 0 : block.lower;
      const double a = A(i, i) > 0 ? A(i, i) : 1;
      gamma[i] = std::clamp(gamma[i] - u / a, lower, block.upper);
    }
  }
}

bool ImplicitNcp::TrySweeps(const ImplicitNcpProblem& problem, const ImplicitNcpSettings& settings,
                            ImplicitNcpStats* stats) {
  gamma_.get() = best_.get();
  for (const int count : kSweepsBefore) {
    for (int i = 0; i < count; ++i) Sweep();
    stats->sweeps += count;
    z_.get() = gamma_.get();
    if (!z_.get().allFinite()) return false;
    if (Attempt(problem, settings, stats)) return true;
    if (settings.deadline.HasPassed()) return false;
  }
  return false;
}

bool ImplicitNcp::TryProximal(const ImplicitNcpProblem& problem,
                              const ImplicitNcpSettings& settings, ImplicitNcpStats* stats) {
  gamma_.get() = best_.get();
  double epsilon = kFirstProximal;
  for (int i = 0; i < kProximalSteps && !settings.deadline.HasPassed(); ++i) {
    system_.SetProximal(epsilon, gamma_.get());
    Minimize(settings, settings.max_iterations, stats);
    ++stats->proximal_steps;
    epsilon *= 0.3;
  }
  system_.ClearProximal();
  return Attempt(problem, settings, stats);
}

bool ImplicitNcp::TryLessFriction(const ImplicitNcpProblem& problem,
                                  const ImplicitNcpSettings& settings, ImplicitNcpStats* stats) {
  gamma_.get().setZero();
  for (int step = 0; step < kFrictionSteps && !settings.deadline.HasPassed(); ++step) {
    for (size_t b = 0; b < blocks_.size(); ++b) {
      blocks_[b].mu = problem.blocks[b].mu * step / kFrictionSteps;
    }
    Minimize(settings, settings.max_iterations, stats);
    ++stats->friction_steps;
  }
  for (size_t b = 0; b < blocks_.size(); ++b) blocks_[b].mu = problem.blocks[b].mu;
  return Attempt(problem, settings, stats);
}

ImplicitNcpResult ImplicitNcp::Solve(const ImplicitNcpProblem& problem,
                                     const ImplicitNcpSettings& settings, Eigen::Ref<VecX> gamma,
                                     ImplicitNcpStats* stats) {
  result_ = {};
  result_.residual = kInfinity;
  if (problem.size() == 0) {
    return {.converged = true,
            .residual = 0,
            .scale = settings.scale,
            .status = LevenbergMarquardtStatus::kConverged};
  }
  ScaleProblem(problem, settings.scaling);
  result_.scale = settings.scale > 0 ? settings.scale : problem.q.get().cwiseAbs().maxCoeff();
  gamma_.get() = gamma.cwiseQuotient(d_.get());
  best_.get() = gamma_.get();
  const bool solved = Attempt(problem, settings, stats);
  if (!solved && settings.allow_restarts) {
    TrySweeps(problem, settings, stats) || TryProximal(problem, settings, stats) ||
        TryLessFriction(problem, settings, stats);
  }
  gamma = d_.get().cwiseProduct(best_.get());
  return result_;
}

}  // namespace voigt
