#pragma once

#include <span>
#include <vector>

#include "voigt/kernels/convex_program.h"
#include "voigt/kernels/islands.h"

namespace voigt {

// Tells islands whose rows are independent of one another for a reason that is easy to see: blocks
// can be taken away so that each, when its turn comes, is the last to move one of the trees, or one
// of the last few, and their rows are independent there. A stack of spheres is such an island, and
// a chain of links that touches the floor with two of them; a table on four legs is not.
//
// Friction may have directions in which nothing can move, as beside the plane of a pendulum. The
// impulse is free there, within its bound, and moves nothing; it is nothing, then.
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

  // Takes the parts of impulses away that the last check found to move nothing.
  void DropStill(VecX* gamma) const;

 private:
  struct Member {
    int place = 0;      // of the block in the island's list
    int first_col = 0;  // of the block's columns: those of the group's tree
    int col_count = 0;
  };
  // Blocks that are taken away together, in members_, and the tree that none of the others moves.
  struct Group {
    int first = 0, count = 0;
    DofRange tree;
  };
  // A direction of friction, in one row or two, in which nothing moves.
  struct Still {
    int row = 0, other = 0;
    Vec2 direction;
  };

  struct Order;

  bool IsIndependent(const ConvexProgram& program, std::span<const int> blocks, const Group& group);
  int Gather(const ConvexProgram& program, std::span<const int> blocks, const Group& group);
  int DropStillRows(const ConvexProgram& program, std::span<const int> blocks, const Group& group);
  double* CopyMoving(const ConvexProgram& program, const ConvexBlock& block, int n,
                     const double* from, double* to);

  bool has_order_ = false;
  std::vector<Member> members_;
  std::vector<Group> groups_;
  std::vector<Still> still_;
  std::vector<double> rows_, moving_;
};

}  // namespace voigt
