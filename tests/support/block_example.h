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

// Nodes of all sizes, or of the one given.
inline void AddNodes(int nodes, int fixed_size, std::mt19937* random, BlockExample* out) {
  std::uniform_int_distribution<int> size(1, 7);
  int total = 0;
  for (int i = 0; i < nodes; ++i) {
    out->sizes.push_back(fixed_size > 0 ? fixed_size : size(*random));
    out->starts.push_back(total);
    total += out->sizes.back();
  }
  out->A = MatX::Identity(total, total);
}

// A += 10 Σ B Bᵀ over edges, B on both nodes' rows; every third edge couples nothing.
inline void Couple(std::mt19937* random, BlockExample* out) {
  std::uniform_real_distribution<double> real(-1, 1);
  std::sort(out->edges.begin(), out->edges.end());
  out->edges.erase(std::unique(out->edges.begin(), out->edges.end()), out->edges.end());
  for (size_t e = 0; e < out->edges.size(); ++e) {
    if (e % 3 == 0) continue;
    const int nodes[] = {out->edges[e].first, out->edges[e].second};
    MatX B[2];
    for (int k = 0; k < 2; ++k) {
      B[k].resize(out->sizes[nodes[k]], 3);
      for (double& x : B[k].reshaped()) x = real(*random);
    }
    for (int k = 0; k < 2; ++k) {
      for (int l = 0; l < 2; ++l) {
        const int i = nodes[k], j = nodes[l];
        out->A.block(out->starts[i], out->starts[j], out->sizes[i], out->sizes[j]) +=
            10 * B[k] * B[l].transpose();
      }
    }
  }
}

inline BlockExample MakeBlockExample(int nodes, int edge_count, int fixed_size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> node(0, nodes - 1);
  BlockExample out;
  AddNodes(nodes, fixed_size, &random, &out);
  for (int e = 0; e < edge_count; ++e) {
    const int i = node(random), j = node(random);
    if (i != j) out.edges.emplace_back(std::max(i, j), std::min(i, j));
  }
  Couple(&random, &out);
  return out;
}

// A bed: square layers, each node above four of the layer below it and beside two to four others.
inline BlockExample MakeBedExample(int nx, int ny, int layers, int fixed_size, unsigned seed) {
  std::mt19937 random(seed);
  BlockExample out;
  AddNodes(nx * ny * layers, fixed_size, &random, &out);
  const auto node = [&](int i, int j, int k) { return i + nx * (j + ny * k); };
  for (int k = 0; k < layers; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        if (i > 0) out.edges.emplace_back(node(i, j, k), node(i - 1, j, k));
        if (j > 0) out.edges.emplace_back(node(i, j, k), node(i, j - 1, k));
        for (int below = 0; k > 0 && below < 4; ++below) {
          const int side = k % 2 == 0 ? -1 : 1;
          const int x = i + side * (below % 2), y = j + side * (below / 2);
          if (x < 0 || y < 0 || x >= nx || y >= ny) continue;
          out.edges.emplace_back(node(i, j, k), node(x, y, k - 1));
        }
      }
    }
  }
  Couple(&random, &out);
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
