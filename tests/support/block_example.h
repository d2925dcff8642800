#pragma once

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "voigt/math/types.h"

// Symmetric positive definite matrices made of blocks, dense and as a sparse one is filled.
namespace voigt::testing {

struct BlockExample {
  std::vector<int> sizes, starts;
  std::vector<std::pair<int, int>> edges;  // the larger number first, sorted, each once
  MatX A;
};

// A = 1 + 10 Σ B Bᵀ over edges, B on both nodes' rows. Nodes have all sizes, or the one given;
// every third edge couples nothing.
inline BlockExample MakeBlockExample(int nodes, int edge_count, int fixed_size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> size(1, 7), node(0, nodes - 1);
  std::uniform_real_distribution<double> real(-1, 1);
  BlockExample out;
  int total = 0;
  for (int i = 0; i < nodes; ++i) {
    out.sizes.push_back(fixed_size > 0 ? fixed_size : size(random));
    out.starts.push_back(total);
    total += out.sizes.back();
  }
  for (int e = 0; e < edge_count; ++e) {
    const int i = node(random), j = node(random);
    if (i != j) out.edges.emplace_back(std::max(i, j), std::min(i, j));
  }
  std::sort(out.edges.begin(), out.edges.end());
  out.edges.erase(std::unique(out.edges.begin(), out.edges.end()), out.edges.end());
  out.A = MatX::Identity(total, total);
  for (size_t e = 0; e < out.edges.size(); ++e) {
    if (e % 3 == 0) continue;
    MatX B = MatX::Zero(total, 3);
    for (int k : {out.edges[e].first, out.edges[e].second}) {
      for (double& x : B.middleRows(out.starts[k], out.sizes[k]).reshaped()) x = real(random);
    }
    out.A += 10 * B * B.transpose();
  }
  return out;
}

// Writes A where matrix->Find says; `exchanged`: each edge from its other end.
template <typename BlockMatrix>
void Fill(const BlockExample& example, bool exchanged, BlockMatrix* matrix) {
  matrix->SetZero();
  const auto add = [&](int i, int j) {
    const auto place = matrix->Find(i, j);
    for (int a = 0; a < example.sizes[i]; ++a) {
      for (int b = 0; b < example.sizes[j]; ++b) {
        const int at = place.transposed ? b + a * place.stride : a + b * place.stride;
        matrix->data()[place.offset + at] = example.A(example.starts[i] + a, example.starts[j] + b);
      }
    }
  };
  for (size_t i = 0; i < example.sizes.size(); ++i) add(i, i);
  for (const auto& [i, j] : example.edges) exchanged ? add(j, i) : add(i, j);
}

}  // namespace voigt::testing
