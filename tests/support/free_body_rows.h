#pragma once

#include <random>
#include <vector>

#include "voigt/kernels/convex_program.h"
#include "voigt/kernels/islands.h"

namespace voigt::testing {

// Free bodies, and blocks of random rows on pairs of them; −1 is the world.
struct FreeBodyRows {
  FreeBodyRows(int count, unsigned seed) : random(seed) {
    for (int b = 0; b < count; ++b) ranges.push_back({6 * b, 6});
  }

  double Draw() { return normal(random); }

  void AddRows(int body_A, int body_B, int rows, ConvexSet set = ConvexSet::kAll) {
    ConvexBlock block;
    block.set = set;
    block.first_row = program.row_count();
    block.row_count = rows;
    block.first_col = static_cast<int>(cols.size());
    block.first_entry = static_cast<int>(G.size());
    for (int body : {body_A, body_B}) {
      for (int k = 0; body >= 0 && k < 6; ++k) cols.push_back(6 * body + k);
    }
    block.col_count = static_cast<int>(cols.size()) - block.first_col;
    for (int i = 0; i < rows * block.col_count; ++i) G.push_back(Draw());
    program.R.resize(program.R.size() + rows);
    program.blocks.push_back(block);
  }

  std::mt19937 random;
  std::normal_distribution<double> normal;
  std::vector<DofRange> ranges;
  std::vector<int> cols;
  std::vector<double> G;
  ConvexProgram program;
};

}  // namespace voigt::testing
