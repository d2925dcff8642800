#include "voigt/math/elimination_order.h"

#include <Eigen/Eigenvalues>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "voigt/math/types.h"
#include "voigt/math/unit_flow.h"

namespace voigt {
namespace {

// Pieces of a dissection up to this size are not cut.
constexpr int kPieceSize = 200;
// Of each half, what a better cut may not move into; as a part of the whole.
constexpr double kLeastPart = 0.25;
// How far from the last cut, and how often, a better one is looked for.
constexpr int kReach = 3;
constexpr int kRounds = 6;
// Steps of Lanczos' iteration for the slowest mode of a graph.
constexpr int kLanczosSteps = 32;

enum Side : char { kLeft, kCut, kRight };

class Dissection {
 public:
  Dissection(int count, std::span<const std::pair<int, int>> edges);

  // Appends a part of the graph to the order.
  void Order(std::vector<int> nodes);
  const std::vector<int>& order() const { return order_; }

 private:
  std::span<const int> neighbours(int node) const {
    return std::span(neighbours_).subspan(starts_[node], starts_[node + 1] - starts_[node]);
  }
  // Calls visit for those in the part that is being cut.
  template <typename Visit>
  void ForNeighbours(int node, const Visit& visit) const {
    for (int other : neighbours(node)) {
      if (part_[other] == current_) visit(other);
    }
  }
  void OrderPiece(const std::vector<int>& nodes);
  // Sets queue_ to the nodes that can be reached, and distance_ (−1 for others).
  void Walk(const std::vector<int>& nodes, std::span<const int> from);
  VecX SlowestMode(const std::vector<int>& nodes);
  void CutInHalves(const std::vector<int>& nodes);
  bool ImproveCut(const std::vector<int>& nodes);
  bool FindBand(const std::vector<int>& nodes);

  std::vector<int> starts_, neighbours_;
  std::vector<int> order_;
  int current_ = 0;
  std::vector<int> part_;  // the last one that a node was in
  std::vector<int> index_, distance_, queue_, band_;
  std::vector<Side> side_, new_side_, best_side_;
  internal::UnitFlow flow_;
};

Dissection::Dissection(int count, std::span<const std::pair<int, int>> edges)
    : starts_(count + 1), part_(count), index_(count), distance_(count), side_(count) {
  for (const auto& [i, j] : edges) {
    ++starts_[i];
    ++starts_[j];
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  neighbours_.resize(starts_.back());
  for (const auto& [i, j] : edges) {
    neighbours_[--starts_[i]] = j;
    neighbours_[--starts_[j]] = i;
  }
  new_side_.resize(count);
}

void Dissection::Walk(const std::vector<int>& nodes, std::span<const int> from) {
  for (int i : nodes) distance_[i] = -1;
  queue_.assign(from.begin(), from.end());
  for (int i : from) distance_[i] = 0;
  for (size_t q = 0; q < queue_.size(); ++q) {
    ForNeighbours(queue_[q], [&](int i) {
      if (distance_[i] >= 0) return;
      distance_[i] = distance_[queue_[q]] + 1;
      queue_.push_back(i);
    });
  }
}

void Dissection::Order(std::vector<int> nodes) {
  if (static_cast<int>(nodes.size()) <= kPieceSize) return OrderPiece(nodes);
  ++current_;
  for (int i : nodes) part_[i] = current_;
  Walk(nodes, std::span(nodes).first(1));
  std::vector<int> left, right;
  if (queue_.size() < nodes.size()) {
    for (int i : nodes) (distance_[i] >= 0 ? left : right).push_back(i);
    Order(std::move(left));
    return Order(std::move(right));
  }
  CutInHalves(nodes);
  for (int round = 0; round < kRounds && ImproveCut(nodes); ++round) continue;
  std::vector<int> cut;
  for (int i : nodes) (side_[i] == kLeft ? left : side_[i] == kRight ? right : cut).push_back(i);
  if (left.empty() || right.empty()) return OrderPiece(nodes);
  Order(std::move(left));
  Order(std::move(right));
  order_.insert(order_.end(), cut.begin(), cut.end());
}

// By degree, together with the nodes around it: those are eliminated later, when each is joined
// with all others.
void Dissection::OrderPiece(const std::vector<int>& nodes) {
  const int count = static_cast<int>(nodes.size());
  ++current_;
  std::vector<int> all = nodes;
  const auto enter = [&](int i, int index) {
    part_[i] = current_;
    index_[i] = index;
  };
  for (int k = 0; k < count; ++k) enter(nodes[k], k);
  std::vector<std::pair<int, int>> edges;
  for (int k = 0; k < count; ++k) {
    for (int i : neighbours(nodes[k])) {
      if (part_[i] != current_) {
        enter(i, static_cast<int>(all.size()));
        all.push_back(i);
      }
      if (index_[i] > k) edges.emplace_back(k, index_[i]);
    }
  }
  const int total = static_cast<int>(all.size());
  for (int k = count; k < total; ++k) {
    for (int l = count; l < k; ++l) edges.emplace_back(k, l);
  }
  const std::vector<int> position = OrderByDegree(total, edges);
  std::vector<int> ordered(total);
  for (int k = 0; k < total; ++k) ordered[position[k]] = k;
  for (int k : ordered) {
    if (k < count) order_.push_back(nodes[k]);
  }
}

// Of the graph's Laplacian, the eigenvector of the least eigenvalue but zero: it varies along the
// longest extent of a bed. By Lanczos' iteration from the difference of distances from two ends.
VecX Dissection::SlowestMode(const std::vector<int>& nodes) {
  const int n = static_cast<int>(nodes.size()), steps = std::min(kLanczosSteps, n - 1);
  VecX w = VecX::Zero(n);
  for (double sign : {0.0, 1.0, -1.0}) {
    const int end = queue_.back();
    Walk(nodes, std::span(&end, 1));
    for (int k = 0; k < n; ++k) w[k] += sign * distance_[nodes[k]];
  }
  for (int k = 0; k < n; ++k) index_[nodes[k]] = k;
  MatX V(n, steps + 1);
  VecX diagonal(steps), beside(steps);
  w.array() -= w.mean();
  V.col(0) = w.normalized();
  int step = 0;
  while (step < steps) {
    const auto v = V.col(step);
    for (int k = 0; k < n; ++k) {
      double sum = 0;
      ForNeighbours(nodes[k], [&](int i) { sum += v[k] - v[index_[i]]; });
      w[k] = sum;
    }
    diagonal[step] = w.dot(v);
    w.array() -= w.mean();
    w -= V.leftCols(step + 1) * (V.leftCols(step + 1).transpose() * w);
    beside[step] = w.norm();
    // What is left once all modes are found is rounding.
    if (!(beside[step++] > 1e-5 * diagonal[0])) break;
    V.col(step) = w / beside[step - 1];
  }
  Eigen::SelfAdjointEigenSolver<MatX> modes;
  modes.computeFromTridiagonal(diagonal.head(step), beside.head(step - 1));
  return V.leftCols(step) * modes.eigenvectors().col(0);
}

// After Walk from any node. Nodes that differ by rounding alone are at one place of the mode: their
// order, and with it the cut, is the same on every processor.
void Dissection::CutInHalves(const std::vector<int>& nodes) {
  constexpr double kRounding = 1e-8;
  VecX mode = SlowestMode(nodes);
  mode = (mode / (kRounding * mode.lpNorm<Eigen::Infinity>())).array().round();
  std::vector<int> sorted(nodes.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::sort(sorted.begin(), sorted.end(),
            [&](int a, int b) { return mode[a] != mode[b] ? mode[a] < mode[b] : a < b; });
  for (size_t k = 0; k < sorted.size(); ++k) {
    side_[nodes[sorted[k]]] = 2 * k < sorted.size() ? kLeft : kRight;
  }
  for (int i : nodes) {
    if (side_[i] != kRight) continue;
    ForNeighbours(i, [&](int other) {
      if (side_[other] == kLeft) side_[i] = kCut;
    });
  }
}

// Sets band_ to the nodes near the cut, unless too little is left on one side of them.
bool Dissection::FindBand(const std::vector<int>& nodes) {
  std::vector<int> cut;
  for (int i : nodes) {
    if (side_[i] == kCut) cut.push_back(i);
  }
  Walk(nodes, cut);
  for (int reach = kReach; reach > 0; --reach) {
    band_.clear();
    int left = 0, right = 0;
    for (int i : nodes) {
      if (distance_[i] <= reach) {
        band_.push_back(i);
      } else {
        ++(side_[i] == kLeft ? left : right);
      }
    }
    if (std::min(left, right) >= kLeastPart * static_cast<double>(nodes.size())) return true;
  }
  return false;
}

// The least cut within the band: as many nodes as there are paths from one side to the other that
// share none. Of its two ends that which leaves the halves more equal. True if it is better.
bool Dissection::ImproveCut(const std::vector<int>& nodes) {
  if (!FindBand(nodes)) return false;
  const int count = static_cast<int>(band_.size());
  for (int i : nodes) index_[i] = -1;
  for (int k = 0; k < count; ++k) index_[band_[k]] = k;
  flow_.Reset(2 + 2 * count);
  const auto entry = [](int k) { return 2 + 2 * k; };
  const auto exit = [](int k) { return 3 + 2 * k; };
  for (int k = 0; k < count; ++k) {
    flow_.AddArc(entry(k), exit(k), 1);
    bool is_left = false, is_right = false;
    ForNeighbours(band_[k], [&](int i) {
      if (index_[i] >= 0) {
        flow_.AddArc(exit(k), entry(index_[i]), internal::UnitFlow::kAnyNumber);
      } else {
        (side_[i] == kLeft ? is_left : is_right) = true;
      }
    });
    if (is_left)
      flow_.AddArc(internal::UnitFlow::kSource, entry(k), internal::UnitFlow::kAnyNumber);
    if (is_right) flow_.AddArc(exit(k), internal::UnitFlow::kSink, internal::UnitFlow::kAnyNumber);
  }
  flow_.Maximise();
  const std::vector<char>& drained = flow_.FindDrained();

  // The fewer nodes in the cut, the better, and the more in the lesser half.
  const auto score = [&](const std::vector<Side>& side) {
    double counts[3] = {0, 0, 0};
    for (int i : nodes) ++counts[side[i]];
    return counts[kCut] / std::sqrt(std::min(counts[kLeft], counts[kRight]));
  };
  bool improved = false;
  double best = score(side_) * (1 - 1e-9);
  for (bool near_source : {true, false}) {
    for (int i : nodes) new_side_[i] = side_[i];
    for (int k = 0; k < count; ++k) {
      const bool in = near_source ? flow_.IsFed(entry(k)) : !drained[entry(k)];
      const bool out = near_source ? flow_.IsFed(exit(k)) : !drained[exit(k)];
      new_side_[band_[k]] = out ? kLeft : in ? kCut : kRight;
    }
    const double reached = score(new_side_);
    if (!(reached < best)) continue;
    best = reached;
    improved = true;
    best_side_ = new_side_;
  }
  if (improved) side_.swap(best_side_);
  return improved;
}

}  // namespace

std::vector<int> OrderByDegree(int count, std::span<const std::pair<int, int>> edges) {
  Eigen::SparseMatrix<double> graph(count, count);
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& [i, j] : edges) {
    entries.emplace_back(i, j, 1.0);
    entries.emplace_back(j, i, 1.0);
  }
  for (int i = 0; i < count; ++i) entries.emplace_back(i, i, 1.0);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(graph, order);
  std::vector<int> position(count);
  for (int i = 0; i < count; ++i) position[order.indices()[i]] = i;
  return position;
}

std::vector<int> OrderByDissection(int count, std::span<const std::pair<int, int>> edges) {
  Dissection dissection(count, edges);
  std::vector<int> nodes(count), position(count);
  std::iota(nodes.begin(), nodes.end(), 0);
  dissection.Order(std::move(nodes));
  for (int k = 0; k < count; ++k) position[dissection.order()[k]] = k;
  return position;
}

}  // namespace voigt
