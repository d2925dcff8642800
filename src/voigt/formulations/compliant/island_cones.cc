#include "voigt/formulations/compliant/island_cones.h"

#include <cmath>

#include "voigt/math/disc.h"

namespace voigt {

void IslandCones::AddRow(int column, double factor, double offset) {
  entries_.push_back({column, factor, offset});
}

// `first`: the block's first row in the island.
void IslandCones::AddSets(const ConvexProgram& program, const ConvexBlock& block, int first) {
  const auto add_half_line = [&](int i, double sign, double bound) {
    if (std::isinf(bound)) return;
    AddCone(1);
    AddRow(i, sign, -sign * bound * root_[i]);
  };
  switch (block.set) {
    case ConvexSet::kAll:
      return;
    case ConvexSet::kHalfLines:
      for (int r = 0; r < block.row_count; ++r) add_half_line(first + r, 1, 0);
      return;
    case ConvexSet::kIntervals:
      for (int r = 0; r < block.row_count; ++r) {
        add_half_line(first + r, 1, program.lower[block.first_row + r]);
        add_half_line(first + r, -1, program.upper[block.first_row + r]);
      }
      return;
    case ConvexSet::kDisc:
    case ConvexSet::kCone:
    case ConvexSet::kCoulomb:
      break;
  }
  add_half_line(first, 1, 0);
  for (const Disc& disc : block.discs()) {
    // In units of the disc: √S_t (μ γ_n, γ_t).
    const double root = root_[first + disc.first];
    AddCone(disc.count + 1);
    if (block.set == ConvexSet::kDisc) {
      AddRow(-1, 0, root * disc.mu * block.bound);
    } else {
      AddRow(first, root / root_[first] * disc.mu, 0);
    }
    for (int k = 0; k < disc.count; ++k) AddRow(first + disc.first + k, 1, 0);
  }
}

ConeQpResult IslandCones::Solve(const ConvexProgram& program, std::span<const int> blocks,
                                const ImpulseIsland& island, const std::vector<double>& S,
                                const ConeQpSettings& settings, VecX* gamma, ConeQpStats* stats) {
  const int rows = island.row_count();
  root_.resize(rows);
  for (int i = 0; i < rows; ++i) root_[i] = std::sqrt(S[island.rows[i]]);
  const auto inverse = root_.cwiseInverse();
  H_ = inverse.asDiagonal() * island.A * inverse.asDiagonal();
  g_ = inverse.cwiseProduct(island.q);
  entries_.clear();
  cones_.clear();
  int first = 0;
  for (int i : blocks) {
    AddSets(program, program.blocks[i], first);
    first += program.blocks[i].row_count;
  }
  C_.setZero(static_cast<int>(entries_.size()), rows);
  d_.resize(C_.rows());
  for (int i = 0; i < C_.rows(); ++i) {
    if (entries_[i].column >= 0) C_(i, entries_[i].column) = entries_[i].factor;
    d_[i] = entries_[i].offset;
  }
  E_.resize(0, rows);
  e_.resize(0);
  const ConeQpResult result =
      kernel_.Solve({H_, g_, C_, d_, cones_, E_, e_}, settings, &point_, stats);
  for (int i = 0; i < rows; ++i) (*gamma)[island.rows[i]] = point_.x[i] / root_[i];
  return result;
}

}  // namespace voigt
