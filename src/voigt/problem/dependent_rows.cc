#include "voigt/problem/dependent_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace voigt {
namespace {

// How far G may turn per radian of the way back: about 1, but up to 1/√kWidestRange where a row
// hardly moves anything (Bennett's linkage, folded); and a direction that is missed stops the
// mechanism.
constexpr double kTurn = 1000;
constexpr double kRounding = 1e-12;
// Beyond this a row is weak, not dependent: light parts on long levers are like that.
constexpr double kLargest = 1e-4;
// A row that hardly moves anything is rounding.
constexpr double kMoves = 1e-24;
constexpr double kWidestRange = 1e-4;
// Larger sets take too long.
constexpr int kMostRows = 400;

bool IsRigid(const Row& row) { return row.R == 0 && row.c == 0; }

// Columns orthonormal in the metric ρ, by Gram–Schmidt, twice.
void Orthonormalize(const VecX& rho, MatX* N) {
  for (int j = 0; j < N->cols(); ++j) {
    for (int pass = 0; pass < 2; ++pass) {
      for (int i = 0; i < j; ++i) {
        const double dot = (N->col(i).array() * rho.array() * N->col(j).array()).sum();
        N->col(j) -= dot * N->col(i);
      }
      N->col(j) /= std::sqrt((rho.array() * N->col(j).array().square()).sum());
    }
  }
}

}  // namespace

int DependentRows::RootOf(int tree) {
  while (tree_parent_[tree] != tree) {
    tree_parent_[tree] = tree_parent_[tree_parent_[tree]];
    tree = tree_parent_[tree];
  }
  return tree;
}

void DependentRows::CollectSets(const VelocityProblem& problem, std::span<const int> groups) {
  const TreePattern& pattern = *problem.pattern;
  const auto takes_part = [&](const RowGroup& group) {
    return group.law == Law::kBilateral && group.force_law.is_linear() && group.col_count > 0;
  };

  // Trees that are joined by groups; each is known by its root's number.
  tree_parent_.resize(problem.nv());
  set_of_tree_.assign(problem.nv(), -1);
  group_of_row_.resize(problem.row_count());
  for (int k = 0; k < problem.nv(); ++k) tree_parent_[k] = k;
  for (int g : groups) {
    const RowGroup& group = problem.groups[g];
    if (!takes_part(group)) continue;
    const auto cols = problem.cols_of(group);
    const int first = RootOf(pattern.path(cols[0])[0]);
    for (int dof : cols) tree_parent_[RootOf(pattern.path(dof)[0])] = first;
  }

  sets_used_ = 0;
  for (int g : groups) {
    const RowGroup& group = problem.groups[g];
    if (!takes_part(group)) continue;
    int& set = set_of_tree_[RootOf(pattern.path(problem.cols_of(group)[0])[0])];
    for (int i = group.first_row; i < group.first_row + group.row_count; ++i) {
      if (!IsRigid(problem.rows[i]) || w_[i] == 0) continue;
      if (set < 0) {
        set = sets_used_++;
        if (static_cast<int>(sets_.size()) < sets_used_) sets_.emplace_back();
        sets_[set].rows.clear();
      }
      sets_[set].rows.push_back(i);
      group_of_row_[i] = g;
    }
  }
}

// δq = M⁻¹ Gᵀ w⁻¹ φ.
double DependentRows::CalcTolerance(const VelocityProblem& problem, const Set& set) {
  x_.setZero(problem.nv());
  for (int i : set.rows) {
    const RowGroup& group = problem.groups[group_of_row_[i]];
    const auto cols = problem.cols_of(group);
    const double* const G_i = problem.entries(group, i - group.first_row);
    const double impulse = problem.rows[i].phi / std::max(w_[i], kWidestRange * set.w_max);
    for (int k = 0; k < group.col_count; ++k) x_[cols[k]] += G_i[k] * impulse;
  }
  problem.factor->Solve(*problem.pattern, x_);
  return std::clamp(kTurn * x_.lpNorm<Eigen::Infinity>(), kRounding, kLargest);
}

// Column by column D^{−1/2} L⁻ᵀ Gᵢᵀ, M = Lᵀ D L, which differs from zero in the trees of the set.
void DependentRows::FillMatrix(const VelocityProblem& problem, Set* set) {
  const TreePattern& pattern = *problem.pattern;
  const TreeFactor& factor = *problem.factor;
  const int set_index = static_cast<int>(set - sets_.data());
  local_.clear();
  for (int k = 0; k < problem.nv(); ++k) {
    if (set_of_tree_[RootOf(pattern.path(k)[0])] == set_index) local_.push_back(k);
  }
  set->A.resize(static_cast<int>(local_.size()), static_cast<int>(set->rows.size()));
  for (size_t j = 0; j < set->rows.size(); ++j) {
    const int row = set->rows[j];
    const RowGroup& group = problem.groups[group_of_row_[row]];
    const auto cols = problem.cols_of(group);
    const double* const G_i = problem.entries(group, row - group.first_row);
    x_.setZero(problem.nv());
    for (int k = 0; k < group.col_count; ++k) x_[cols[k]] += G_i[k];
    factor.SolveLTransposed(pattern, x_.data());
    const double w = std::max(w_[row], kWidestRange * set->w_max);
    for (size_t k = 0; k < local_.size(); ++k) {
      const int dof = local_[k];
      set->A(k, j) = x_[dof] * std::sqrt(factor.D_inverse()[dof] / w);
    }
  }
}

// A P = Q R by Gram–Schmidt with pivoting, up to columns no longer than the tolerance; the number
// of those before.
int DependentRows::Factor(Set* set) {
  MatX &A = set->A, &R = set->R;
  const int rows = static_cast<int>(A.cols());
  R.setZero(rows, rows);
  set->order.resize(rows);
  std::iota(set->order.begin(), set->order.end(), 0);
  for (int k = 0; k < rows; ++k) {
    int pivot = k;
    double largest = -1;
    for (int j = k; j < rows; ++j) {
      const double length = A.col(j).squaredNorm();
      if (length > largest) largest = length, pivot = j;
    }
    if (!(std::sqrt(largest) > set->tolerance)) return k;
    A.col(k).swap(A.col(pivot));
    R.col(k).swap(R.col(pivot));
    std::swap(set->order[k], set->order[pivot]);

    R(k, k) = std::sqrt(largest);
    A.col(k) /= R(k, k);
    for (int j = k + 1; j < rows; ++j) {
      for (int pass = 0; pass < 2; ++pass) {
        const double dot = A.col(k).dot(A.col(j));
        R(k, j) += dot;
        A.col(j) -= dot * A.col(k);
      }
    }
  }
  return rows;
}

// With A P = Q [R₁ R₂; 0 ≈0]:  A P [−R₁⁻¹ R₂; 1] ≈ 0.
void DependentRows::FindDirections(Set* set) const {
  const int rows = static_cast<int>(set->rows.size()), rank = Factor(set);
  set->directions = rows - rank;
  if (set->directions == 0) return;

  set->rho.resize(rows);
  for (int j = 0; j < rows; ++j) {
    set->rho[j] = std::min(set->w_max, w_[set->rows[j]] / kWidestRange);
  }

  const MatX& R = set->R;
  const std::vector<int>& order = set->order;
  set->N.setZero(rows, set->directions);
  for (int c = 0; c < set->directions; ++c) {
    auto column = set->N.col(c);
    for (int i = rank - 1; i >= 0; --i) {
      double sum = R(i, rank + c);
      for (int k = i + 1; k < rank; ++k) sum += R(i, k) * column[order[k]];
      column[order[i]] = -sum / R(i, i);
    }
    column[order[rank + c]] = 1;
  }
  for (int j = 0; j < rows; ++j) {
    set->N.row(j) /= std::sqrt(std::max(w_[set->rows[j]], kWidestRange * set->w_max));
  }
  Orthonormalize(set->rho, &set->N);
}

int DependentRows::Find(const VelocityProblem& problem, std::span<const int> groups) {
  CalcRowInertia(problem, &scratch_, &w_);
  const double smallest = kMoves * (w_.size() > 0 ? w_.maxCoeff() : 0);
  for (double& w : w_) {
    if (w <= smallest) w = 0;
  }
  CollectSets(problem, groups);
  count_ = 0;
  for (int s = 0; s < sets_used_; ++s) {
    Set& set = sets_[s];
    set.directions = 0;
    if (static_cast<int>(set.rows.size()) > kMostRows) continue;
    set.w_max = 0;
    for (int i : set.rows) set.w_max = std::max(set.w_max, w_[i]);
    set.tolerance = CalcTolerance(problem, set);
    FillMatrix(problem, &set);
    FindDirections(&set);
    count_ += set.directions;
  }
  return count_;
}

void DependentRows::RemoveFrom(VecX* gamma) const {
  for (int s = 0; s < sets_used_; ++s) {
    const Set& set = sets_[s];
    for (int c = 0; c < set.directions; ++c) {
      double dot = 0;
      for (size_t j = 0; j < set.rows.size(); ++j) {
        dot += set.N(j, c) * set.rho[j] * (*gamma)[set.rows[j]];
      }
      for (size_t j = 0; j < set.rows.size(); ++j) (*gamma)[set.rows[j]] -= dot * set.N(j, c);
    }
  }
}

void DependentRows::CalcContradiction(const VecX& u, VecX* part) const {
  ForEachRow([&](int row) { (*part)[row] = 0; });
  for (int s = 0; s < sets_used_; ++s) {
    const Set& set = sets_[s];
    for (int c = 0; c < set.directions; ++c) {
      double dot = 0;
      for (size_t j = 0; j < set.rows.size(); ++j) dot += set.N(j, c) * u[set.rows[j]];
      for (size_t j = 0; j < set.rows.size(); ++j) {
        (*part)[set.rows[j]] += set.rho[j] * set.N(j, c) * dot;
      }
    }
  }
}

bool DependentRows::IsExplained(const VecX& part, double velocity, double h) const {
  constexpr double kRoundingOfPositions = 1e-13;  // m
  for (int s = 0; s < sets_used_; ++s) {
    const Set& set = sets_[s];
    if (set.directions == 0) continue;
    for (int row : set.rows) {
      if (!(std::abs(part[row]) <= set.tolerance * velocity + kRoundingOfPositions / h)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace voigt
