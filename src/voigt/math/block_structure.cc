#include "voigt/math/block_structure.h"

#include <algorithm>
#include <numeric>

#include "voigt/base/check.h"
#include "voigt/math/elimination_order.h"

namespace voigt {
namespace {

// Columns with fewer rows below the diagonal are left to single nodes.
constexpr int kManyRows = 48;
// Fetching a number that a product is subtracted from, and putting it back, takes as long as this
// many multiplications.
constexpr double kFetchCost = 8;

// Multiplications per node from which on nested dissection is tried: there it takes about as long
// as one symmetric factor, and saves a third of each.
constexpr double kManyMultiplications = 1e5;

// Time to eliminate `width` columns at once with `height` rows below them, in multiplications.
double EliminationTime(double width, double height) {
  return width * (height * (height + width) + width * width / 3) + kFetchCost * height * height;
}

// Lists by the first entry of each and the next one of every entry, −1 for none.
struct Lists {
  explicit Lists(int count) : first(count, -1), next(count, -1) {}
  void Push(int list, int entry) {
    next[entry] = first[list];
    first[list] = entry;
  }
  std::vector<int> first, next;
};

}  // namespace

void BlockStructure::Order(std::span<const int> sizes, std::span<const std::pair<int, int>> edges) {
  sizes_.assign(sizes.begin(), sizes.end());
  edges_.assign(edges.begin(), edges.end());
  SetOrder(OrderByDegree(static_cast<int>(sizes.size()), edges));
  is_settled_ = false;
}

void BlockStructure::SetOrder(std::vector<int> position) {
  const int count = static_cast<int>(sizes_.size());
  position_ = std::move(position);
  members_.assign(count, {});
  size_ = 0;
  for (int i = 0; i < count; ++i) {
    Member& member = members_[position_[i]];
    member.node = i;
    member.width = sizes_[i];
    member.start = size_;
    size_ += sizes_[i];
  }
  FindBlocks();
  CalcCost();
}

void BlockStructure::SettleOrder() {
  is_settled_ = true;
  const int count = static_cast<int>(sizes_.size());
  if (cost_ > kManyMultiplications * count) {
    const double cost_by_degree = cost_;
    std::vector<int> by_degree = position_;
    SetOrder(OrderByDissection(count, edges_));
    if (cost_ > cost_by_degree) SetOrder(std::move(by_degree));
  }
  MergeNodes();
}

// Which blocks of the factor are not zero: those of A, and those that eliminated columns bring in.
// A column passes its rows to the first of them.
void BlockStructure::FindBlocks() {
  const int count = static_cast<int>(members_.size());
  blocks_.assign(count, {});
  for (const auto& [a, b] : edges_) {
    const int i = position_[a], j = position_[b];
    VOIGT_DCHECK(i != j);
    blocks_[std::min(i, j)].push_back(std::max(i, j));
  }
  for (int j = 0; j < count; ++j) {
    std::vector<int>& rows = blocks_[j];
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (rows.empty()) continue;
    std::vector<int>& heir = blocks_[rows.front()];
    heir.insert(heir.end(), rows.begin() + 1, rows.end());
  }
}

void BlockStructure::CalcCost() {
  cost_ = 0;
  heights_.resize(members_.size());
  for (size_t j = 0; j < members_.size(); ++j) {
    const double width = members_[j].width;
    double height = 0, squares = 0;  // of the rows below the diagonal
    for (int i : blocks_[j]) {
      height += members_[i].width;
      squares += double{1} * members_[i].width * members_[i].width;
    }
    heights_[j] = static_cast<int>(height);
    cost_ += 0.5 * width * (width * (width + height) + height * height + squares);
  }
}

// A node joins the one that inherits its rows where eliminating both at once takes less time, for
// all the zeros.
void BlockStructure::MergeNodes() {
  const int count = static_cast<int>(members_.size());
  cluster_.resize(count);
  std::iota(cluster_.begin(), cluster_.end(), 0);
  if (std::all_of(heights_.begin(), heights_.end(), [](int n) { return n < kManyRows; })) return;
  std::vector<int> widths(count);
  for (int j = 0; j < count; ++j) widths[j] = members_[j].width;
  bool any = false;
  for (int j = 0; j < count; ++j) {
    if (heights_[j] < kManyRows) continue;
    const int heir = blocks_[j].front();
    const double apart =
        EliminationTime(widths[j], heights_[j]) + EliminationTime(widths[heir], heights_[heir]);
    if (EliminationTime(widths[j] + widths[heir], heights_[heir]) > apart) continue;
    cluster_[j] = heir;
    widths[heir] += widths[j];
    any = true;
  }
  if (!any) return;
  for (int j = count - 1; j >= 0; --j) cluster_[j] = cluster_[cluster_[j]];
  OrderClusters();
}

// Renumbers so that the nodes of a cluster follow each other, and clusters those that pass rows to
// them: which leaves the blocks of the factor the same.
void BlockStructure::OrderClusters() {
  const int count = static_cast<int>(members_.size());
  Lists nodes(count), children(count + 1);
  for (int j = count - 1; j >= 0; --j) {
    nodes.Push(cluster_[j], j);
    if (cluster_[j] != j) continue;
    children.Push(blocks_[j].empty() ? count : cluster_[blocks_[j].front()], j);
  }
  std::vector<Member> ordered;
  std::vector<int> renumbered(count), last(count), path;
  ordered.reserve(count);
  for (int root = children.first[count]; root >= 0; root = children.next[root]) {
    path.assign(1, root);
    while (!path.empty()) {
      const int cluster = path.back(), child = children.first[cluster];
      if (child >= 0) {
        children.first[cluster] = children.next[child];
        path.push_back(child);
        continue;
      }
      path.pop_back();
      for (int j = nodes.first[cluster]; j >= 0; j = nodes.next[j]) {
        renumbered[j] = static_cast<int>(ordered.size());
        ordered.push_back(members_[j]);
      }
    }
  }
  new_blocks_.resize(count);
  for (int j = 0; j < count; ++j) {
    const int to = renumbered[j];
    position_[members_[j].node] = to;
    last[to] = renumbered[cluster_[j]];
    if (cluster_[j] != j) continue;
    for (int& i : blocks_[j]) i = renumbered[i];
    std::sort(blocks_[j].begin(), blocks_[j].end());
    new_blocks_[to].swap(blocks_[j]);
  }
  members_.swap(ordered);
  blocks_.swap(new_blocks_);
  cluster_.swap(last);
}

// Columns of equal widths, about.
void BlockStructure::CutIntoColumns() {
  const int count = static_cast<int>(members_.size());
  columns_.clear();
  for (int first = 0; first < count;) {
    int left = 0;  // width of the cluster, less the columns made
    for (int j = first; j <= cluster_[first]; ++j) left += members_[j].width;
    const int end = cluster_[first] + 1;
    while (first < end) {
      const int parts = (left + kMaxShared - 1) / kMaxShared, enough = (left + parts - 1) / parts;
      Column column;
      column.first_member = first;
      column.start = members_[first].start;
      while (first < end &&
             (column.width == 0 ||
              (column.width < enough && column.width + members_[first].width <= kMaxShared))) {
        members_[first].column = static_cast<int>(columns_.size());
        members_[first].at = column.width;
        column.width += members_[first++].width;
      }
      column.member_count = first - column.first_member;
      left -= column.width;
      columns_.push_back(column);
    }
  }
}

// Panels one after the other.
void BlockStructure::PlacePanels() {
  if (!is_settled_) SettleOrder();
  CutIntoColumns();
  rows_.clear();
  value_count_ = max_height_ = 0;
  for (Column& column : columns_) PlaceRows(&column);
  for (RowBlock& row : rows_) row.stride = columns_[members_[row.member].column].height;
  targets_.clear();
  updates_.clear();
  pieces_.clear();
  for (Column& column : columns_) {
    column.is_wide = column.member_count > 1 || column.height - column.width >= kManyRows;
    column.is_wide ? PlaceUpdates(&column) : PlaceTargets(&column);
  }
}

void BlockStructure::PlaceRows(Column* column) {
  column->first_row = static_cast<int>(rows_.size());
  column->height = column->width;
  const auto add = [&](int i) {
    rows_.push_back({i, column->height, members_[i].width, members_[i].start, 0});
    column->height += members_[i].width;
  };
  const int last = cluster_[column->first_member];
  for (int i = column->first_member + column->member_count; i <= last; ++i) add(i);
  for (int i : blocks_[last]) add(i);
  column->row_count = static_cast<int>(rows_.size()) - column->first_row;
  column->offset = value_count_;
  value_count_ += column->height * column->width;
  max_height_ = std::max(max_height_, column->height);
}

// The row of a panel at which a member's rows begin; it is looked for from rows_[*from] on.
int BlockStructure::FindRow(const Column& column, int member, int* from) const {
  if (&columns_[members_[member].column] == &column) return members_[member].at;
  const auto end = rows_.begin() + column.first_row + column.row_count;
  const auto found =
      std::lower_bound(rows_.begin() + *from, end, member,
                       [](const RowBlock& row, int want) { return row.member < want; });
  VOIGT_DCHECK(found != end && found->member == member);
  *from = static_cast<int>(found - rows_.begin());
  return found->at;
}

void BlockStructure::PlaceTargets(Column* column) {
  column->first_target = static_cast<int>(targets_.size());
  const RowBlock* const rows = rows_.data() + column->first_row;
  for (int b = 0; b < column->row_count; ++b) {
    const Member& member = members_[rows[b].member];
    const Column& into = columns_[member.column];
    const int start = into.offset + member.at * into.height;
    int from = into.first_row;
    for (int a = b; a < column->row_count; ++a) {
      targets_.push_back(start + FindRow(into, rows[a].member, &from));
    }
  }
}

void BlockStructure::PlaceUpdates(Column* column) {
  column->first_update = static_cast<int>(updates_.size());
  const RowBlock* const rows = rows_.data() + column->first_row;
  for (int begin = 0, end = 0; begin < column->row_count; begin = end) {
    const Member& first = members_[rows[begin].member];
    const Column& into = columns_[first.column];
    Update update;
    update.at = rows[begin].at;
    update.into = into.offset + first.at * into.height;
    update.stride = into.height;
    update.first_piece = static_cast<int>(pieces_.size());
    int cols = 0;
    for (; end < column->row_count; ++end) {
      const Member& member = members_[rows[end].member];
      if (member.column != first.column || member.at != first.at + cols) break;
      cols += member.width;
      pieces_.push_back({rows[end].at, member.width, cols, member.at});
    }
    const size_t diagonal_end = pieces_.size();
    int from = into.first_row;
    for (int a = end; a < column->row_count; ++a) {
      const int to = FindRow(into, rows[a].member, &from);
      if (pieces_.size() == diagonal_end || pieces_.back().to + pieces_.back().rows != to) {
        pieces_.push_back({rows[a].at, 0, cols, to});
      }
      pieces_.back().rows += rows[a].width;
    }
    update.piece_count = static_cast<int>(pieces_.size()) - update.first_piece;
    updates_.push_back(update);
  }
  column->update_count = static_cast<int>(updates_.size()) - column->first_update;
}

BlockStructure::Place BlockStructure::Find(int i, int j) const {
  const int a = position_[i], b = position_[j];
  const Member& earlier = members_[std::min(a, b)];
  const Column& column = columns_[earlier.column];
  int from = column.first_row;
  return {column.offset + earlier.at * column.height + FindRow(column, std::max(a, b), &from),
          column.height, a < b};
}

// visit(where it begins in x, where in the panel, how many rows).
template <typename Visit>
void BlockStructure::ForEachStretch(const Column& column, Visit visit) const {
  for (int m = 0; m < column.member_count; ++m) {
    const Member& member = members_[column.first_member + m];
    visit(member.start, member.at, member.width);
  }
  for (int r = 0; r < column.row_count; ++r) {
    const RowBlock& row = rows_[column.first_row + r];
    visit(row.start, row.at, row.width);
  }
}

void BlockStructure::Gather(const Column& column, const double* x, double* of_column) const {
  ForEachStretch(
      column, [&](int start, int at, int width) { std::copy_n(x + start, width, of_column + at); });
}

void BlockStructure::Scatter(const Column& column, const double* of_column, double* x) const {
  ForEachStretch(
      column, [&](int start, int at, int width) { std::copy_n(of_column + at, width, x + start); });
}

}  // namespace voigt
