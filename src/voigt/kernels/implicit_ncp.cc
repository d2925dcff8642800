#include "voigt/kernels/implicit_ncp.h"

#include <algorithm>
#include <cmath>

#include "voigt/kernels/local_coulomb.h"

namespace voigt {
namespace {

// Sweeps before each new attempt.
constexpr int kSweepsBefore[] = {10, 50, 250};
constexpr double kFirstProximal = 0.1;  // in units in which A has a diagonal of 1
constexpr int kProximalNcpSteps = 12;
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

double DiscResidual(const Disc& disc, double s, const double* gamma, const double* u) {
  double x[2] = {0, 0}, length = 0;
  for (int i = 0; i < disc.count; ++i) {
    x[i] = s * gamma[disc.first + i] - u[disc.first + i];
    length = std::hypot(length, x[i]);
  }
  const double radius = s * disc.mu * std::max(0.0, gamma[0]);
  const double m = length > radius ? radius / length : 1;
  double difference = 0;
  for (int i = 0; i < disc.count; ++i) {
    difference = std::hypot(difference, s * gamma[disc.first + i] - m * x[i]);
  }
  return difference;
}

double ConeResidual(const NcpBlock& block, const Eigen::Ref<const MatX>& A, const double* gamma,
                    const double* u) {
  double largest = std::abs(std::min(A(block.first, block.first) * gamma[0], u[0]));
  for (const Disc& disc : block.discs) {
    const double s = MeanDiagonal(A, block.first + disc.first, disc.count);
    largest = std::max(largest, DiscResidual(disc, s, gamma, u));
  }
  return largest;
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
      return ConeResidual(block, A, gamma.data() + i, u.data() + i);
  }
  return kNaN;
}

}  // namespace

double CalcNcpNaturalResidual(const ImplicitNcpProblem& problem,
                              const Eigen::Ref<const VecX>& gamma, Eigen::Ref<VecX> u) {
  u = problem.q;
  u.noalias() += problem.A * gamma;
  double largest = 0;
  for (const NcpBlock& block : problem.blocks) {
    const double residual = BlockResidual(block, problem.A, gamma, u);
    if (!(residual <= largest)) largest = residual;
    if (!std::isfinite(largest)) return kInfinity;
  }
  return largest;
}

void ImplicitNcp::ScaleProblem(const ImplicitNcpProblem& problem, NcpScaling scaling) {
  const int size = problem.size();
  A_.Resize(size, size);
  for (KeptVector* v : {&q_, &d_, &z_, &gamma_, &start_, &best_, &u_}) v->Resize(size);
  const auto& A = problem.A;
  const double norm = A.cwiseAbs().rowwise().sum().maxCoeff();
  auto d = d_.get();
  const auto set_d = [&](int first, int count) {
    double s = scaling == NcpScaling::kUnit   ? 1
               : scaling == NcpScaling::kNorm ? norm
                                              : MeanDiagonal(A, first, count);
    // Rows that nothing moves take the unit of the others.
    if (!(s > 1e-12 * norm)) s = norm > 0 ? norm : 1;
    d.segment(first, count).setConstant(1 / std::sqrt(s));
    return 1 / std::sqrt(s);
  };
  blocks_.assign(problem.blocks.begin(), problem.blocks.end());
  for (NcpBlock& block : blocks_) {
    const bool is_cone = block.kind == NcpKind::kCone;
    const double own = set_d(block.first, is_cone ? 1 : block.count);
    block.lower /= own;
    block.upper /= own;
    if (!is_cone) continue;
    DiscList scaled;
    for (const Disc& disc : block.discs) {
      scaled.Add(disc.count, disc.mu * own / set_d(block.first + disc.first, disc.count));
    }
    block.discs = scaled;
  }
  A_.get().noalias() = d.asDiagonal() * A * d.asDiagonal();
  q_.get() = d.cwiseProduct(problem.q);
  system_.SetProblem(&A_, &q_, blocks_);
}

LevenbergMarquardtStatus ImplicitNcp::Minimize(const ImplicitNcpSettings& settings,
                                               LevenbergMarquardtVariant variant,
                                               ImplicitNcpStats* stats) {
  LevenbergMarquardtSettings lm;
  lm.variant = variant;
  lm.max_iterations = settings.max_iterations;
  lm.tolerance = kEquationTolerance;
  lm.scale = std::max(q_.get().cwiseAbs().maxCoeff(), 1e-300);
  lm.deadline = settings.deadline;
  system_.CalcVariables(gamma_.get(), z_.get());
  const auto status = method_.Solve(lm, &system_, {}, {}, z_.get(), &stats->lm).status;
  system_.CalcImpulse(z_.get(), gamma_.get());
  return status;
}

// For problems on the way, which decide where the last attempt begins.
void ImplicitNcp::MinimizeByEither(const ImplicitNcpSettings& settings, ImplicitNcpStats* stats) {
  const auto status = Minimize(settings, settings.variant, stats);
  if (status == LevenbergMarquardtStatus::kConverged || settings.deadline.HasPassed()) return;
  ++stats->variant_changes;
  Minimize(settings, OtherVariant(settings.variant), stats);
}

bool ImplicitNcp::Attempt(const ImplicitNcpProblem& problem, const ImplicitNcpSettings& settings,
                          LevenbergMarquardtVariant variant, ImplicitNcpStats* stats) {
  ++stats->attempts;
  const LevenbergMarquardtStatus status = Minimize(settings, variant, stats);
  z_.get() = d_.get().cwiseProduct(gamma_.get());
  const double residual = CalcNcpNaturalResidual(problem, z_.get(), u_.get());
  if (!(residual < result_.residual)) return false;
  result_.residual = residual;
  result_.scale = settings.scale;
  if (!(settings.scale > 0)) {
    result_.scale = std::max(problem.q.cwiseAbs().maxCoeff(),
                             problem.A.diagonal().cwiseProduct(z_.get()).cwiseAbs().maxCoeff());
  }
  result_.status = status;
  best_.get() = gamma_.get();
  result_.converged = residual <= settings.tolerance * result_.scale;
  return result_.converged;
}

void ImplicitNcp::SweepCone(const NcpBlock& block) {
  const auto A = A_.get();
  auto gamma = gamma_.get();
  double W[kMaxNcpBlockRows * kMaxNcpBlockRows], q[kMaxNcpBlockRows], z[kMaxNcpBlockRows];
  for (int i = 0; i < block.count; ++i) {
    const int row = block.first + i;
    const double u = A.row(row).dot(gamma) + q_.get()[row];
    z[i] = u - gamma[row];
    q[i] = u;
    for (int j = 0; j < block.count; ++j) {
      W[block.count * i + j] = A(row, block.first + j);
      q[i] -= A(row, block.first + j) * gamma[block.first + j];
    }
  }
  double* own = gamma.data() + block.first;
  // One disc in closed form; a step of projection where there are more, or where the block's own
  // matrix is singular.
  const bool has_one_disc = block.discs.end() - block.discs.begin() == 1;
  if (has_one_disc && SolveLocalCoulomb(block.count, W, q, block.discs.begin()->mu, own)) return;
  CalcNcpImpulse(block, z, own, nullptr);
}

// One sweep over the scaled problem, each block with the others held.
void ImplicitNcp::Sweep() {
  const auto A = A_.get();
  auto gamma = gamma_.get();
  for (const NcpBlock& block : blocks_) {
    if (block.kind == NcpKind::kCone) {
      SweepCone(block);
      continue;
    }
    for (int i = block.first; i < block.first + block.count; ++i) {
      const double u = A.row(i).dot(gamma) + q_.get()[i];
      const double lower = block.kind == NcpKind::kUnilateral ? 0 : block.lower;
      const double a = A(i, i) > 0 ? A(i, i) : 1;
      gamma[i] = std::clamp(gamma[i] - u / a, lower, block.upper);
    }
  }
}

bool ImplicitNcp::TryOtherVariant(const ImplicitNcpProblem& problem,
                                  const ImplicitNcpSettings& settings, ImplicitNcpStats* stats) {
  gamma_.get() = start_.get();
  ++stats->variant_changes;
  return Attempt(problem, settings, OtherVariant(settings.variant), stats);
}

bool ImplicitNcp::TrySweeps(const ImplicitNcpProblem& problem, const ImplicitNcpSettings& settings,
                            ImplicitNcpStats* stats) {
  gamma_.get() = best_.get();
  for (const int count : kSweepsBefore) {
    for (int i = 0; i < count; ++i) Sweep();
    stats->sweeps += count;
    if (!gamma_.get().allFinite()) return false;
    if (Attempt(problem, settings, settings.variant, stats)) return true;
    if (settings.deadline.HasPassed()) return false;
  }
  return false;
}

bool ImplicitNcp::TryProximal(const ImplicitNcpProblem& problem,
                              const ImplicitNcpSettings& settings, ImplicitNcpStats* stats) {
  gamma_.get() = best_.get();
  double epsilon = kFirstProximal;
  for (int i = 0; i < kProximalNcpSteps && !settings.deadline.HasPassed(); ++i) {
    system_.SetProximal(epsilon, gamma_.get());
    MinimizeByEither(settings, stats);
    ++stats->proximal_steps;
    epsilon *= 0.3;
  }
  system_.ClearProximal();
  return Attempt(problem, settings, settings.variant, stats);
}

bool ImplicitNcp::TryLessFriction(const ImplicitNcpProblem& problem,
                                  const ImplicitNcpSettings& settings, ImplicitNcpStats* stats) {
  whole_.assign(blocks_.begin(), blocks_.end());
  gamma_.get().setZero();
  for (int step = 0; step < kFrictionSteps && !settings.deadline.HasPassed(); ++step) {
    for (size_t b = 0; b < blocks_.size(); ++b) {
      DiscList part;
      for (const Disc& disc : whole_[b].discs)
        part.Add(disc.count, disc.mu * step / kFrictionSteps);
      blocks_[b].discs = part;
    }
    MinimizeByEither(settings, stats);
    ++stats->friction_steps;
  }
  blocks_.assign(whole_.begin(), whole_.end());
  return Attempt(problem, settings, settings.variant, stats);
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
  gamma_.get() = gamma.cwiseQuotient(d_.get());
  start_.get() = gamma_.get();
  best_.get() = gamma_.get();
  const bool solved = Attempt(problem, settings, settings.variant, stats);
  if (!solved && settings.allow_restarts) {
    TryOtherVariant(problem, settings, stats) || TrySweeps(problem, settings, stats) ||
        TryProximal(problem, settings, stats) || TryLessFriction(problem, settings, stats);
  }
  gamma = d_.get().cwiseProduct(best_.get());
  return result_;
}

}  // namespace voigt
