#include "voigt/kernels/landings.h"

#include <algorithm>

namespace voigt {
namespace {

bool MayLand(const ConvexBlock& block) {
  if (block.smooth) return false;
  return IsCoupled(block.set) || (block.set == ConvexSet::kHalfLines && block.row_count == 1);
}

class LandingSearch {
 public:
  LandingSearch(const ConvexProgram& program, VecX* gamma, NewtonWorkspace* ws)
      : program_(program), gamma_(*gamma), ws_(*ws) {}

  void Prepare(std::span<const DofRange> ranges);
  // Whether a block stops a tree that nothing has stopped so far.
  bool Stop(const ConvexBlock& block);
  int found() const { return found_; }

 private:
  // The columns of a block that belong to one tree.
  struct Part {
    int root = -1;
    int first = 0, count = 0;  // of the block's columns
  };

  bool FindPart(const ConvexBlock& block, Part* part) const;
  double CalcResponse(const ConvexBlock& block, const Part& part);

  const ConvexProgram& program_;
  VecX& gamma_;
  NewtonWorkspace& ws_;  // dv: velocities; x: response; is_stopped, at the roots of trees
  int found_ = 0;
};

void LandingSearch::Prepare(std::span<const DofRange> ranges) {
  for (const DofRange& range : ranges) {
    ws_.is_stopped[range.first] = 0;
    ws_.dv.segment(range.first, range.count) = program_.v_star->segment(range.first, range.count);
  }
}

// The one part of a block that moves; false if there are none or more, or the block reaches further
// than two bodies do.
bool LandingSearch::FindPart(const ConvexBlock& block, Part* part) const {
  const auto cols = program_.cols_of(block);
  int trees = 0, moving = 0;
  for (int c = 0; c < block.col_count; ++trees) {
    const int root = program_.pattern->path(cols[c])[0], end = program_.pattern->tree_end(root);
    const int first = c;
    while (c < block.col_count && cols[c] < end) ++c;
    if (ws_.is_stopped[root]) continue;
    *part = {root, first, c - first};
    ++moving;
  }
  return trees <= 2 && moving == 1;
}

// ws_.x ← M⁻¹ Gᵀ of the first row on one tree; returns what the row makes of it.
double LandingSearch::CalcResponse(const ConvexBlock& block, const Part& part) {
  const int count = program_.pattern->tree_end(part.root) - part.root;
  const auto cols = program_.cols_of(block);
  const double* const G = program_.entries(block, 0);
  ws_.x.segment(part.root, count).setZero();
  for (int c = part.first; c < part.first + part.count; ++c) ws_.x[cols[c]] = G[c];
  program_.factor->SolveRange(*program_.pattern, part.root, count, ws_.x.data());
  double response = 0;
  for (int c = part.first; c < part.first + part.count; ++c) response += G[c] * ws_.x[cols[c]];
  return response;
}

bool LandingSearch::Stop(const ConvexBlock& block) {
  Part part;
  if (!MayLand(block) || !FindPart(block, &part)) return false;
  const int row = block.first_row;
  double rate = 0;
  MultiplyRows(program_.entries(block, 0), 1, program_.cols + block.first_col, block.col_count,
               ws_.dv.data(), &rate);
  const double closing = program_.b[row] - rate;
  if (!(closing > 0)) return false;
  const double impulse = closing / (CalcResponse(block, part) + program_.R[row]);
  const int count = program_.pattern->tree_end(part.root) - part.root;
  ws_.dv.segment(part.root, count) += impulse * ws_.x.segment(part.root, count);
  ws_.is_stopped[part.root] = 1;
  if (gamma_[row] == 0) {
    gamma_[row] = impulse;
    ++found_;
  }
  return true;
}

}  // namespace

int FindLandings(const IslandView& island, VecX* gamma, NewtonWorkspace* ws) {
  constexpr int kMaxSweeps = 4;
  const ConvexProgram& program = island.program;
  const bool may_find = std::any_of(island.blocks.begin(), island.blocks.end(), [&](int i) {
    const ConvexBlock& block = program.blocks[i];
    return (*gamma)[block.first_row] == 0 && MayLand(block);
  });
  if (!may_find) return 0;
  LandingSearch search(program, gamma, ws);
  search.Prepare(island.ranges);
  // Along the order of the blocks and against it: sequences may run either way.
  const int count = static_cast<int>(island.blocks.size());
  bool goes_on = true;
  for (int sweep = 0; sweep < kMaxSweeps && goes_on; ++sweep) {
    goes_on = false;
    for (int k = 0; k < count; ++k) {
      const int i = island.blocks[sweep % 2 == 0 ? k : count - 1 - k];
      goes_on |= search.Stop(program.blocks[i]);
    }
  }
  return search.found();
}

}  // namespace voigt
