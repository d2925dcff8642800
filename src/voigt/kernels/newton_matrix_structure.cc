#include <algorithm>

#include "voigt/kernels/newton_matrix.h"

// What of a Newton matrix depends on the structure of an island alone.
namespace voigt {
namespace {

// Below this a dense matrix is quicker than any structure.
constexpr int kSmall = 24;
// A dense multiplication takes about this part of the time of one in small blocks.
constexpr double kDenseAdvantage = 0.4;
// Trees up to this size are one node of the block matrix, larger ones are cut into pieces.
constexpr int kWholeTree = 12;
constexpr int kPiece = 6;

}  // namespace

bool IsOfContacts(const ConvexProgram& program, std::span<const int> blocks) {
  return std::all_of(blocks.begin(), blocks.end(), [&](int i) {
    const ConvexSet set = program.blocks[i].set;
    return IsCoupled(set) || set == ConvexSet::kHalfLines;
  });
}

bool NewtonMatrix::SameStructure(const ConvexProgram& program, std::span<const int> blocks,
                                 std::span<const DofRange> ranges, MatrixKind kind) {
  new_signature_.clear();
  new_signature_.push_back(static_cast<int>(kind));
  for (const DofRange& range : ranges) {
    new_signature_.push_back(range.first);
    new_signature_.push_back(range.count);
  }
  new_signature_.push_back(-1);
  for (int i : blocks) {
    const ConvexBlock& block = program.blocks[i];
    const auto cols = program.cols_of(block);
    new_signature_.push_back(block.col_count);
    new_signature_.insert(new_signature_.end(), cols.begin(), cols.end());
  }
  blocks_.assign(blocks.begin(), blocks.end());
  if (new_signature_ == signature_) return true;
  std::swap(signature_, new_signature_);
  return false;
}

bool NewtonMatrix::Analyze(const ConvexProgram& program, std::span<const int> blocks,
                           std::span<const DofRange> ranges, MatrixKind kind) {
  Reset();
  if (SameStructure(program, blocks, ranges, kind)) return false;
  NumberDofs(program.nv(), ranges);
  x_.resize(size_);
  y_.resize(size_);

  asked_ = kind;
  ChooseKind(program);
  has_places_ = false;
  if (kind_ == MatrixKind::kTreeSparse) {
    packed_.resize(program.pattern->nonzeros());
    if (!tree_.Fits(*program.pattern)) tree_ = TreeFactor(*program.pattern);
  }
  return true;
}

// Small islands of large models come here often: what other islands left is taken away by name.
void NewtonMatrix::NumberDofs(int nv, std::span<const DofRange> ranges) {
  const auto fill = [&](const auto& number) {
    for (const DofRange& range : ranges_) {
      for (int k = range.first; k < range.first + range.count; ++k) local_[k] = number();
    }
  };
  if (static_cast<int>(local_.size()) == nv) {
    fill([] { return -1; });
  } else {
    local_.assign(nv, -1);
  }
  ranges_.assign(ranges.begin(), ranges.end());
  size_ = 0;
  fill([&] { return size_++; });
}

// True if the columns of every block lie on one path.
bool NewtonMatrix::IsTreeLike(const ConvexProgram& program) const {
  const TreePattern& pattern = *program.pattern;
  for (int i : blocks_) {
    const auto cols = program.cols_of(program.blocks[i]);
    const int* const path = pattern.path(cols.back());
    const int length = pattern.depth(cols.back()) + 1;
    for (int dof : cols) {
      if (pattern.depth(dof) >= length || path[pattern.depth(dof)] != dof) return false;
    }
  }
  return true;
}

void NewtonMatrix::ChooseKind(const ConvexProgram& program) {
  kind_ = asked_;
  const bool is_open = asked_ == MatrixKind::kAuto;
  if (asked_ == MatrixKind::kDense) return;
  // One free body has a factor of its own (math/tree_factor.h).
  const bool is_free_body = size_ == 6 && program.pattern->is_chain_of_six(ranges_[0].first);
  if (is_open && size_ <= kSmall && !is_free_body) {
    kind_ = MatrixKind::kDense;
    return;
  }
  if ((is_open || asked_ == MatrixKind::kTreeSparse) && IsTreeLike(program)) {
    kind_ = MatrixKind::kTreeSparse;
    return;
  }
  MakeNodes(program);
  cholesky_.Order(node_sizes_, edges_);
  kind_ = MatrixKind::kBlockSparse;
  if (!is_open) return;
  const double dense_cost = kDenseAdvantage * size_ * size_ * size_ / 6;
  if (dense_cost < cholesky_.cost()) kind_ = MatrixKind::kDense;
}

void NewtonMatrix::PlaceEntries(const ConvexProgram& program) {
  has_places_ = true;
  if (kind_ != MatrixKind::kBlockSparse) return;
  cholesky_.PlacePanels();
  PlaceMass(program);
  PlaceBlocks(program);
}

void NewtonMatrix::MakeNodes(const ConvexProgram& program) {
  const TreePattern& pattern = *program.pattern;
  node_of_.assign(size_, 0);
  node_sizes_.clear();
  node_starts_.clear();
  const auto begin_node = [&](int local) {
    node_sizes_.push_back(0);
    node_starts_.push_back(local);
  };
  for (const DofRange& range : ranges_) {
    const bool whole = range.count <= kWholeTree;
    for (int k = range.first; k < range.first + range.count; ++k) {
      const bool goes_on =
          k > range.first && (whole || (pattern.parent(k) == k - 1 && node_sizes_.back() < kPiece));
      if (!goes_on) begin_node(local_[k]);
      node_of_[local_[k]] = static_cast<int>(node_sizes_.size()) - 1;
      ++node_sizes_.back();
    }
  }

  // Nodes meet in the mass matrix and in blocks.
  edges_.clear();
  const auto add_edge = [&](int a, int b) {
    if (a != b) edges_.emplace_back(std::max(a, b), std::min(a, b));
  };
  for (const DofRange& range : ranges_) {
    for (int k = range.first; k < range.first + range.count; ++k) {
      for (int d = 0; d < pattern.depth(k); ++d) {
        add_edge(node_of_[local_[k]], node_of_[local_[pattern.path(k)[d]]]);
      }
    }
  }
  for (int i : blocks_) {
    const auto cols = program.cols_of(program.blocks[i]);
    for (size_t a = 0; a < cols.size(); ++a) {
      for (size_t b = 0; b < a; ++b) {
        add_edge(node_of_[local_[cols[a]]], node_of_[local_[cols[b]]]);
      }
    }
  }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
}

void NewtonMatrix::PlaceMass(const ConvexProgram& program) {
  const TreePattern& pattern = *program.pattern;
  mass_entries_.clear();
  mass_sources_.clear();
  mass_mirrors_.clear();
  for (const DofRange& range : ranges_) {
    for (int k = range.first; k < range.first + range.count; ++k) {
      for (int d = 0; d <= pattern.depth(k); ++d) {
        const int row = local_[k], col = local_[pattern.path(k)[d]];
        const int i = node_of_[row], j = node_of_[col];
        const int a = row - node_starts_[i], b = col - node_starts_[j];
        const BlockCholesky::Place place = cholesky_.Find(i, j);
        mass_sources_.push_back(pattern.row_start(k) + d);
        mass_entries_.push_back(place.offset +
                                (place.transposed ? b + a * place.stride : a + b * place.stride));
        mass_mirrors_.push_back(i == j ? place.offset + b + a * place.stride : -1);
      }
    }
  }
}

void NewtonMatrix::PlaceBlocks(const ConvexProgram& program) {
  segments_.clear();
  segment_start_.assign(1, 0);
  places_.clear();
  place_start_.clear();
  for (int i : blocks_) {
    const auto cols = program.cols_of(program.blocks[i]);
    const int first_segment = segment_start_.back();
    for (size_t c = 0; c < cols.size(); ++c) {
      const int local = local_[cols[c]], node = node_of_[local];
      const int at = local - node_starts_[node];
      const bool goes_on = static_cast<int>(segments_.size()) > first_segment &&
                           segments_.back().node == node &&
                           segments_.back().at + segments_.back().count == at;
      if (!goes_on) segments_.push_back({node, at, 0, static_cast<int>(c)});
      ++segments_.back().count;
    }
    segment_start_.push_back(static_cast<int>(segments_.size()));
    place_start_.push_back(static_cast<int>(places_.size()));
    for (int s = first_segment; s < segment_start_.back(); ++s) {
      for (int t = first_segment; t <= s; ++t) {
        const BlockCholesky::Place place = cholesky_.Find(segments_[s].node, segments_[t].node);
        const int a = segments_[s].at, b = segments_[t].at;
        places_.push_back(
            {place.offset + (place.transposed ? b + a * place.stride : a + b * place.stride),
             place.stride, place.transposed});
      }
    }
  }
}

}  // namespace voigt
