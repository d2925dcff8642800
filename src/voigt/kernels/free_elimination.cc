#include "voigt/kernels/free_elimination.h"

#include <algorithm>

namespace voigt {
namespace {

// Pivots below this, relative to the largest, count as zero. Splitting a variable that could have
// been eliminated costs time; eliminating one that should not be costs digits.
constexpr double kFreeRankTolerance = 1e-10;

}  // namespace

bool FreeElimination::Analyze(const ComplementarityProblem& problem, const BoxAsLcp& reduced,
                              std::vector<double>* y) {
  free_.clear();
  variables_.clear();
  scales_.clear();
  row_scales_.clear();
  columns_.clear();
  rows_.clear();
  for (int p = 0; p < reduced.size(); ++p) {
    if (reduced.pair(p).kind != BoxAsLcp::Kind::kFree) continue;
    free_.push_back(p);
    variables_.push_back(reduced.pair(p).variable);
    scales_.push_back(reduced.pair(p).sign);
    row_scales_.push_back(reduced.pair(p).row_sign);
  }
  if (free_.empty()) return true;
  block_ = problem.N(variables_, variables_);
  const int size = static_cast<int>(free_.size());
  for (int i = 0; i < size; ++i) {
    block_.row(i) *= row_scales_[i];
    block_.col(i) *= scales_[i];
  }
  lu_.setThreshold(kFreeRankTolerance);
  lu_.compute(block_);
  const int rank = static_cast<int>(lu_.rank());
  if (rank == size) return true;
  if (FindContradiction(problem, y)) return false;

  const auto& row_of = lu_.permutationP().indices();
  const auto& column_of = lu_.permutationQ().indices();
  for (int i = 0; i < size; ++i) {
    if (row_of[i] >= rank) rows_.push_back(free_[i]);
  }
  columns_ = rows_;
  ListKept(rows_, &kept_rows_);
  kept_columns_ = kept_rows_;
  if (!FactorKept()) {
    columns_.clear();
    for (int k = rank; k < size; ++k) columns_.push_back(free_[column_of[k]]);
    std::sort(columns_.begin(), columns_.end());
    ListKept(columns_, &kept_columns_);
    FactorKept();
  }
  ChooseSigns(problem);
  return true;
}

void FreeElimination::ListKept(const std::vector<int>& split, std::vector<int>* kept) const {
  kept->clear();
  for (int i = 0; i < static_cast<int>(free_.size()); ++i) {
    if (!std::binary_search(split.begin(), split.end(), free_[i])) kept->push_back(i);
  }
}

// False if N_RC is singular.
bool FreeElimination::FactorKept() {
  if (kept_rows_.empty()) return true;
  kept_block_ = block_(kept_rows_, kept_columns_);
  kept_lu_.compute(kept_block_);
  return kept_lu_.matrixLU().diagonal().cwiseAbs().minCoeff() >
         kFreeRankTolerance * kept_block_.cwiseAbs().maxCoeff();
}

// What is left after elimination of row r and of column c of a split pair, on the other variables:
// its product is to be negative, as if one were minus the other.
void FreeElimination::ChooseSigns(const ComplementarityProblem& problem) {
  signs_.assign(columns_.size(), 1.0);
  const auto place = [&](int p) {
    return std::lower_bound(free_.begin(), free_.end(), p) - free_.begin();
  };
  const auto eliminate = [&](VecX* x) {  // x on R → its multiples on C
    if (!kept_rows_.empty()) *x = kept_lu_.solve(*x);
  };
  for (size_t k = 0; k < columns_.size(); ++k) {
    const int r = static_cast<int>(place(rows_[k])), c = static_cast<int>(place(columns_[k]));
    multipliers_ = block_(kept_rows_, c);
    eliminate(&multipliers_);
    column_ = scales_[c] * problem.N.col(variables_[c]);
    for (size_t j = 0; j < kept_columns_.size(); ++j) {
      const int kept = kept_columns_[j];
      column_ -= multipliers_[j] * scales_[kept] * problem.N.col(variables_[kept]);
    }
    for (const int variable : variables_) column_[variable] = 0;
    image_.noalias() = problem.N * column_;
    for (size_t j = 0; j < kept_rows_.size(); ++j) {
      const int kept = kept_rows_[j];
      multipliers_[j] = row_scales_[kept] * image_[variables_[kept]];
    }
    eliminate(&multipliers_);
    double product = row_scales_[r] * image_[variables_[r]];
    for (size_t j = 0; j < kept_columns_.size(); ++j) {
      product -= block_(r, kept_columns_[j]) * multipliers_[j];
    }
    if (product > 0) signs_[k] = -1;
  }
}

// Combinations that cancel in N_FF: with P N_FF Q = [L₁; L₂] U, the row k of the second kind less
// L₂ L₁⁻¹ of the first.
bool FreeElimination::FindContradiction(const ComplementarityProblem& problem,
                                        std::vector<double>* y) {
  const int size = static_cast<int>(free_.size()), rank = static_cast<int>(lu_.rank());
  const auto& place = lu_.permutationP().indices();  // of row i in P N_FF
  y->resize(problem.size());
  Eigen::Map<VecX> proof(y->data(), problem.size());
  for (int k = rank; k < size; ++k) {
    multipliers_ = lu_.matrixLU().row(k).head(rank).transpose();
    lu_.matrixLU()
        .topLeftCorner(rank, rank)
        .triangularView<Eigen::UnitLower>()
        .transpose()
        .solveInPlace(multipliers_);
    proof.setZero();
    for (int i = 0; i < size; ++i) {
      if (place[i] < rank) proof[variables_[i]] = -multipliers_[place[i]] * row_scales_[i];
      if (place[i] == k) proof[variables_[i]] = row_scales_[i];
    }
    if (problem.q.dot(proof) > 0) proof = -proof;
    if (IsInfeasible(problem, proof)) return true;
  }
  return false;
}

}  // namespace voigt
