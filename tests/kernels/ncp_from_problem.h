#pragma once

#include <vector>

#include "voigt/kernels/implicit_ncp.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt::testing {

// A velocity problem as dense rows: u = A γ + q, with A = G M⁻¹ Gᵀ + R.
struct DenseNcp {
  MatX A;
  VecX q;
  std::vector<NcpBlock> blocks;

  ImplicitNcpProblem view() const { return {A, q, blocks}; }
};

inline DenseNcp MakeDenseNcp(const VelocityProblem& problem) {
  DenseNcp out;
  out.A = problem.ToDenseW();
  problem.Multiply(problem.v_star, &out.q);
  for (int i = 0; i < problem.row_count(); ++i) {
    const Row& row = problem.rows[i];
    out.A(i, i) += row.R;
    out.q[i] += row.phi_t - row.v_hat;
  }
  for (const RowGroup& group : problem.groups) {
    NcpBlock block;
    block.first = group.first_row;
    block.count = group.row_count;
    if (group.law == Law::kContact) {
      block.kind = NcpKind::kCone;
      block.discs = group.discs();
    }
    if (group.law == Law::kContact || group.law == Law::kBilateral) {
      out.blocks.push_back(block);
      continue;
    }
    block.count = 1;
    for (int r = 0; r < group.row_count; ++r) {
      const Row& row = problem.rows[group.first_row + r];
      block.first = group.first_row + r;
      block.kind = group.law == Law::kBounded ? NcpKind::kBounded : NcpKind::kUnilateral;
      if (group.law == Law::kBounded) {
        block.lower = row.lower;
        block.upper = row.upper;
      }
      out.blocks.push_back(block);
    }
  }
  return out;
}

}  // namespace voigt::testing
