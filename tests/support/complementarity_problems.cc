#include "tests/support/complementarity_problems.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace voigt::testing {

MatX ComplementarityMaker::Matrix(int rows, int cols) {
  MatX out(rows, cols);
  for (int j = 0; j < cols; ++j) {
    for (int i = 0; i < rows; ++i) out(i, j) = Real(-1, 1);
  }
  return out;
}

MatX ComplementarityMaker::Semidefinite(int size, int rank, double shift, double skew) {
  const MatX B = Matrix(size, rank);
  MatX N = B * B.transpose() + shift * MatX::Identity(size, size);
  if (skew != 0) {
    const MatX S = Matrix(size, size);
    N += skew * (S - S.transpose());
  }
  return N;
}

MatX ComplementarityMaker::PMatrix(int size) {
  MatX L = MatX::Zero(size, size);
  for (int j = 0; j < size; ++j) {
    L(j, j) = Real(0.5, 2);
    for (int i = j + 1; i < size; ++i) L(i, j) = Real(-2, 2) / std::sqrt(size);
  }
  std::vector<int> order(size);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random_);
  MatX N = L(order, order);
  for (int i = 0; i < size; ++i) {
    N.row(i) *= Real(0.5, 2);
    N.col(i) *= Real(0.5, 2);
  }
  return N;
}

OwnedComplementarity ComplementarityMaker::WithSolution(const MatX& N,
                                                        const std::vector<BoundKind>& kinds,
                                                        double degenerate) {
  const int size = static_cast<int>(N.rows());
  OwnedComplementarity out;
  out.N = N;
  out.lower = out.z = VecX::Zero(size);
  out.upper = VecX::Constant(size, kInfinity);
  VecX w = VecX::Zero(size);
  for (int i = 0; i < size; ++i) {
    const BoundKind kind = kinds[Index(static_cast<int>(kinds.size()))];
    const double middle = Real(-1, 1);
    out.z[i] = middle;
    out.lower[i] = -kInfinity;
    if (kind == BoundKind::kFree) continue;
    // Inside, or at one of the ends.
    const bool has_lower = kind != BoundKind::kUpper, has_upper = kind != BoundKind::kLower;
    if (has_lower) out.lower[i] = middle - Real(0.1, 1);
    if (has_upper) out.upper[i] = middle + Real(0.1, 1);
    if (Chance(0.5)) continue;
    const bool at_lower = has_lower && (!has_upper || Chance(0.5));
    out.z[i] = at_lower ? out.lower[i] : out.upper[i];
    if (!Chance(degenerate)) w[i] = (at_lower ? 1 : -1) * Real(0.1, 1);
  }
  out.q = w - N * out.z;
  return out;
}

OwnedComplementarity ComplementarityMaker::FrictionPyramid(int bodies, int contacts, int edges,
                                                           double mu) {
  const int dofs = 3 * bodies, rows = contacts * (1 + edges), size = rows + contacts;
  // Each contact has a normal and tangents, opposite ones in pairs, on two bodies or one.
  MatX D = MatX::Zero(rows, dofs), E = MatX::Zero(rows, contacts);
  for (int c = 0; c < contacts; ++c) {
    const int first = Index(bodies), second = Index(bodies + 1);
    for (int k = 0; k <= edges; ++k) {
      const int row = k == 0 ? c : contacts + c * edges + (k - 1);
      const int mirror = row - edges / 2;
      if (k > edges / 2) {
        D.row(row) = -D.row(mirror);
      } else {
        D.block(row, 3 * first, 1, 3) = Matrix(1, 3);
        if (second < bodies && second != first) D.block(row, 3 * second, 1, 3) = Matrix(1, 3);
      }
      if (k > 0) E(row, c) = 1;
    }
  }
  VecX inverse_mass(dofs), v(dofs);
  for (int i = 0; i < dofs; ++i) {
    inverse_mass[i] = Real(0.2, 5);
    v[i] = Real(-1, 1);
  }
  OwnedComplementarity out;
  out.N = MatX::Zero(size, size);
  out.N.topLeftCorner(rows, rows) = D * inverse_mass.asDiagonal() * D.transpose();
  out.N.topRightCorner(rows, contacts) = E;
  out.N.bottomLeftCorner(contacts, rows) = -E.transpose();
  for (int c = 0; c < contacts; ++c) out.N(rows + c, c) = mu;
  out.q = VecX::Zero(size);
  out.q.head(rows) = D * v;
  out.lower = VecX::Zero(size);
  out.upper = VecX::Constant(size, kInfinity);
  return out;
}

}  // namespace voigt::testing
