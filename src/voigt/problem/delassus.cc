#include "voigt/problem/delassus.h"

#include <fmt/format.h>

#include <cmath>

#include "voigt/base/errors.h"

namespace voigt {
namespace {

void CheckSizes(const MatX& W, const VecX& q, int dimension, const VecX& mu) {
  ProblemList problems;
  const auto add = [&](std::string message) {
    problems.Add({}, "contact problem", std::move(message));
  };
  if (dimension < 1 || dimension > 3) {
    add(fmt::format("contacts have {} rows, expected 1, 2 or 3", dimension));
  }
  if (W.rows() != W.cols()) add(fmt::format("W is {} × {}, not square", W.rows(), W.cols()));
  if (dimension >= 1 && W.rows() != dimension * mu.size()) {
    add(fmt::format("W has {} rows, expected {} of each of {} contacts", W.rows(), dimension,
                    mu.size()));
  }
  if (q.size() != W.rows()) {
    add(fmt::format("q has {} entries, expected {} as W has rows", q.size(), W.rows()));
  }
  if (!W.allFinite() || !q.allFinite()) add("W and q must be finite");
  for (int i = 0; i < mu.size(); ++i) {
    if (!(mu[i] >= 0) || std::isinf(mu[i])) {
      add(fmt::format("the friction coefficient of contact {} is {}, expected a number ≥ 0", i,
                      mu[i]));
    }
  }
  problems.ThrowIfAny();
}

// The place of an entry of A that is larger than the limit, or nothing.
void ThrowIfLarger(const MatX& A, double limit, std::string_view what) {
  if (A.size() == 0) return;
  int i = 0, j = 0;
  const double largest = A.cwiseAbs().maxCoeff(&i, &j);
  if (largest <= limit) return;
  throw InputError({}, "contact problem",
                   fmt::format("W is not {}: off by {:.3g} at ({}, {}), expected at most {:.3g}",
                               what, largest, i, j, limit));
}

// G with W = G Gᵀ: Cholesky with the largest remaining pivot first, without the exchanges. Stops
// where only rounding is left.
MatX FactorWithPivoting(const MatX& W, double limit) {
  const int size = static_cast<int>(W.rows());
  MatX S = 0.5 * (W + W.transpose());
  MatX G(size, size);
  const double smallest =
      size * std::numeric_limits<double>::epsilon() * (size > 0 ? S.diagonal().maxCoeff() : 0);
  int rank = 0;
  for (; rank < size; ++rank) {
    int k = 0;
    const double pivot = S.diagonal().maxCoeff(&k);
    if (!(pivot > smallest)) break;
    G.col(rank) = S.col(k) / std::sqrt(pivot);
    S.noalias() -= G.col(rank) * G.col(rank).transpose();
    // Row k is done; rounding must not bring it back.
    S.row(k).setZero();
    S.col(k).setZero();
  }
  ThrowIfLarger(S, limit, "positive semi-definite");
  return G.leftCols(rank);
}

void AddContact(const MatX& G, const VecX& q, int first_row, int row_count, double mu,
                VelocityProblem* problem) {
  RowGroup group;
  group.law = Law::kContact;
  group.mu = mu;
  group.first_row = first_row;
  group.row_count = row_count;
  group.first_col = static_cast<int>(problem->cols.size());
  group.first_entry = static_cast<int>(problem->G.size());
  group.id = problem->groups.size();
  for (int j = 0; j < G.cols(); ++j) {
    if (!G.block(first_row, j, row_count, 1).isZero(0)) problem->cols.push_back(j);
  }
  group.col_count = static_cast<int>(problem->cols.size()) - group.first_col;
  for (int r = first_row; r < first_row + row_count; ++r) {
    for (int k = 0; k < group.col_count; ++k) {
      problem->G.push_back(G(r, problem->cols[group.first_col + k]));
    }
    Row row;
    row.phi_t = q[r];
    problem->rows.push_back(row);
  }
  problem->groups.push_back(group);
}

}  // namespace

OwnedProblem MakeProblemFromDelassus(const MatX& W, const VecX& q, int dimension, const VecX& mu,
                                     double tolerance) {
  CheckSizes(W, q, dimension, mu);
  const double limit = tolerance * (W.rows() > 0 ? W.diagonal().cwiseAbs().maxCoeff() : 0);
  ThrowIfLarger(W - W.transpose(), limit, "symmetric");
  const MatX G = FactorWithPivoting(W, limit);

  const int rank = static_cast<int>(G.cols());
  OwnedProblem out;
  out.pattern = TreePattern(std::vector<int>(rank, -1));
  out.M = VecX::Ones(rank);
  out.problem.h = 1;
  out.problem.v_star = VecX::Zero(rank);
  for (int i = 0; i < mu.size(); ++i) {
    AddContact(G, q, i * dimension, dimension, mu[i], &out.problem);
  }
  out.Attach();
  return out;
}

}  // namespace voigt
