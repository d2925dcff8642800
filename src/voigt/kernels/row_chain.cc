#include "voigt/kernels/row_chain.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "voigt/math/number_pair.h"

namespace voigt {
namespace {

constexpr int kMaxRows = 3;
constexpr int kFree = 6;  // columns of a free body

// What a block of an island meets on the bodies that it moves.
struct Neighbours {
  struct Meeting {
    int other = -1;                  // place in the island's list
    int own_col = 0, their_col = 0;  // of the body, in either block
  };
  Meeting of[2];
  int count = 0;
};

// Whether the columns of a block are those of one or two free bodies, whole.
bool IsOnFreeBodies(const ConvexProgram& program, const ConvexBlock& block) {
  const auto cols = program.cols_of(block);
  if (block.col_count != kFree && block.col_count != 2 * kFree) return false;
  for (int c = 0; c < block.col_count; c += kFree) {
    if (!program.pattern->is_chain_of_six(cols[c]) || cols[c + kFree - 1] != cols[c] + kFree - 1) {
      return false;
    }
  }
  return true;
}

// False if some body is moved by more than two blocks, or some block is not what chains are made
// of.
bool FindNeighbours(const ConvexProgram& program, std::span<const int> blocks,
                    std::vector<Neighbours>* out) {
  struct Visit {
    int block = -1, col = 0;
  };
  std::vector<Visit> first(program.nv()), second(program.nv());  // by root
  out->assign(blocks.size(), {});
  for (int b = 0; b < static_cast<int>(blocks.size()); ++b) {
    const ConvexBlock& block = program.blocks[blocks[b]];
    if (!IsOnFreeBodies(program, block)) return false;
    for (int c = 0; c < block.col_count; c += kFree) {
      const int root = program.cols_of(block)[c];
      if (first[root].block < 0) {
        first[root] = {b, c};
        continue;
      }
      if (second[root].block >= 0) return false;
      second[root] = {b, c};
      Neighbours &own = (*out)[b], &theirs = (*out)[first[root].block];
      own.of[own.count++] = {first[root].block, c, first[root].col};
      theirs.of[theirs.count++] = {b, first[root].col, c};
    }
  }
  return true;
}

// One block of P, full or diagonal as it is stored, with zeros for the rows that it does not have.
Mat3 ReadP(const ConvexBlock& block, const double* P) {
  const int n = block.row_count;
  Mat3 out = Mat3::Zero();
  if (IsCoupled(block.set)) {
    for (int r = 0; r < n; ++r) {
      for (int s = 0; s < n; ++s) out(r, s) = P[r * n + s];
    }
  } else {
    for (int r = 0; r < n; ++r) out(r, r) = P[r];
  }
  return out;
}

constexpr int kPairs = kFree / 2;

void LoadRow(const double* from, NumberPair* to) { std::memcpy(to, from, kFree * sizeof(double)); }

// The rows of a block on one body, G, and what they make of it, M⁻¹ Gᵀ. Rows that the block does
// not have are zero.
struct BodyRows {
  NumberPair G[kMaxRows][kPairs], response[kMaxRows][kPairs];

  void Set(const ConvexProgram& program, const ConvexBlock& block, int col) {
    const int root = program.cols[block.first_col + col];
    const bool is_diagonal = program.factor->is_diagonal(root);
    NumberPair D_inverse[kPairs];
    LoadRow(program.factor->D_inverse().data() + root, D_inverse);
    for (int r = 0; r < kMaxRows; ++r) {
      constexpr double kNone[kFree] = {};
      LoadRow(r < block.row_count ? program.entries(block, r) + col : kNone, G[r]);
      for (int k = 0; k < kPairs; ++k) response[r][k] = G[r][k] * D_inverse[k];
      if (!is_diagonal) Solve(program, root, r);
    }
  }
  void Solve(const ConvexProgram& program, int root, int r) {
    double x[kFree];
    std::memcpy(x, G[r], sizeof x);
    program.factor->SolveChainOfSix(*program.pattern, root, x);
    LoadRow(x, response[r]);
  }
};

inline double Dot(const NumberPair* a, const NumberPair* b) {
  return Sum(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

// G M⁻¹ Gᵀ for the rows of two blocks on the same body, and for those of one.
Mat3 CalcCoupling(const BodyRows& a, const BodyRows& b) {
  Mat3 out;
  for (int r = 0; r < kMaxRows; ++r) {
    for (int s = 0; s < kMaxRows; ++s) out(r, s) = Dot(a.G[r], b.response[s]);
  }
  return out;
}
Mat3 CalcCoupling(const BodyRows& a) {
  Mat3 out;
  for (int r = 0; r < kMaxRows; ++r) {
    for (int s = 0; s <= r; ++s) out(r, s) = out(s, r) = Dot(a.G[r], a.response[s]);
  }
  return out;
}

}  // namespace

void RowChain::Analyze(const ConvexProgram& program, std::span<const int> blocks,
                       std::span<const DofRange> ranges) {
  links_.clear();
  std::vector<Neighbours> neighbours;
  if (blocks.size() + 1 < ranges.size() || !FindNeighbours(program, blocks, &neighbours)) return;
  std::vector<char> is_taken(blocks.size(), 0);
  for (int start = 0; start < static_cast<int>(blocks.size()); ++start) {
    if (is_taken[start] || neighbours[start].count == 2) continue;
    // From one end to the other.
    int last = -1;
    for (int b = start; b >= 0;) {
      is_taken[b] = 1;
      Link& link = links_.emplace_back();
      link.place = b;
      int next = -1;
      for (int k = 0; k < neighbours[b].count; ++k) {
        const Neighbours::Meeting& meeting = neighbours[b].of[k];
        if (meeting.other == last) {
          link.is_joined = true;
          link.own_col = meeting.own_col;
          link.before_col = meeting.their_col;
        } else {
          next = meeting.other;
        }
      }
      last = b;
      b = next;
    }
  }
  // What is left are rings.
  if (links_.size() != blocks.size()) links_.clear();
}

void RowChain::Reset(const ConvexProgram& program, std::span<const int> blocks) {
  has_W_ = is_factored_ = false;
  applies_ = !links_.empty();
  for (Link& link : links_) {
    const ConvexBlock& block = program.blocks[blocks[link.place]];
    link.block = blocks[link.place];
    link.first_row = block.first_row;
    link.row_count = block.row_count;
    applies_ = applies_ && block.row_count <= kMaxRows;
  }
}

void RowChain::CalcW(const ConvexProgram& program) {
  BodyRows rows[2][2];  // of the link and of the one before it, on either body
  for (size_t i = 0; i < links_.size(); ++i) {
    Link& link = links_[i];
    const ConvexBlock& block = program.blocks[link.block];
    BodyRows *const own = rows[i % 2], *const before = rows[1 - i % 2];
    link.W.setZero();
    for (int c = 0; c < block.col_count; c += kFree) {
      own[c / kFree].Set(program, block, c);
      link.W += CalcCoupling(own[c / kFree]);
    }
    if (!link.is_joined) continue;
    link.W_before = CalcCoupling(own[link.own_col / kFree], before[link.before_col / kFree]);
  }
}

bool RowChain::Factor(const ConvexProgram& program, std::span<const double> P,
                      std::span<const int> P_start) {
  if (!has_W_) CalcW(program);
  has_W_ = true;
  is_factored_ = false;
  for (size_t i = 0; i < links_.size(); ++i) {
    Link& link = links_[i];
    const Mat3 P_i = ReadP(program.blocks[link.block], P.data() + P_start[link.block]);
    link.is_open = P_i == Mat3::Zero();
    if (link.is_open) continue;
    Mat3 C = link.W;
    if (link.is_joined && !links_[i - 1].is_open) {
      const Mat3 WX = link.W_before * links_[i - 1].X;
      C.noalias() -= WX * link.W_before.transpose();
    }
    const Mat3 D = Mat3::Identity() + P_i * C;
    link.D_inverse = D.inverse();
    link.X.noalias() = link.D_inverse * P_i;
    if (!std::isfinite(link.D_inverse.sum())) return false;
  }
  is_factored_ = true;
  return true;
}

// Forwards tᵢ = Dᵢ⁻¹ rᵢ − Xᵢ Wᵢ,ᵢ₋₁ tᵢ₋₁, and back zᵢ = tᵢ − Xᵢ Wᵢ,ᵢ₊₁ zᵢ₊₁.
void RowChain::Solve(double* r) const {
  Vec3 last = Vec3::Zero();
  const auto read = [&](const Link& link) {
    Vec3 out = Vec3::Zero();
    std::copy_n(r + link.first_row, link.row_count, out.data());
    return out;
  };
  for (const Link& link : links_) {
    Vec3 t = read(link);
    if (!link.is_open) {
      t = link.D_inverse * t;
      if (link.is_joined) t -= link.X * (link.W_before * last);
    }
    std::copy_n(t.data(), link.row_count, r + link.first_row);
    last = t;
  }
  for (int i = static_cast<int>(links_.size()) - 2; i >= 0; --i) {
    const Link &link = links_[i], &behind = links_[i + 1];
    if (!behind.is_joined || link.is_open) continue;
    const Vec3 z = read(link) - link.X * (behind.W_before.transpose() * read(behind));
    std::copy_n(z.data(), link.row_count, r + link.first_row);
  }
}

}  // namespace voigt
