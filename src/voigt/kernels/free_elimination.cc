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
  columns_.clear();
  rows_.clear();
  for (int p = 0; p < reduced.size(); ++p) {
    if (reduced.pair(p).kind != BoxAsLcp::Kind::kFree) continue;
    free_.push_back(p);
    variables_.push_back(reduced.pair(p).variable);
  }
  if (free_.empty()) return true;
  block_ = problem.N(variables_, variables_);
  lu_.setThreshold(kFreeRankTolerance);
  lu_.compute(block_);
  const int size = static_cast<int>(free_.size()), rank = static_cast<int>(lu_.rank());
  if (rank == size) return true;
  if (FindContradiction(problem, y)) return false;

  const auto& row_of = lu_.permutationP().indices();
  const auto& column_of = lu_.permutationQ().indices();
  for (int i = 0; i < size; ++i) {
    if (row_of[i] >= rank) rows_.push_back(free_[i]);
  }
  columns_ = rows_;
  if (!IsRegular(rows_)) {
    columns_.clear();
    for (int k = rank; k < size; ++k) columns_.push_back(free_[column_of[k]]);
    std::sort(columns_.begin(), columns_.end());
  }
  return true;
}

// Whether N without the excluded rows and columns is.
bool FreeElimination::IsRegular(const std::vector<int>& excluded) {
  kept_.clear();
  for (int i = 0; i < static_cast<int>(free_.size()); ++i) {
    if (!std::binary_search(excluded.begin(), excluded.end(), free_[i])) kept_.push_back(i);
  }
  if (kept_.empty()) return true;
  part_ = block_(kept_, kept_);
  principal_.compute(part_);
  return principal_.matrixLU().diagonal().cwiseAbs().minCoeff() >
         kFreeRankTolerance * part_.cwiseAbs().maxCoeff();
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
      if (place[i] < rank) proof[variables_[i]] = -multipliers_[place[i]];
      if (place[i] == k) proof[variables_[i]] = 1;
    }
    if (problem.q.dot(proof) > 0) proof = -proof;
    if (IsInfeasible(problem, proof)) return true;
  }
  return false;
}

}  // namespace voigt
