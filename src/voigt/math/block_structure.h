#pragma once

#include <span>
#include <utility>
#include <vector>

namespace voigt {

// Where the blocks of a factored sparse matrix are. Its rows are divided among nodes of 1 … 12 or
// so rows each; A has a block (i, j) where i and j are joined by an edge, and its factor has those
// that elimination brings in besides. Nodes are eliminated in an order of low fill: by
// approximate minimum degree, or by nested dissection where that takes much less.
//
// Nodes whose columns have nearly the same blocks, and many of them, share one column: then what
// they leave to later columns is one product of large matrices, and its result is fetched from
// memory and put back once instead of once per node. A few zeros are stored for that. Columns of
// few blocks stay those of single nodes.
class BlockStructure {
 public:
  // The width up to which nodes share a column: its panel stays in the nearest memory.
  static constexpr int kMaxShared = 48;

  // Edges join different nodes, in any order, repeated or not.
  void Analyze(std::span<const int> sizes, std::span<const std::pair<int, int>> edges) {
    Order(sizes, edges);
    PlacePanels();
  }
  // The two halves of Analyze: after the first, cost() is known.
  void Order(std::span<const int> sizes, std::span<const std::pair<int, int>> edges);
  void PlacePanels();

  int size() const { return size_; }  // rows of A

  // Multiplications of one symmetric factorisation, but for those by zeros. PlacePanels may still
  // find an order that takes fewer.
  double cost() const { return cost_; }

  // Where entry (a of node i, b of node j) is: at [offset + a + b·stride], or with a and b
  // exchanged if `transposed`.
  struct Place {
    int offset = 0, stride = 0;
    bool transposed = false;
  };
  Place Find(int i, int j) const;

  // A node, in the order of elimination.
  struct Member {
    int node = 0, width = 0;
    int start = 0;           // of the node's rows in x
    int column = 0, at = 0;  // the column that it is in, and its first row and column there
  };
  // One column of blocks: those of its members above those of `rows`, as one dense panel.
  struct Column {
    int first_member = 0, member_count = 0;
    int start = 0;                     // of the first member's rows in x
    int offset = 0;                    // of the panel
    int width = 0, height = 0;         // of the panel
    int first_row = 0, row_count = 0;  // in rows()
    // What it leaves to later columns: in targets() if its rows are few, or else in updates().
    bool is_wide = false;
    int first_target = 0;
    int first_update = 0, update_count = 0;
  };
  struct RowBlock {
    int member = 0;
    int at = 0, width = 0;  // in the panel
    int start = 0;          // in x
    int stride = 0;         // of the panel of this row's own column
  };
  // Rows that lie side by side in a panel as well as, as columns, in a later one: from [into] on
  // the product of the pieces with them is subtracted.
  struct Update {
    int at = 0;  // first row
    int into = 0, stride = 0;
    int first_piece = 0, piece_count = 0;
  };
  // Rows that lie side by side in both panels, and how many columns they have in the later one:
  // blocks right of its diagonal are left out.
  struct Piece {
    int at = 0, rows = 0, cols = 0;
    int to = 0;
  };

  const std::vector<Column>& columns() const { return columns_; }  // in the order of elimination
  const std::vector<Member>& members() const { return members_; }
  const std::vector<RowBlock>& rows() const { return rows_; }
  // For each pair of rows of a column that is not wide: where the product of their blocks goes.
  const std::vector<int>& targets() const { return targets_; }
  const std::vector<Update>& updates() const { return updates_; }
  const std::vector<Piece>& pieces() const { return pieces_; }
  // Entries of x in the order of a panel's rows, and back.
  void Gather(const Column& column, const double* x, double* of_column) const;
  void Scatter(const Column& column, const double* of_column, double* x) const;

  int value_count() const { return value_count_; }  // numbers in all panels
  int max_height() const { return max_height_; }

 private:
  void SetOrder(std::vector<int> position);
  void FindBlocks();
  void CalcCost();
  void SettleOrder();
  void MergeNodes();
  void OrderClusters();
  void CutIntoColumns();
  void PlaceRows(Column* column);
  void PlaceTargets(Column* column);
  void PlaceUpdates(Column* column);
  int FindRow(const Column& column, int member, int* from) const;
  template <typename Visit>
  void ForEachStretch(const Column& column, Visit visit) const;

  std::vector<int> sizes_;
  std::vector<std::pair<int, int>> edges_;
  int size_ = 0, value_count_ = 0, max_height_ = 0;
  double cost_ = 0;
  std::vector<int> position_;  // of a node in members_
  std::vector<Member> members_;
  std::vector<Column> columns_;
  std::vector<RowBlock> rows_;
  std::vector<int> targets_;
  std::vector<Update> updates_;
  std::vector<Piece> pieces_;
  // Scratch. By position: the blocks below the diagonal, the rows in them, and the last node of
  // the cluster, the nodes that share columns; of the blocks those of last nodes count then.
  std::vector<std::vector<int>> blocks_, new_blocks_;
  std::vector<int> heights_, cluster_;
  bool is_settled_ = false;
};

}  // namespace voigt
