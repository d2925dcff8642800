#pragma once

#include <random>

#include "voigt/kernels/convex_program.h"

namespace voigt::testing {

// Makes a block of 2 … 6 rows: one disc up to three rows, further ones behind.
inline void SetRandomDiscs(int rows, std::mt19937* random, ConvexBlock* block) {
  std::uniform_real_distribution<double> positive(0.2, 2);
  block->row_count = rows;
  block->mu = positive(*random);
  block->bound = positive(*random);
  const std::uint8_t more[7][2] = {{}, {}, {}, {}, {1, 0}, {2, 0}, {1, 2}};
  for (int k = 0; k < 2; ++k) {
    block->more_rows[k] = more[rows][k];
    block->more_mu[k] = more[rows][k] > 0 ? positive(*random) : 0;
  }
}

// A metric that is the same over each disc.
inline void FillRandomMetric(const ConvexBlock& block, std::mt19937* random, double* S) {
  std::uniform_real_distribution<double> positive(0.2, 2);
  S[0] = positive(*random);
  for (const Disc& disc : block.discs()) {
    const double S_d = positive(*random);
    for (int i = disc.first; i < disc.first + disc.count; ++i) S[i] = S_d;
  }
}

}  // namespace voigt::testing
