#include "voigt/kernels/row_independence.h"

#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

// A row is independent of others if this part of its squared length is perpendicular to them.
constexpr double kLeastPart = 1e-4;
// Squared lengths below this part of a block's are rounding.
constexpr double kStill = 1e-24;
constexpr int kMostRows = 48;
constexpr size_t kFewTrees = 4;

int FindTree(std::span<const DofRange> ranges, int dof) {
  const auto above = std::upper_bound(ranges.begin(), ranges.end(), dof,
                                      [](int k, const DofRange& range) { return k < range.first; });
  return static_cast<int>(above - ranges.begin()) - 1;
}

double Dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += a[k] * b[k];
  return sum;
}

// Gram and Schmidt's method on rows of n numbers, each with room for its squared length behind it.
// False if a row depends on those before it.
template <int fixed>
bool Orthogonalize(int rows, int n_, double* work) {
  const int n = fixed > 0 ? fixed : n_;
  for (int r = 0; r < rows; ++r) {
    double* const row = work + r * (n + 1);
    const double whole = Dot(row, row, n);
    for (int s = 0; s < r; ++s) {
      const double* const other = work + s * (n + 1);
      const double part = Dot(row, other, n) / other[n];
      for (int k = 0; k < n; ++k) row[k] -= part * other[k];
    }
    row[n] = Dot(row, row, n);
    if (!(row[n] > kLeastPart * whole)) return false;
  }
  return true;
}

bool AreIndependent(int rows, int n, double* work) {
  if (rows > n) return false;
  return n == 6 ? Orthogonalize<6>(rows, n, work) : Orthogonalize<0>(rows, n, work);
}

// The direction in the plane of two rows in which they are longest, from their squared lengths and
// their product; across it they are shortest.
Vec2 FindLongest(double aa, double ab, double bb) {
  const double angle = 0.5 * std::atan2(2 * ab, aa - bb);
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace

// How blocks are taken away. Blocks and trees are a graph: which trees each block moves, which
// blocks each tree is moved by.
struct RowIndependence::Order {
  struct Meeting {
    int block = 0, tree = 0;  // places in the island's lists
    int first_col = 0, col_count = 0;
  };

  Order(const ConvexProgram& program_in, std::span<const int> blocks_in,
        std::span<const DofRange> ranges_in, RowIndependence* out_in)
      : program(program_in),
        blocks(blocks_in),
        ranges(ranges_in),
        out(*out_in),
        of_tree(ranges.size()),
        is_taken(blocks.size(), 0) {
    first_of_block.push_back(0);
    for (int b = 0; b < static_cast<int>(blocks.size()); ++b) FindMeetings(b);
    for (int tree = 0; tree < tree_count(); ++tree) {
      left.push_back(static_cast<int>(of_tree[tree].size()));
      if (left[tree] == 1) ready.push_back(tree);
    }
  }

  void FindMeetings(int b) {
    const auto cols = program.cols_of(program.blocks[blocks[b]]);
    for (int c = 0; c < static_cast<int>(cols.size()); ++c) {
      const int tree = FindTree(ranges, cols[c]);
      const bool goes_on =
          static_cast<int>(by_block.size()) > first_of_block.back() && by_block.back().tree == tree;
      if (!goes_on) {
        of_tree[tree].push_back(static_cast<int>(by_block.size()));
        by_block.push_back({b, tree, c, 0});
      }
      ++by_block.back().col_count;
    }
    first_of_block.push_back(static_cast<int>(by_block.size()));
  }

  int tree_count() const { return static_cast<int>(ranges.size()); }
  bool is_complete() const { return out.members_.size() == blocks.size(); }

  void TakeReady() {
    while (!ready.empty()) {
      const int tree = ready.back();
      ready.pop_back();
      Take(tree);
    }
  }

  // All blocks that still move the tree.
  void Take(int tree) {
    const int first = static_cast<int>(out.members_.size());
    for (int m : of_tree[tree]) {
      const Meeting& meeting = by_block[m];
      if (is_taken[meeting.block]) continue;
      is_taken[meeting.block] = 1;
      out.members_.push_back({meeting.block, meeting.first_col, meeting.col_count});
      for (int k = first_of_block[meeting.block]; k < first_of_block[meeting.block + 1]; ++k) {
        if (--left[by_block[k].tree] == 1) ready.push_back(by_block[k].tree);
      }
    }
    const int count = static_cast<int>(out.members_.size()) - first;
    if (count > 0) out.groups_.push_back({first, count, ranges[tree]});
  }

  // Several at a time where there are few trees: single bodies of a heap seldom can be. At most one
  // row of a block moves nothing.
  bool MayTakeSeveral(int tree) const {
    int rows = 0, count = 0;
    for (int m : of_tree[tree]) {
      const int b = by_block[m].block;
      if (is_taken[b]) continue;
      rows += program.blocks[blocks[b]].row_count;
      ++count;
    }
    return count > 0 && rows <= kMostRows && rows - count <= ranges[tree].count;
  }
  bool TakeSeveral() {
    if (is_complete() || ranges.size() > kFewTrees) return false;
    for (int tree = 0; tree < tree_count(); ++tree) {
      if (!MayTakeSeveral(tree)) continue;
      Take(tree);
      return true;
    }
    return false;
  }

  const ConvexProgram& program;
  std::span<const int> blocks;
  std::span<const DofRange> ranges;
  RowIndependence& out;
  std::vector<Meeting> by_block;          // sorted by block
  std::vector<std::vector<int>> of_tree;  // indices into by_block
  std::vector<int> first_of_block;        // in by_block; one more than there are blocks
  std::vector<int> left, ready;           // blocks that still move a tree; trees with one of them
  std::vector<char> is_taken;
};

void RowIndependence::Analyze(const ConvexProgram& program, std::span<const int> blocks,
                              std::span<const DofRange> ranges) {
  members_.clear();
  groups_.clear();
  Order order(program, blocks, ranges, this);
  do {
    order.TakeReady();
  } while (order.TakeSeveral());
  has_order_ = order.is_complete();
}

bool RowIndependence::Check(const ConvexProgram& program, std::span<const int> blocks) {
  still_.clear();
  if (!has_order_) return false;
  return std::all_of(groups_.begin(), groups_.end(),
                     [&](const Group& group) { return IsIndependent(program, blocks, group); });
}

bool RowIndependence::IsIndependent(const ConvexProgram& program, std::span<const int> blocks,
                                    const Group& group) {
  const int n = group.tree.count;
  const int rows = Gather(program, blocks, group);
  if (AreIndependent(rows, n, rows_.data())) return true;
  Gather(program, blocks, group);
  const int moving = DropStillRows(program, blocks, group);
  return moving < rows && AreIndependent(moving, n, moving_.data());
}

// Fills rows_ with the rows of the group, by the numbers of its tree. Returns how many.
int RowIndependence::Gather(const ConvexProgram& program, std::span<const int> blocks,
                            const Group& group) {
  const int n = group.tree.count;
  int rows = 0;
  for (int m = group.first; m < group.first + group.count; ++m) {
    rows += program.blocks[blocks[members_[m].place]].row_count;
  }
  rows_.resize(std::max<size_t>(rows_.size(), static_cast<size_t>(rows) * (n + 1)));
  double* to = rows_.data();
  for (int m = group.first; m < group.first + group.count; ++m) {
    const Member& member = members_[m];
    const ConvexBlock& block = program.blocks[blocks[member.place]];
    const auto cols = program.cols_of(block).subspan(member.first_col, member.col_count);
    for (int r = 0; r < block.row_count; ++r, to += n + 1) {
      const double* const from = program.entries(block, r) + member.first_col;
      if (member.col_count == n) {
        std::copy_n(from, n, to);
        continue;
      }
      std::fill_n(to, n, 0.0);
      for (int c = 0; c < member.col_count; ++c) to[cols[c] - group.tree.first] = from[c];
    }
  }
  return rows;
}

// Fills moving_ with the rows of rows_, but for those in which friction moves nothing. Returns how
// many there are.
int RowIndependence::DropStillRows(const ConvexProgram& program, std::span<const int> blocks,
                                   const Group& group) {
  const int n = group.tree.count;
  moving_.resize(std::max(moving_.size(), rows_.size()));
  const double* from = rows_.data();
  double* to = moving_.data();
  for (int m = group.first; m < group.first + group.count; ++m) {
    const ConvexBlock& block = program.blocks[blocks[members_[m].place]];
    to = CopyMoving(program, block, n, from, to);
    from += block.row_count * (n + 1);
  }
  return static_cast<int>((to - moving_.data()) / (n + 1));
}

double* RowIndependence::CopyMoving(const ConvexProgram& program, const ConvexBlock& block, int n,
                                    const double* from, double* to) {
  const int size = n + 1;
  if (!IsCoupled(block.set)) return std::copy_n(from, block.row_count * size, to);
  double whole = 0;
  for (int r = 0; r < block.row_count; ++r) whole += Dot(from + r * size, from + r * size, n);
  to = std::copy_n(from, size, to);
  for (const Disc& disc : block.discs()) {
    const double* const a = from + disc.first * size;
    const double* const b = from + (disc.first + disc.count - 1) * size;
    const Vec2 along =
        disc.count == 1 ? Vec2(1, 0) : FindLongest(Dot(a, a, n), Dot(a, b, n), Dot(b, b, n));
    for (int k = 0; k < disc.count; ++k) {
      const Vec2 d = k == 0 ? along : Vec2(-along[1], along[0]);
      for (int i = 0; i < n; ++i) to[i] = d[0] * a[i] + d[1] * b[i];
      const int row = block.first_row + disc.first, other = row + disc.count - 1;
      // A belt that runs that way drags, whether anything moves or not.
      const bool is_dragged = d[0] * program.b[row] + d[1] * program.b[other] != 0;
      if (Dot(to, to, n) <= kStill * whole && !is_dragged) {
        still_.push_back({row, other, d});
      } else {
        to += size;
      }
    }
  }
  return to;
}

void RowIndependence::DropStill(VecX* gamma) const {
  for (const Still& still : still_) {
    double &a = (*gamma)[still.row], &b = (*gamma)[still.other];
    const double part = still.direction[0] * a + still.direction[1] * b;
    a -= part * still.direction[0];
    if (still.other != still.row) b -= part * still.direction[1];
  }
}

}  // namespace voigt
