#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "voigt/collision/axis_box.h"
#include "voigt/collision/box_tree.h"

namespace voigt {

// The broad phase: finds the boxes that overlap and of which at least one moves.
//
// Moving boxes are put into columns, about twice as wide as the boxes are, across the two axes
// along which they are spread widest; in each column they are sorted along the third axis and swept
// over. Boxes that reach over many columns are held against all others instead, and so are all
// boxes where there are few.
//
// Static boxes are sorted once, into a tree that each moving box is held against; they are never
// held against each other, and those that nothing comes near cost nothing.
//
// Keeps its memory from call to call.
class Sweep {
 public:
  // All boxes have numbers, from 0 on; these flags tell which of them are static, and `boxes` where
  // those are, in the order of their numbers. Until it is called there are none.
  void SetStatic(const std::vector<char>& is_static, const std::vector<AxisBox>& boxes);

  // All pairs (i, j), i < j, of numbers of boxes that overlap or touch, in ascending order; moving
  // boxes are given in the order of their numbers, static ones are larger by `reach` on all sides.
  // Numbers must not be NaN; infinite ones are fine.
  const std::vector<std::pair<int, int>>& FindPairs(const std::vector<AxisBox>& moving,
                                                    double reach = 0);

 private:
  using Pair = std::pair<int, int>;

  // The columns that a box reaches over.
  struct Reach {
    std::array<int, 2> first{}, last{};
  };
  struct Entry {
    double lower = 0;  // along the axis of the sweep
    int box = 0;
  };

  // A box in a column: along the two axes of the columns, and where it ends along that of the
  // sweep. Side by side in memory, as most of the work is to hold them against each other.
  struct Slab {
    double lower = 0, upper = 0;  // along the axis of the sweep
    std::array<double, 2> across_lower{}, across_upper{};
    int box = 0;
  };

  void TryAll(const std::vector<AxisBox>& moving);
  void LayOut(const std::vector<AxisBox>& moving);
  void FillColumns(const std::vector<AxisBox>& moving);
  void SweepColumn(int column, const std::vector<AxisBox>& moving);
  void TryLarge(const std::vector<AxisBox>& moving);
  void TryStatic(const std::vector<AxisBox>& moving, double reach);
  void SortPairs(int count, std::vector<Pair>* out);
  void MergeStaticFirst();
  // Moving boxes, counted by themselves.
  void Add(int i, int j) { found_.emplace_back(std::min(i, j), NumberOf(std::max(i, j))); }
  int NumberOf(int moving) const { return has_static() ? moving_numbers_[moving] : moving; }
  bool has_static() const { return !static_numbers_.empty(); }
  bool IsLarge(int i) const { return reaches_[i].first[0] < 0; }

  // Static boxes.
  std::vector<int> static_numbers_, moving_numbers_;
  BoxTree tree_;                                  // of the finite ones
  std::vector<int> in_tree_;                      // which they are
  std::vector<std::pair<AxisBox, int>> endless_;  // those without end

  std::array<int, 3> axes_{};  // those of the columns, and that of the sweep
  std::array<double, 2> origin_{}, width_{};
  std::array<int, 2> count_{};  // of columns
  std::vector<Reach> reaches_;  // per moving box
  std::vector<int> large_;
  std::vector<int> start_;  // of each column's entries
  std::vector<Entry> entries_;
  std::vector<Slab> slabs_;   // of one column, in its order
  std::vector<int> near_;     // static boxes near one that moves
  std::vector<Pair> found_;   // as they are found: the first, which moves, and the other's number
  std::vector<Pair> static_;  // the same where the first is static
  std::vector<int> counts_;   // how often each static box is in static_; zero between calls
  std::vector<int> touched_;  // which are there at all
  std::vector<Pair> moving_first_, sorted_;  // both in order
  std::vector<Pair> pairs_;
};

}  // namespace voigt
