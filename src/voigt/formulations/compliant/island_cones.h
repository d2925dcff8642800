#pragma once

#include <span>
#include <vector>

#include "voigt/formulations/impulse_space/impulse_island.h"
#include "voigt/kernels/cone_qp.h"
#include "voigt/kernels/convex_program.h"

namespace voigt {

// The convex program of an island in impulses alone, dense: min ½ γᵀ A γ + qᵀ γ over the sets of
// its blocks, which are discs, cones, half-lines and intervals. In x = √S γ, with what rows are
// measured by, all numbers are alike in size.
class IslandCones {
 public:
  // gamma: the result, of the rows of `program`. S: per row of it.
  ConeQpResult Solve(const ConvexProgram& program, std::span<const int> blocks,
                     const ImpulseIsland& island, const std::vector<double>& S,
                     const ConeQpSettings& settings, VecX* gamma, ConeQpStats* stats);

 private:
  void AddSets(const ConvexProgram& program, const ConvexBlock& block, int first);
  // One more row of the last cone: factor · x_column + offset.
  void AddRow(int column, double factor, double offset);
  void AddCone(int rows) { cones_.push_back(rows); }

  struct Entry {
    int column = -1;  // none: the offset alone
    double factor = 0, offset = 0;
  };
  std::vector<Entry> entries_;
  std::vector<int> cones_;
  VecX root_;  // √S of the island's rows
  MatX H_, C_, E_;
  VecX g_, d_, e_;
  ConeQp kernel_;
  ConeQpPoint point_;
};

}  // namespace voigt
