#pragma once

#include <array>
#include <utility>
#include <vector>

#include "voigt/math/types.h"

namespace voigt {

// A box along the axes of the world.
struct AxisBox {
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();
};

// Whether they do, or touch.
inline bool Overlap(const AxisBox& a, const AxisBox& b) {
  return a.lower[0] <= b.upper[0] && b.lower[0] <= a.upper[0] &&  //
         a.lower[1] <= b.upper[1] && b.lower[1] <= a.upper[1] &&  //
         a.lower[2] <= b.upper[2] && b.lower[2] <= a.upper[2];
}

// The broad phase: finds the boxes that overlap. They are put into columns, about twice as wide as
// the boxes are, across the two axes along which they are spread widest; in each column they are
// sorted along the third axis and swept over. Boxes that reach over many columns, like walls, are
// held against all others instead, and so are all boxes where there are few.
//
// Keeps its memory from call to call.
class Sweep {
 public:
  // All pairs (i, j), i < j, of boxes that overlap or touch and of which at least one moves, in
  // ascending order. Numbers must not be NaN; infinite ones are fine.
  // `is_static` holds one flag per box.
  const std::vector<std::pair<int, int>>& FindPairs(const std::vector<AxisBox>& boxes,
                                                    const std::vector<char>& is_static);

 private:
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

  void TryAll(const std::vector<AxisBox>& boxes, const std::vector<char>& is_static);
  void LayOut(const std::vector<AxisBox>& boxes);
  void FillColumns(const std::vector<AxisBox>& boxes);
  void SweepColumn(int column, const std::vector<AxisBox>& boxes,
                   const std::vector<char>& is_static);
  void SortPairs(int box_count);
  void TryLarge(const std::vector<AxisBox>& boxes, const std::vector<char>& is_static);
  void Add(int i, int j) { found_.emplace_back(std::min(i, j), std::max(i, j)); }
  bool IsLarge(int i) const { return reaches_[i].first[0] < 0; }

  std::array<int, 3> axes_{};  // those of the columns, and that of the sweep
  std::array<double, 2> origin_{}, width_{};
  std::array<int, 2> count_{};  // of columns
  std::vector<Reach> reaches_;  // per box
  std::vector<int> large_;
  std::vector<int> start_;  // of each column's entries
  std::vector<Entry> entries_;
  std::vector<Slab> slabs_;                 // of one column, in its order
  std::vector<std::pair<int, int>> found_;  // as they are found
  std::vector<std::pair<int, int>> pairs_;
};

}  // namespace voigt
