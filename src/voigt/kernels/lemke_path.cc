#include <algorithm>
#include <cmath>
#include <cstdint>

#include "voigt/kernels/lemke.h"

// The path from a complementary basis to a solution or a ray.
namespace voigt {
namespace {

// Entries of the entering column below this, relative to its largest, are no pivots.
constexpr double kPivotTolerance = 1e-11;
// Ratios that differ by less than this, in terms of what the basic variables become relative to
// their largest, are ties.
constexpr double kTieTolerance = 1e-13;
// Entries of the point to start from that are below zero by less than this, relative to its
// largest, count as zero: those that a path has left at a tie may be.
constexpr double kSignTolerance = kTieTolerance;

// In [1, 2), the same for the same k: SplitMix64's scrambling [Steele, Lea & Flood 2014].
double GenericNumber(std::uint64_t k) {
  k = (k + 1) * 0x9E3779B97F4A7C15u;
  k = (k ^ (k >> 30)) * 0xBF58476D1CE4E5B9u;
  k = (k ^ (k >> 27)) * 0x94D049BB133111EBu;
  return 1 + static_cast<double>((k ^ (k >> 31)) >> 11) * 0x1p-53;
}

double LargestOf(const std::vector<double>& x) {
  double largest = 0;
  for (const double value : x) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

Lemke::End Lemke::FollowPath(int attempt, int max_pivots) {
  if (HasRightSigns()) return End::kSolution;
  SetLevels(attempt);
  // z₀ comes in as the worst variable goes out.
  const int z0 = 2 * size_;
  int leaving = FirstLeaving();
  int entering = Complement(basic_[leaving]);
  Pivot(leaving, z0);
  for (;;) {
    if (stats_->pivots >= max_pivots || settings_->deadline.HasPassed()) return End::kLimit;
    if (factor_.IsWorn()) {
      if (!FactorBasis()) return End::kSingular;
      x_p_ = p_;
      factor_.Solve(x_p_.data());
      for (int i = 0; i < size_; ++i) {
        if (restricted_[i] && x_[i] < 0) x_[i] = 0;
      }
    }
    CalcColumn(entering, alpha_.data());
    factor_.Solve(alpha_.data());
    leaving = FindLeaving();
    if (leaving < 0) {
      KeepRay(entering);
      return End::kRay;
    }
    const int gone = basic_[leaving];
    Pivot(leaving, entering);
    if (gone == z0) return End::kSolution;
    entering = Complement(gone);
  }
}

// d and p of the path, which are given by positions of the basis that it starts from; alpha_ is
// then the column of z₀.
void Lemke::SetLevels(int attempt) {
  start_ = basic_;
  x_p_.resize(size_);
  scratch_.resize(size_);
  for (int i = 0; i < size_; ++i) {
    x_p_[i] = restricted_[i] ? GenericNumber(i) : 0;
    scratch_[i] = Covering(i, attempt);
  }
  MultiplyBasis(x_p_, &p_);
  MultiplyBasis(scratch_, &d_);
  for (int i = 0; i < size_; ++i) alpha_[i] = -scratch_[i];
}

double Lemke::Covering(int position, int attempt) const {
  if (!restricted_[position]) return 0;
  if (attempt > 0) {
    // From one attempt to the next, entries differ more: up to 8, 64, …
    const double generic = GenericNumber(static_cast<std::uint64_t>(attempt) * 1000003 + position);
    return std::exp2(3 * attempt * (generic - 1));
  }
  if (settings_->covering == nullptr) return 1;
  const int variable = basic_[position];
  const int p = variable < size_ ? variable : variable - size_;
  const BoxAsLcp::Pair& pair = reduced_.pair(p);
  return (*settings_->covering)[pair.variable] * std::abs(pair.row_sign);
}

bool Lemke::HasRightSigns() const {
  const double least = -kSignTolerance * LargestOf(x_);
  for (int i = 0; i < size_; ++i) {
    if (restricted_[i] && x_[i] < least) return false;
  }
  return true;
}

// The lexicographically smallest (x, p, e_i)/d: where both ratios are equal, the last.
int Lemke::FirstLeaving() const {
  int leaving = -1;
  double ratio = 0, ratio_p = 0;
  for (int i = 0; i < size_; ++i) {
    if (!restricted_[i]) continue;
    const double r = -x_[i] / alpha_[i], r_p = -x_p_[i] / alpha_[i];
    if (leaving >= 0 && (r > ratio || (r == ratio && r_p > ratio_p))) continue;
    leaving = i;
    ratio = r;
    ratio_p = r_p;
  }
  return leaving;
}

// −1: none.
int Lemke::FindLeaving() {
  double largest = 0;
  for (int i = 0; i < size_; ++i) {
    if (restricted_[i]) largest = std::max(largest, alpha_[i]);
  }
  const double least = kPivotTolerance * LargestOf(alpha_);
  if (largest <= least) return -1;
  double ratio = kInfinity, x_max = 0;
  for (int i = 0; i < size_; ++i) {
    if (!restricted_[i]) continue;
    x_max = std::max(x_max, x_[i]);
    if (alpha_[i] > least) ratio = std::min(ratio, x_[i] / alpha_[i]);
  }
  const double slack = kTieTolerance * x_max;
  ties_.clear();
  for (int i = 0; i < size_; ++i) {
    if (!restricted_[i] || alpha_[i] <= least || x_[i] - ratio * alpha_[i] > slack) continue;
    if (basic_[i] == 2 * size_) return i;  // the end of the path, which no tie may put off
    ties_.push_back(i);
  }
  return ties_.size() == 1 ? ties_[0] : BreakTies();
}

// Among the ties, those whose entry of `level` over that of the entering column is least.
void Lemke::KeepLowestTies(const double* level, double tolerance) {
  double ratio = kInfinity, largest = 0;
  for (const int i : ties_) {
    ratio = std::min(ratio, level[i] / alpha_[i]);
    largest = std::max(largest, std::abs(level[i]));
  }
  const double slack = tolerance * largest;
  std::erase_if(ties_, [&](int i) { return level[i] - ratio * alpha_[i] > slack; });
}

int Lemke::BreakTies() {
  ++stats_->ties;
  KeepLowestTies(x_p_.data(), kTieTolerance);
  // The columns of B⁻¹B₀, one after the other. The columns of free variables are left out.
  for (int j = 0; j < size_ && ties_.size() > 1; ++j) {
    if (!IsRestricted(start_[j])) continue;
    CalcColumn(start_[j], scratch_.data());
    factor_.Solve(scratch_.data());
    KeepLowestTies(scratch_.data(), kTieTolerance);
  }
  // Equal to rounding: the largest pivot.
  return *std::max_element(ties_.begin(), ties_.end(),
                           [&](int i, int j) { return alpha_[i] < alpha_[j]; });
}

void Lemke::Pivot(int position, int entering) {
  const double step = x_[position] / alpha_[position];
  const double step_p = x_p_[position] / alpha_[position];
  for (int i = 0; i < size_; ++i) {
    x_[i] -= step * alpha_[i];
    x_p_[i] -= step_p * alpha_[i];
    // Below zero by rounding, or by a tie.
    if (restricted_[i] && x_[i] < 0) x_[i] = 0;
  }
  x_[position] = std::max(step, 0.0);
  x_p_[position] = step_p;
  factor_.Exchange(position, alpha_.data());
  basic_[position] = entering;
  restricted_[position] = 1;
  ++stats_->pivots;
}

void Lemke::KeepRay(int entering) {
  zeta_.assign(size_, 0.0);
  if (entering >= size_) zeta_[entering - size_] = 1;
  for (int i = 0; i < size_; ++i) {
    const int variable = basic_[i];
    if (variable >= size_ && variable < 2 * size_) zeta_[variable - size_] = -alpha_[i];
  }
  reduced_.CalcDirection(zeta_.data(), Eigen::Map<VecX>(ray_.data(), problem_->size()));
}

}  // namespace voigt
