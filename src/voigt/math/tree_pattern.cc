#include "voigt/math/tree_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "voigt/base/check.h"
#include "voigt/base/errors.h"

namespace voigt {

TreePattern::TreePattern(std::vector<int> parent) : parent_(std::move(parent)) {
  const int nv = size();
  depth_.resize(nv);
  row_start_.resize(nv);
  run_start_.resize(nv);
  std::int64_t entries = 0;
  for (int k = 0; k < nv; ++k) {
    const int up = parent_[k];
    VOIGT_CHECK(up >= -1 && up < k);
    depth_[k] = up < 0 ? 0 : depth_[up] + 1;
    entries += depth_[k] + 1;
  }
  if (entries > std::numeric_limits<int>::max()) {
    throw InputError({}, "model",
                     fmt::format("{} degrees of freedom whose mass matrix has {} entries, expected "
                                 "at most {}: shorten its longest chains",
                                 nv, entries, std::numeric_limits<int>::max()));
  }
  path_.reserve(entries);
  for (int k = 0; k < nv; ++k) {
    const int up = parent_[k];
    run_start_[k] = up >= 0 && up == k - 1 ? run_start_[up] : k;
    row_start_[k] = nonzeros();
    if (up >= 0) {
      const int start = row_start_[up];
      for (int d = 0; d <= depth_[up]; ++d) path_.push_back(path_[start + d]);
    }
    path_.push_back(k);
  }
  tree_end_.assign(nv, nv);
  for (int k = nv - 2; k >= 0; --k) tree_end_[k] = parent_[k + 1] < 0 ? k + 1 : tree_end_[k + 1];
}

int TreePattern::CommonPathLength(int a, int b) const {
  if (a < 0 || b < 0) return 0;
  const int* path_a = path(a);
  const int* path_b = path(b);
  const int limit = std::min(depth_[a], depth_[b]) + 1;
  int common = 0;
  while (common < limit && path_a[common] == path_b[common]) ++common;
  return common;
}

MatX TreePattern::ToDense(const VecX& packed) const {
  MatX A = MatX::Zero(size(), size());
  for (int k = 0; k < size(); ++k) {
    for (int d = 0; d <= depth_[k]; ++d) {
      A(k, path(k)[d]) = A(path(k)[d], k) = packed[row_start_[k] + d];
    }
  }
  return A;
}

}  // namespace voigt
