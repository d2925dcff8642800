#pragma once

#include <span>
#include <vector>

#include "voigt/kernels/convex_program.h"
#include "voigt/kernels/islands.h"

namespace voigt {

// Tells islands whose rows are independent of one another for a reason that is easy to see: blocks
// can be taken away one by one so that each, when its turn comes, is the last to move one of the
// trees, and its rows are independent there. A stack of spheres is such an island; a table on four
// legs is not, nor is anything else with loops, whether its rows are independent or not.
//
// Impulses on independent rows are unique, however stiff the rows are.
class RowIndependence {
 public:
  // The order, from the structure alone.
  void Analyze(const ConvexProgram& program, std::span<const int> blocks,
               std::span<const DofRange> ranges);

  // Whether the rows are independent with the numbers that they have now. `blocks`, still those of
  // the structure, may stand elsewhere in the program.
  bool Check(const ConvexProgram& program, std::span<const int> blocks);

 private:
  struct Leaf {
    int place = 0;                     // of the block in the island's list
    int first_col = 0, col_count = 0;  // of the block's columns: those of its own tree
  };

  bool HasFullRank(const ConvexProgram& program, const ConvexBlock& block, const Leaf& leaf);

  bool has_order_ = false;
  std::vector<Leaf> leaves_;
  std::vector<double> rows_;
};

}  // namespace voigt
