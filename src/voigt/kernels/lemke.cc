#include "voigt/kernels/lemke.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "voigt/base/check.h"

namespace voigt {
namespace {

// Smallest pivot of a basis relative to its largest entry.
constexpr double kSingularBasis = 1e-14;
// The same where free variables are pivoted in; below it, they are looked at closely.
constexpr double kSingularFree = 1e-10;
// A residual that refinement need not improve.
constexpr double kRefined = 1e-15;
constexpr int kRefinements = 2;

bool HasFree(const ComplementarityProblem& problem) {
  for (int i = 0; i < problem.size(); ++i) {
    if (problem.lower[i] == -kInfinity && problem.upper[i] == kInfinity) return true;
  }
  return false;
}

}  // namespace

LemkeResult Lemke::Solve(const ComplementarityProblem& problem, const LemkeSettings& settings,
                         Eigen::Ref<VecX> z, LemkeStats* stats) {
  VOIGT_CHECK(z.size() == problem.size());
  VOIGT_CHECK(settings.covering == nullptr ||
              (settings.covering->size() == problem.size() && settings.covering->minCoeff() > 0));
  problem_ = &problem;
  settings_ = &settings;
  stats_ = stats;
  *stats = LemkeStats();
  best_ = kInfinity;
  knows_free_ = !HasFree(problem);
  ray_.assign(problem.size(), 0.0);
  z_.resize(problem.size());
  w_.resize(problem.size());
  if (!IsWellPosed(problem)) return {};
  reduced_.Prepare(problem);
  max_pivots_ = settings.max_pivots > 0 ? settings.max_pivots : 1000 + 50 * problem.size();

  // From the guess.
  guessed_set_ = settings.set;
  if (guessed_set_ != nullptr && std::ssize(*guessed_set_) != problem.size())
    guessed_set_ = nullptr;
  const bool has_guess = guessed_set_ != nullptr || (settings.use_guess && z.allFinite());
  if (has_guess && StartFromGuess(z)) {
    // A path that is longer than those from scratch usually are is given up.
    const End end = FollowPath(0, std::min(max_pivots_, size_ + 20));
    const ComplementarityStatus status = Finish(end, z);
    if (status == ComplementarityStatus::kSolved) {
      (stats->pivots == 0 ? stats->guess_held : stats->guess_led) = true;
      return {status, best_};
    }
  }

  const ComplementarityStatus status = SolveCold(z);
  if (std::isinf(best_)) {
    // No point has been met: the bounds' ends, and zeros.
    for (int i = 0; i < problem.size(); ++i) {
      z[i] = std::min(std::max(0.0, problem.lower[i]), problem.upper[i]);
    }
    best_ = CalcComplementarityResidual(problem, z, Eigen::Map<VecX>(w_.data(), z.size()));
  }
  return {status, best_};
}

ComplementarityStatus Lemke::SolveCold(Eigen::Ref<VecX> z) {
  ComplementarityStatus status = ComplementarityStatus::kFailed;
  for (int attempt = 0; attempt <= settings_->max_restarts; ++attempt) {
    switch (StartCold()) {
      case Start::kReady:
        break;
      case Start::kContradiction:
        return ComplementarityStatus::kInfeasible;
      case Start::kSingular:
        return ComplementarityStatus::kFailed;
    }
    if (attempt > 0) ++stats_->restarts;
    if (attempt == 1 && !Flip() && StartCold() != Start::kReady) return status;
    status = Finish(FollowPath(attempt, max_pivots_), z);
    if (status == ComplementarityStatus::kSolved) break;
    if (status == ComplementarityStatus::kInfeasible) break;
    if (stats_->pivots >= max_pivots_ || settings_->deadline.HasPassed()) break;
  }
  return status;
}

// ---------------------------------------------------------------------------- bases to start from

bool Lemke::StartFromGuess(const Eigen::Ref<const VecX>& z) {
  for (int round = 0; round < 2; ++round) {
    size_ = reduced_.size();
    basic_.resize(size_);
    for (int p = 0; p < size_; ++p) basic_[p] = IsGuessedBasic(p, z) ? size_ + p : p;
    if (FactorBasis()) return true;
    if (knows_free_ || StartCold() != Start::kReady) return false;
  }
  return false;
}

bool Lemke::IsGuessedBasic(int p, const Eigen::Ref<const VecX>& z) const {
  const BoxAsLcp::Pair& pair = reduced_.pair(p);
  const int i = pair.variable;
  if (pair.kind == BoxAsLcp::Kind::kFree) return true;
  if (guessed_set_ != nullptr) return ((*guessed_set_)[i] & (IsSecond(p) ? 2 : 1)) != 0;
  const double lower = problem_->lower[i], upper = problem_->upper[i];
  if (pair.kind == BoxAsLcp::Kind::kBound) return z[i] >= upper;
  const double end = lower != -kInfinity ? lower : upper != kInfinity ? upper : 0;
  return pair.sign * (z[i] - end) > 0;
}

// Of two pairs of a variable: an upper bound, or the negative part of a split one.
bool Lemke::IsSecond(int p) const {
  const BoxAsLcp::Pair& pair = reduced_.pair(p);
  return pair.kind == BoxAsLcp::Kind::kBound ||
         (pair.sign < 0 && problem_->upper[pair.variable] == kInfinity);
}

void Lemke::KeepSet() {
  set_.assign(problem_->size(), 0);
  for (int i = 0; i < size_; ++i) {
    const int p = basic_[i] - size_;
    if (p >= 0 && p < size_) set_[reduced_.pair(p).variable] |= IsSecond(p) ? 2 : 1;
  }
}

Lemke::Start Lemke::StartCold() {
  for (;;) {
    size_ = reduced_.size();
    basic_.resize(size_);
    for (int p = 0; p < size_; ++p) {
      const bool is_free = reduced_.pair(p).kind == BoxAsLcp::Kind::kFree;
      basic_[p] = is_free ? size_ + p : p;
    }
    const bool is_regular = FactorBasis();
    if (is_regular || knows_free_) {
      knows_free_ = true;
      return is_regular ? Start::kReady : Start::kSingular;
    }
    knows_free_ = true;
    if (!elimination_.Analyze(*problem_, reduced_, &ray_)) return Start::kContradiction;
    stats_->split = static_cast<int>(elimination_.columns().size());
    reduced_.SplitFree(elimination_.columns(), elimination_.rows(), elimination_.signs());
  }
}

// From the basis at hand to that with the other member of every pair that has the wrong sign. Some
// problems (games of two players among them) have rays on all paths from the usual basis.
bool Lemke::Flip() {
  for (int i = 0; i < size_; ++i) {
    if (restricted_[i] && x_[i] < 0) basic_[i] = Complement(basic_[i]);
  }
  return FactorBasis();
}

// Factors the basis anew and works out what it solves. Columns of the identity go to their own
// positions, the others to those that are left.
bool Lemke::FactorBasis() {
  is_unit_.assign(size_, 0);
  for (const int variable : basic_) {
    if (variable < size_) is_unit_[variable] = 1;
  }
  dense_.clear();
  positions_.clear();
  for (int i = 0; i < size_; ++i) {
    if (basic_[i] >= size_) dense_.push_back(basic_[i]);
    if (!is_unit_[i]) positions_.push_back(i);
  }
  for (int i = 0; i < size_; ++i) basic_[i] = i;
  alpha_.resize(size_);
  factor_.Begin(size_, positions_);
  for (int k = 0; k < static_cast<int>(dense_.size()); ++k) {
    basic_[positions_[k]] = dense_[k];
    CalcColumn(dense_[k], alpha_.data());
    factor_.SetColumn(k, alpha_.data());
  }
  ++stats_->factors;
  if (!(factor_.Factor() > (knows_free_ ? kSingularBasis : kSingularFree))) return false;
  restricted_.resize(size_);
  for (int i = 0; i < size_; ++i) restricted_[i] = IsRestricted(basic_[i]);
  x_ = reduced_.q();
  factor_.Solve(x_.data());
  return true;
}

void Lemke::CalcColumn(int variable, double* out) const {
  if (variable == 2 * size_) {
    for (int i = 0; i < size_; ++i) out[i] = -d_[i];
  } else if (variable >= size_) {
    reduced_.CalcColumn(variable - size_, -1, out);
  } else {
    std::fill_n(out, size_, 0.0);
    out[variable] = 1;
  }
}

// out ← B x.
void Lemke::MultiplyBasis(const std::vector<double>& x, std::vector<double>* out) {
  out->assign(size_, 0.0);
  for (int i = 0; i < size_; ++i) {
    if (basic_[i] < size_) {
      (*out)[basic_[i]] += x[i];
    } else if (x[i] != 0) {
      CalcColumn(basic_[i], alpha_.data());
      for (int r = 0; r < size_; ++r) (*out)[r] += x[i] * alpha_[r];
    }
  }
}

// ---------------------------------------------------------------------------------------- the end

ComplementarityStatus Lemke::Finish(End end, Eigen::Ref<VecX> z) {
  if (end == End::kSingular) return ComplementarityStatus::kFailed;
  double residual = JudgeBasis(z);
  if (end == End::kSolution && residual > kRefined) {
    // The same set, solved as well as can be: with a fresh factor, and refined.
    if (!FactorBasis()) return ComplementarityStatus::kFailed;
    residual = JudgeBasis(z);
    for (int k = 0; k < kRefinements && residual > kRefined; ++k) {
      Refine();
      residual = std::min(residual, JudgeBasis(z));
    }
  }
  // Whatever the path came to, a point that solves the problem is a solution: near degeneracy, the
  // rest of the path may be made of rounding errors.
  if (residual <= settings_->tolerance) {
    KeepSet();
    return ComplementarityStatus::kSolved;
  }
  if (end == End::kSolution) return ComplementarityStatus::kInaccurate;
  if (end == End::kLimit) return ComplementarityStatus::kIterationLimit;
  const Eigen::Map<const VecX> y(ray_.data(), problem_->size());
  return IsInfeasible(*problem_, y) ? ComplementarityStatus::kInfeasible
                                    : ComplementarityStatus::kRay;
}

// The residual of x_; z becomes its point if that is the best one.
double Lemke::JudgeBasis(Eigen::Ref<VecX> z) {
  zeta_.assign(size_, 0.0);
  for (int i = 0; i < size_; ++i) {
    const int p = basic_[i] - size_;
    if (p >= 0 && p < size_) zeta_[p] = restricted_[i] ? std::max(x_[i], 0.0) : x_[i];
  }
  Eigen::Map<VecX> point(z_.data(), problem_->size());
  reduced_.CalcZ(zeta_.data(), point);
  const double residual =
      CalcComplementarityResidual(*problem_, point, Eigen::Map<VecX>(w_.data(), problem_->size()));
  if (residual < best_) {
    best_ = residual;
    z = point;
  }
  return residual;
}

void Lemke::Refine() {
  MultiplyBasis(x_, &scratch_);
  for (int i = 0; i < size_; ++i) scratch_[i] = reduced_.q()[i] - scratch_[i];
  factor_.Solve(scratch_.data());
  for (int i = 0; i < size_; ++i) x_[i] += scratch_[i];
}

}  // namespace voigt
