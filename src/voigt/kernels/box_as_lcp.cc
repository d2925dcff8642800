#include "voigt/kernels/box_as_lcp.h"

#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

// Diagonal entries below this, relative to the largest, say nothing.
constexpr double kKnownDiagonal = 1e-10;

// The power of two next to 1/x below, or 1.
double InversePower(double x) { return x > 0 ? std::ldexp(1, -std::ilogb(x)) : 1; }

}  // namespace

void BoxAsLcp::CalcScales() {
  const int size = problem_->size();
  scales_.assign(size, 1.0);
  row_scales_.assign(size, 1.0);
  is_known_.assign(size, 0);
  double largest = 0;
  for (int i = 0; i < size; ++i) largest = std::max(largest, problem_->N(i, i));
  bool any = false;
  for (int i = 0; i < size; ++i) {
    if (!(problem_->N(i, i) > kKnownDiagonal * largest)) continue;
    scales_[i] = row_scales_[i] = InversePower(std::sqrt(problem_->N(i, i)));
    is_known_[i] = 1;
    any = true;
  }
  // The others, by the entries that they share with those; by all where there are none.
  for (int j = 0; j < size; ++j) {
    if (is_known_[j]) continue;
    double column = 0;
    for (int i = 0; i < size; ++i) {
      if (is_known_[i] || !any)
        column = std::max(column, row_scales_[i] * std::abs(problem_->N(i, j)));
    }
    scales_[j] = InversePower(column);
  }
  for (int i = 0; i < size; ++i) {
    if (is_known_[i]) continue;
    double row = 0;
    for (int j = 0; j < size; ++j) {
      if (is_known_[j] || !any) row = std::max(row, scales_[j] * std::abs(problem_->N(i, j)));
    }
    row_scales_[i] = InversePower(row);
  }
}

void BoxAsLcp::Prepare(const ComplementarityProblem& problem) {
  problem_ = &problem;
  CalcScales();
  pairs_.clear();
  base_.resize(problem.size());
  for (int i = 0; i < problem.size(); ++i) {
    const double lower = problem.lower[i], upper = problem.upper[i];
    const bool has_lower = lower != -kInfinity, has_upper = upper != kInfinity;
    base_[i] = has_lower ? lower : has_upper ? upper : 0;
    if (lower == upper) continue;
    Pair pair;
    pair.variable = pair.row = i;
    pair.sign = scales_[i];
    pair.row_sign = row_scales_[i];
    if (!has_lower && !has_upper) pair.kind = Kind::kFree;
    if (!has_lower && has_upper) {
      pair.sign = -pair.sign;
      pair.row_sign = -pair.row_sign;
    }
    if (has_lower && has_upper) {
      pair.partner = size() + 1;
      pairs_.push_back(pair);
      pair.kind = Kind::kBound;
      pair.partner = size() - 1;
      pair.sign = 1;
      pair.row_sign = 1 / scales_[i];
    }
    pairs_.push_back(pair);
  }
  CalcQ();
}

void BoxAsLcp::SplitFree(const std::vector<int>& columns, const std::vector<int>& rows,
                         const std::vector<double>& signs) {
  // Rows of the free pairs that stay.
  rows_.clear();
  for (int p = 0; p < size(); ++p) {
    if (pairs_[p].kind != Kind::kFree) continue;
    if (std::find(rows.begin(), rows.end(), p) == rows.end()) rows_.push_back(pairs_[p].row);
  }
  kept_.clear();
  int next_row = 0;
  place_.assign(size(), -1);
  for (int p = 0; p < size(); ++p) {
    const bool is_free = pairs_[p].kind == Kind::kFree;
    if (is_free && std::find(columns.begin(), columns.end(), p) != columns.end()) continue;
    place_[p] = static_cast<int>(kept_.size());
    kept_.push_back(pairs_[p]);
    if (!is_free) continue;
    kept_.back().row = rows_[next_row++];
    kept_.back().row_sign = row_scales_[kept_.back().row];
  }
  for (Pair& pair : kept_) {
    if (pair.partner >= 0) pair.partner = place_[pair.partner];
  }
  for (size_t k = 0; k < columns.size(); ++k) {
    Pair pair;
    pair.variable = pairs_[columns[k]].variable;
    pair.row = pairs_[rows[k]].row;
    pair.sign = scales_[pair.variable];
    pair.row_sign = signs[k] * row_scales_[pair.row];
    kept_.push_back(pair);
    pair.sign = -pair.sign;
    pair.row_sign = -pair.row_sign;
    kept_.push_back(pair);
  }
  pairs_.swap(kept_);
  CalcQ();
}

void BoxAsLcp::CalcQ() {
  w_.assign(problem_->q.data(), problem_->q.data() + problem_->size());
  Eigen::Map<VecX> w(w_.data(), problem_->size());
  for (int i = 0; i < problem_->size(); ++i) {
    if (base_[i] != 0) w += base_[i] * problem_->N.col(i);
  }
  q_.resize(size());
  is_direct_ = size() == problem_->size();
  row_signs_.resize(size());
  for (int p = 0; p < size(); ++p) {
    const Pair& pair = pairs_[p];
    if (pair.kind == Kind::kBound) {
      q_[p] = pair.row_sign * (problem_->upper[pair.variable] - problem_->lower[pair.variable]);
    } else {
      q_[p] = pair.row_sign * w_[pair.row];
    }
    row_signs_[p] = pair.row_sign;
    is_direct_ &= pair.kind != Kind::kBound && pair.row == p && pair.variable == p;
  }
}

void BoxAsLcp::CalcColumn(int p, double factor, double* out) const {
  const Pair& column = pairs_[p];
  const double* entries = problem_->N.col(column.variable).data();
  if (column.kind == Kind::kBound) {
    std::fill_n(out, size(), 0.0);
    out[column.partner] = factor;
    return;
  }
  factor *= column.sign;
  if (is_direct_) {
    const double* signs = row_signs_.data();
    for (int r = 0; r < size(); ++r) out[r] = factor * signs[r] * entries[r];
    return;
  }
  for (int r = 0; r < size(); ++r) {
    const Pair& row = pairs_[r];
    out[r] = row.kind == Kind::kBound ? 0 : factor * row.row_sign * entries[row.row];
  }
  if (column.partner >= 0) out[column.partner] = -factor * row_signs_[column.partner];
}

void BoxAsLcp::CalcZ(const double* zeta, Eigen::Ref<VecX> z) const {
  CalcDirection(zeta, z);
  for (int i = 0; i < problem_->size(); ++i) {
    // Never outside by a rounding.
    z[i] = std::min(std::max(base_[i] + z[i], problem_->lower[i]), problem_->upper[i]);
  }
}

void BoxAsLcp::CalcDirection(const double* zeta, Eigen::Ref<VecX> dz) const {
  dz.setZero();
  for (int p = 0; p < size(); ++p) {
    const Pair& pair = pairs_[p];
    if (pair.kind != Kind::kBound) dz[pair.variable] += pair.sign * zeta[p];
  }
}

}  // namespace voigt
