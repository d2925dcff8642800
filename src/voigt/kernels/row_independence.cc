#include "voigt/kernels/row_independence.h"

#include <algorithm>

namespace voigt {
namespace {

// A row is independent of others if this part of its squared length is perpendicular to them.
constexpr double kLeastPart = 1e-4;

// Blocks and trees as a graph: which trees each block moves, which blocks each tree is moved by.
struct Incidence {
  struct Meeting {
    int block = 0, tree = 0;  // places in the island's lists
    int first_col = 0, col_count = 0;
  };
  std::vector<Meeting> by_block;          // sorted by block
  std::vector<std::vector<int>> of_tree;  // indices into by_block
  std::vector<int> first_of_block;        // in by_block; one more than there are blocks
};

int FindTree(std::span<const DofRange> ranges, int dof) {
  const auto above = std::upper_bound(ranges.begin(), ranges.end(), dof,
                                      [](int k, const DofRange& range) { return k < range.first; });
  return static_cast<int>(above - ranges.begin()) - 1;
}

Incidence FindIncidence(const ConvexProgram& program, std::span<const int> blocks,
                        std::span<const DofRange> ranges) {
  Incidence out;
  out.of_tree.resize(ranges.size());
  out.first_of_block.push_back(0);
  for (int b = 0; b < static_cast<int>(blocks.size()); ++b) {
    const auto cols = program.cols_of(program.blocks[blocks[b]]);
    for (int c = 0; c < static_cast<int>(cols.size()); ++c) {
      const int tree = FindTree(ranges, cols[c]);
      const bool goes_on = static_cast<int>(out.by_block.size()) > out.first_of_block.back() &&
                           out.by_block.back().tree == tree;
      if (!goes_on) {
        out.of_tree[tree].push_back(static_cast<int>(out.by_block.size()));
        out.by_block.push_back({b, tree, c, 0});
      }
      ++out.by_block.back().col_count;
    }
    out.first_of_block.push_back(static_cast<int>(out.by_block.size()));
  }
  return out;
}

// Gram and Schmidt's method on rows of n numbers, `stride` apart. False if a row depends on those
// before it. Each row in `work` is followed by its squared length.
template <int fixed>
bool Orthogonalize(const double* G, int rows, int n_, int stride, double* work) {
  const int n = fixed > 0 ? fixed : n_;
  const auto dot = [n](const double* a, const double* b) {
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += a[k] * b[k];
    return sum;
  };
  for (int r = 0; r < rows; ++r) {
    double* const row = work + r * (n + 1);
    std::copy_n(G + r * stride, n, row);
    const double whole = dot(row, row);
    for (int s = 0; s < r; ++s) {
      const double* const other = work + s * (n + 1);
      const double part = dot(row, other) / other[n];
      for (int k = 0; k < n; ++k) row[k] -= part * other[k];
    }
    row[n] = dot(row, row);
    if (!(row[n] > kLeastPart * whole)) return false;
  }
  return true;
}

}  // namespace

void RowIndependence::Analyze(const ConvexProgram& program, std::span<const int> blocks,
                              std::span<const DofRange> ranges) {
  const Incidence incidence = FindIncidence(program, blocks, ranges);
  std::vector<int> left(ranges.size());  // blocks that still move a tree
  std::vector<int> ready;
  for (int tree = 0; tree < static_cast<int>(ranges.size()); ++tree) {
    left[tree] = static_cast<int>(incidence.of_tree[tree].size());
    if (left[tree] == 1) ready.push_back(tree);
  }
  std::vector<char> is_taken(blocks.size(), 0);
  leaves_.clear();
  while (!ready.empty()) {
    const int tree = ready.back();
    ready.pop_back();
    for (int m : incidence.of_tree[tree]) {
      const Incidence::Meeting& meeting = incidence.by_block[m];
      if (is_taken[meeting.block]) continue;
      is_taken[meeting.block] = 1;
      leaves_.push_back({meeting.block, meeting.first_col, meeting.col_count});
      for (int k = incidence.first_of_block[meeting.block];
           k < incidence.first_of_block[meeting.block + 1]; ++k) {
        if (--left[incidence.by_block[k].tree] == 1) ready.push_back(incidence.by_block[k].tree);
      }
    }
  }
  has_order_ = leaves_.size() == blocks.size();
}

bool RowIndependence::Check(const ConvexProgram& program, std::span<const int> blocks) {
  if (!has_order_) return false;
  return std::all_of(leaves_.begin(), leaves_.end(), [&](const Leaf& leaf) {
    return HasFullRank(program, program.blocks[blocks[leaf.place]], leaf);
  });
}

bool RowIndependence::HasFullRank(const ConvexProgram& program, const ConvexBlock& block,
                                  const Leaf& leaf) {
  const int n = leaf.col_count;
  if (block.row_count > n) return false;
  rows_.resize(std::max<size_t>(rows_.size(), static_cast<size_t>(block.row_count) * (n + 1)));
  const double* const G = program.entries(block, 0) + leaf.first_col;
  return n == 6 ? Orthogonalize<6>(G, block.row_count, n, block.col_count, rows_.data())
                : Orthogonalize<0>(G, block.row_count, n, block.col_count, rows_.data());
}

}  // namespace voigt
