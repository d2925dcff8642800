#include "voigt/constraints/assembly.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "voigt/base/check.h"
#include "voigt/constraints/assembly_rows.h"
#include "voigt/dynamics/mass_matrix.h"
#include "voigt/steppers/integrate.h"

namespace voigt {
namespace {

// Rates that have been chosen weigh a hundred times as much once they have to move.
constexpr double kKeptWeight = 100;
// How far other starts are from the given one, rad, or in sizes of the mechanism: first a nudge off
// a saddle, in the end anywhere.
constexpr double kSpread[] = {0.02, 0.1, 0.3, 0.6, 1.0, 1.5, 3.0};
// No more starts once this much has been spent, in units of iterations · nv³.
constexpr double kEffort = 1e11;
// Singular values below this, relative to the largest, are redundant rows.
constexpr double kRankTolerance = 1e-9;

// The metric in which changes are small: the mass matrix at the start. Δ = C⁻ᵀ y for the dofs that
// may move, with ‖y‖ the length of the change.
class Metric {
 public:
  Metric(const Model& model, const VecX& q, double size) : weight_(VecX::Ones(model.nv())) {
    Kinematics kin(model);
    UpdatePositions(model, q, &kin);
    CompositeInertia composite(model);
    VecX M(model.tree().pattern.nonzeros());
    CalcMassMatrix(model, kin, &composite, &M);
    M_ = model.tree().pattern.ToDense(M);
    if (Eigen::LLT<MatX>(M_).info() == Eigen::Success) return;
    // Without inertia everywhere, lengths and angles times the size will do.
    M_.setZero(model.nv(), model.nv());
    const Tree& tree = model.tree();
    for (int k = 0; k < model.nv(); ++k) {
      const int b = tree.dof_body[k];
      M_(k, k) = IsAngularDof(tree.type[b], k - tree.v_start[b]) ? size * size : 1;
    }
  }

  // Kept dofs do not move, or move with more weight.
  void Restrict(const std::vector<char>& keep, bool may_move_kept) {
    free_.clear();
    for (int k = 0; k < M_.rows(); ++k) {
      const bool is_kept = !keep.empty() && keep[k];
      if (!is_kept || may_move_kept) free_.push_back(k);
      weight_[k] = is_kept ? kKeptWeight : 1;
    }
    const int count = static_cast<int>(free_.size());
    MatX A(count, count);
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < count; ++j) {
        A(i, j) = M_(free_[i], free_[j]) * weight_[free_[i]] * weight_[free_[j]];
      }
    }
    factor_.compute(A);
  }

  const std::vector<int>& free() const { return free_; }

  // G C⁻ᵀ over the free columns.
  MatX Transform(const MatX& G) const {
    MatX J(free_.size(), G.rows());
    for (size_t i = 0; i < free_.size(); ++i) J.row(i) = G.col(free_[i]).transpose();
    factor_.matrixL().solveInPlace(J);
    return J.transpose();
  }
  VecX ToRates(VecX y) const {
    factor_.matrixL().transpose().solveInPlace(y);
    VecX out = VecX::Zero(M_.rows());
    for (size_t i = 0; i < free_.size(); ++i) out[free_[i]] = y[i];
    return out;
  }

 private:
  MatX M_;
  VecX weight_;
  std::vector<int> free_;
  Eigen::LLT<MatX> factor_;
};

// −(JᵀJ + μ)⁻¹ Jᵀ r, by QR of the stacked matrix: redundant rows cost no digits.
VecX CalcDampedStep(const MatX& J, const VecX& r, double mu) {
  const int rows = static_cast<int>(J.rows()), cols = static_cast<int>(J.cols());
  MatX A(rows + cols, cols);
  A << J, std::sqrt(mu) * MatX::Identity(cols, cols);
  VecX b = VecX::Zero(rows + cols);
  b.head(rows) = -r;
  return Eigen::HouseholderQR<MatX>(A).solve(b);
}

bool HasAny(const std::vector<char>& flags) {
  return std::any_of(flags.begin(), flags.end(), [](char flag) { return flag != 0; });
}

class PositionAssembly {
 public:
  PositionAssembly(const Model& model, const AssemblyOptions& options, AssemblyRows* rows,
                   AssemblyResult* result)
      : model_(model),
        options_(options),
        rows_(*rows),
        result_(*result),
        tolerance_(std::max(options.tolerance, rows->rounding())) {}

  // Returns true with q on the constraints, or false with q as it was and a problem in the result.
  bool Solve(VecX* q) {
    rows_.UpdatePositions(*q);
    if (IsMet() && !rows_.FindWrongBranch(*q)) return true;
    metric_.emplace(model_, *q, rows_.size());
    for (bool may_move_kept : {false, true}) {
      if (may_move_kept && !HasAny(options_.keep_q)) break;
      metric_->Restrict(options_.keep_q, may_move_kept);
      if (metric_->free().empty()) continue;
      result_.moved_kept = may_move_kept;
      if (SolveFromSeveralPlaces(q)) return true;
    }
    if (best_ == kInfinity) NoteFailure(*q);  // nothing may move at all
    return false;
  }

 private:
  bool IsMet() const { return rows_.CalcWorst() <= tolerance_; }

  bool SolveFromSeveralPlaces(VecX* q) {
    std::mt19937_64 random(1);
    VecX trial = *q;
    for (size_t attempt = 0; attempt <= std::size(kSpread); ++attempt) {
      if (attempt > 0) {
        if (result_.iterations * std::pow(model_.nv(), 3) > kEffort) break;
        trial = *q;
        IntegratePositions(model_, MakePerturbation(kSpread[attempt - 1], &random), 1, &trial);
        ++result_.attempts;
      }
      if (Descend(&trial) && !rows_.FindWrongBranch(trial)) {
        *q = trial;
        result_.problem.reset();
        return true;
      }
      NoteFailure(trial);
    }
    return false;
  }

  VecX MakePerturbation(double spread, std::mt19937_64* random) const {
    const Tree& tree = model_.tree();
    VecX out = VecX::Zero(model_.nv());
    for (int k : metric_->free()) {
      const double unit = std::ldexp(static_cast<double>((*random)() >> 11), -52) - 1;  // [-1, 1)
      const int b = tree.dof_body[k];
      const bool is_angular = IsAngularDof(tree.type[b], k - tree.v_start[b]);
      out[k] = spread * unit * (is_angular ? 1 : rows_.size());
    }
    return out;
  }

  // Levenberg–Marquardt from *q. True if the constraints are met at its end.
  bool Descend(VecX* q) {
    rows_.UpdatePositions(*q);
    double alpha = 1e-3;
    for (int i = 0; i < options_.iteration_limit && !IsMet(); ++i) {
      ++result_.iterations;
      if (!Improve(&alpha, q)) break;
      alpha = std::max(alpha / 10, 1e-8);
    }
    return IsMet();
  }

  // One step, damped as much as it takes to get closer. False if no step does; the rows are those
  // of *q.
  bool Improve(double* alpha, VecX* q) {
    const VecX r = rows_.residual();
    const double error = r.norm();
    const MatX J = metric_->Transform(rows_.MakeG());
    const double scale = J.squaredNorm() / static_cast<double>(J.rows());
    const bool is_stuck = (J.transpose() * r).norm() <= 1e-13 * std::sqrt(scale) * error;
    for (; !is_stuck && *alpha < 1e8; *alpha *= 10) {
      const VecX y = CalcDampedStep(J, r, *alpha * error * scale);
      VecX trial = *q;
      IntegratePositions(model_, LimitStep(metric_->ToRates(y)), 1, &trial);
      rows_.UpdatePositions(trial);
      if (!(rows_.residual().norm() < (1 - 1e-6) * error)) continue;
      *q = trial;
      return true;
    }
    rows_.UpdatePositions(*q);
    return false;
  }

  // Half a radian or the size of the mechanism at most: beyond that, φ is not linear.
  VecX LimitStep(const VecX& step) const {
    const Tree& tree = model_.tree();
    double largest = 0;
    for (int k = 0; k < model_.nv(); ++k) {
      const int b = tree.dof_body[k];
      const bool is_angular = IsAngularDof(tree.type[b], k - tree.v_start[b]);
      largest = std::max(largest, std::abs(step[k]) / (is_angular ? 0.5 : rows_.size()));
    }
    return largest > 1 ? VecX(step / largest) : step;
  }

  void NoteFailure(const VecX& q) {
    rows_.UpdatePositions(q);
    const double error = rows_.residual().norm();
    if (!(error < best_)) return;
    best_ = error;
    int worst = 0;
    result_.violation = rows_.residual().cwiseAbs().maxCoeff(&worst);
    result_.problem = rows_.FindWrongBranch(q);
    if (result_.problem) return;
    const Constraint& constraint = rows_.constraint(worst);
    result_.problem = Problem{
        constraint.where(), constraint.name(),
        fmt::format("cannot be met together with the others: off by {:.3g} {} in the best position "
                    "found",
                    std::abs(rows_.CalcUnscaled(worst)), rows_.is_angular(worst) ? "rad" : "m")};
  }

  const Model& model_;
  const AssemblyOptions& options_;
  AssemblyRows& rows_;
  AssemblyResult& result_;
  double tolerance_;
  std::optional<Metric> metric_;
  double best_ = kInfinity;  // ‖φ‖ of the attempt in the result
};

// The row that is worst, if it is off by more than tolerance · scale and rounding.
std::optional<int> FindUnmetVelocity(const AssemblyRows& rows, double tolerance, double scale) {
  if (rows.CalcWorst() <= tolerance * scale + rows.velocity_noise()) return std::nullopt;
  int worst = 0;
  rows.residual().cwiseAbs().maxCoeff(&worst);
  return worst;
}

bool SolveVelocities(const Model& model, const AssemblyOptions& options, const VecX& q,
                     AssemblyRows* rows, AssemblyResult* result, VecX* v) {
  rows->UpdateVelocities(q, *v);
  // Relative to the fastest of the terms that sum up to zero.
  const double scale = rows->CalcFastest();
  std::optional<int> worst = FindUnmetVelocity(*rows, options.tolerance, scale);
  if (!worst) return true;
  const VecX start = *v;
  Metric metric(model, q, rows->size());
  for (bool may_move_kept : {false, true}) {
    if (may_move_kept && !HasAny(options.keep_v)) break;
    metric.Restrict(options.keep_v, may_move_kept);
    if (metric.free().empty()) continue;
    result->moved_kept |= may_move_kept;
    *v = start;
    // A second pass removes what rounding left over.
    for (int pass = 0; pass < 2; ++pass) {
      rows->UpdateVelocities(q, *v);
      Eigen::CompleteOrthogonalDecomposition<MatX> solver;
      solver.setThreshold(kRankTolerance);
      solver.compute(metric.Transform(rows->MakeG()));
      *v -= metric.ToRates(solver.solve(rows->residual()));
    }
    rows->UpdateVelocities(q, *v);
    worst = FindUnmetVelocity(*rows, 1e3 * options.tolerance, scale);
    if (!worst) return true;
  }
  const Constraint& constraint = rows->constraint(*worst);
  const double off = std::abs(rows->CalcUnscaled(*worst));
  result->problem =
      Problem{constraint.where(), constraint.name(),
              fmt::format("no velocity meets it together with the others: off by {:.3g} {}", off,
                          rows->is_angular(*worst) ? "rad/s" : "m/s")};
  *v = start;
  return false;
}

}  // namespace

AssemblyResult Assemble(const Model& model, const AssemblyOptions& options, State* state) {
  VOIGT_CHECK(state->q.size() == model.nq() && state->v.size() == model.nv());
  VOIGT_CHECK(options.keep_q.empty() || std::ssize(options.keep_q) == model.nv());
  VOIGT_CHECK(options.keep_v.empty() || std::ssize(options.keep_v) == model.nv());
  AssemblyResult result;
  AssemblyRows rows(model, *state, options.h);
  if (rows.empty()) return result;

  VecX q = state->q, v = state->v;
  if (!PositionAssembly(model, options, &rows, &result).Solve(&q)) return result;
  rows.UpdatePositions(q);
  result.violation = rows.CalcWorst();
  if (!SolveVelocities(model, options, q, &rows, &result, &v)) return result;
  state->q = std::move(q);
  state->v = std::move(v);
  return result;
}

}  // namespace voigt
