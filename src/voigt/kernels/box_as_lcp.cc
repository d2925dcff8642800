#include "voigt/kernels/box_as_lcp.h"

#include <algorithm>

namespace voigt {

void BoxAsLcp::Prepare(const ComplementarityProblem& problem) {
  problem_ = &problem;
  pairs_.clear();
  base_.resize(problem.size());
  for (int i = 0; i < problem.size(); ++i) {
    const double lower = problem.lower[i], upper = problem.upper[i];
    const bool has_lower = lower != -kInfinity, has_upper = upper != kInfinity;
    base_[i] = has_lower ? lower : has_upper ? upper : 0;
    if (lower == upper) continue;
    Pair pair;
    pair.variable = pair.row = i;
    if (!has_lower && !has_upper) pair.kind = Kind::kFree;
    if (!has_lower && has_upper) pair.sign = pair.row_sign = -1;
    if (has_lower && has_upper) {
      pair.partner = size() + 1;
      pairs_.push_back(pair);
      pair.kind = Kind::kBound;
      pair.partner = size() - 1;
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
    if (is_free) kept_.back().row = rows_[next_row++];
  }
  for (Pair& pair : kept_) {
    if (pair.partner >= 0) pair.partner = place_[pair.partner];
  }
  for (size_t k = 0; k < columns.size(); ++k) {
    Pair pair;
    pair.variable = pairs_[columns[k]].variable;
    pair.row = pairs_[rows[k]].row;
    pair.row_sign = signs[k];
    kept_.push_back(pair);
    pair.sign = -1;
    pair.row_sign = -signs[k];
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
  is_plain_ = size() == problem_->size();
  for (int p = 0; p < size(); ++p) {
    const Pair& pair = pairs_[p];
    if (pair.kind == Kind::kBound) {
      q_[p] = problem_->upper[pair.variable] - problem_->lower[pair.variable];
    } else {
      q_[p] = pair.row_sign * w_[pair.row];
    }
    is_plain_ &= pair.kind != Kind::kBound && pair.sign == 1 && pair.row_sign == 1 &&
                 pair.row == p && pair.variable == p;
  }
}

void BoxAsLcp::CalcColumn(int p, double factor, double* out) const {
  const Pair& column = pairs_[p];
  const auto entries = problem_->N.col(column.variable);
  if (is_plain_) {
    Eigen::Map<VecX>(out, size()) = factor * entries;
    return;
  }
  if (column.kind == Kind::kBound) {
    std::fill_n(out, size(), 0.0);
    out[column.partner] = factor;
    return;
  }
  factor *= column.sign;
  for (int r = 0; r < size(); ++r) {
    const Pair& row = pairs_[r];
    out[r] = row.kind == Kind::kBound ? 0 : row.row_sign * factor * entries[row.row];
  }
  if (column.partner >= 0) out[column.partner] = -factor;
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
